import { listOf } from '../../platform/http/index.js';
import type { Recipient } from './recipients.service.js';

export class RecipientDto {
  /** Where owner mails of the form go. */
  email: string;

  /** Whether they do: false until the address has confirmed it. */
  confirmed: boolean;

  /** When a mail last asked the address to confirm; null when none did. */
  asked_at: string | null;

  static of({ email, confirmed, askedAt }: Recipient): RecipientDto {
    return { email, confirmed, asked_at: askedAt?.toISOString() ?? null };
  }
}

export class RecipientListDto extends listOf('recipients', RecipientDto) {}
