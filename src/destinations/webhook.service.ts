import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../accounts/access/index.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { DeliveryWithAttempts } from '../deliveries/model/delivery-filter.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Clock } from '../platform/index.js';
import type { OpenedDestination } from './destination-opener.js';
import { DestinationsService } from './destinations.service.js';
import type { FormatName } from './kinds/formats.js';
import { formerUntil } from './kinds/kinds.js';
import type { SignatureName } from './kinds/signatures.js';

/** Last calls that an overview shows. */
const RECENT_CALLS = 10;

/** The webhook of a form with its last calls, newest first. */
export interface WebhookOverview {
  opened: OpenedDestination;
  /** Until when the previous secret signs too; null when it does not. */
  previousUntil: Date | null;
  recent: DeliveryWithAttempts[];
}

/** Changes to a webhook; what is left out stays. */
interface WebhookChanges {
  enabled?: boolean;
  /** With `enabled`: whether deliveries that failed since the first failure are attempted again. */
  resend?: boolean;
  format?: FormatName;
  signature?: SignatureName;
}

/** Keeps what `webhook` routes say of the destination of a form that its `webhook_url` names. */
@Injectable()
export class WebhookService {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormQueries,
    private readonly clock: Clock,
  ) {}

  /** @throws FormNotFound */
  async show(scope: Scope, identifier: string): Promise<WebhookOverview> {
    const { form, opened } = await this.find(scope, identifier);
    const recent = await this.deliveries.lastSettled(scope, form.id, 'webhook', RECENT_CALLS);
    return { opened, previousUntil: formerUntil(opened.settings, this.clock.now()), recent };
  }

  /** @throws FormNotFound */
  async change(
    principal: Principal,
    identifier: string,
    { enabled, resend = false, format, signature }: WebhookChanges,
  ): Promise<WebhookOverview> {
    const { form, opened } = await this.find(principal, identifier);
    const { failingSince, pausedAt } = opened.destination;
    const settings = { ...(format && { format }), ...(signature && { signature }) };
    await this.destinations.change(principal, opened, {
      ...(enabled !== undefined && { paused: !enabled }),
      ...((format ?? signature) && { settings }),
    });
    const givenUpFrom = failingSince ?? pausedAt;
    if (enabled === true && resend && givenUpFrom !== null) {
      const missed = { kind: 'webhook', from: null, to: null, givenUpFrom } as const;
      await this.deliveries.redeliver(principal, form, missed);
    }
    return this.show(principal, identifier);
  }

  /** @throws FormNotFound */
  async find(scope: Scope, identifier: string) {
    const form = await this.forms.get(scope, identifier);
    return { form, opened: await this.destinations.first(form, 'webhook') };
  }
}
