import { IsIn, ValidateBy } from 'class-validator';
import { parseNetworks, type Network } from './networks.js';
import { Setting, WholeNumber } from './setting.decorator.js';

/** Holds which process makes deliveries, where they may go, and how long they are remembered. */
export class DeliverySettings {
  /**
   * Which process sends deliveries and runs background tasks: `on` this process beside its requests, `off` others,
   * `only` this process, which then listens to no requests.
   */
  @Setting('WORKERS')
  @IsIn(['on', 'off', 'only'], { message: 'must be on, off or only' })
  readonly workers: 'on' | 'off' | 'only' = 'on';

  @Setting('WEBHOOK_ALLOWED_NETWORKS')
  @ValidateBy({
    name: 'networks',
    validator: {
      validate: (value) => typeof value === 'string' && parseNetworks(value) !== null,
      defaultMessage: () => 'must be CIDR blocks separated by commas, such as 10.0.0.0/8,fd00::/8',
    },
  })
  private readonly givenAllowedNetworks: string = '';

  /** How long delivered deliveries and their attempts are kept, in days. */
  @Setting('DELIVERY_LOG_DAYS')
  @WholeNumber(1, 3_650, 'days', 30)
  readonly logDays: number = 30;

  /** Returns networks that webhooks may call although they are not public. */
  get allowedNetworks(): Network[] {
    return parseNetworks(this.givenAllowedNetworks) ?? [];
  }
}
