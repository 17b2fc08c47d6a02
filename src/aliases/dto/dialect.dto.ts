import { IsIn } from 'class-validator';
import { Optional } from '../../platform/kernel/validation.js';
import { PROVIDERS, type Provider } from '../provider.js';

export class DialectDto {
  /**
   * The provider whose special fields the form reads and whose answers it gives, whatever address it is sent to; null
   * for that of the address.
   */
  @IsIn(PROVIDERS, { message: `must be one of ${PROVIDERS.join(', ')}, or null` })
  @Optional({ nullable: true })
  dialect?: Provider | null;
}
