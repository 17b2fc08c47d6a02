import { wrapped } from '../../platform/http/index.js';
import type { Confirmation } from './confirmations.service.js';

/** Whether the visitor of a submission has confirmed it. */
export class ConfirmationStateDto {
  /** `none`: nobody was asked, so nothing waits. */
  state: 'none' | 'waiting' | 'confirmed';
  /** The address that was asked; null where nobody was. */
  email: string | null;
  /** When the mail that asks was planned, ISO 8601 in UTC. */
  asked_at: string | null;
  confirmed_at: string | null;
  /** By whom it was confirmed: `owner` for whoever sent it without the visitor; the timeline says who. */
  confirmed_by: 'visitor' | 'owner' | null;
  /** Why the mail that asks did not reach the address, so that nobody may ever confirm; null where nothing is known of that. */
  problem: string | null;

  static of({ optIn, problem }: Confirmation): ConfirmationStateDto {
    const by = optIn?.byHand === true ? 'owner' : 'visitor';
    return {
      state: optIn?.state ?? 'none',
      email: optIn?.email ?? null,
      asked_at: optIn?.askedAt.toISOString() ?? null,
      confirmed_at: optIn?.confirmedAt?.toISOString() ?? null,
      confirmed_by: optIn?.state === 'confirmed' ? by : null,
      problem,
    };
  }
}

export class ConfirmationDto extends wrapped('confirmation', ConfirmationStateDto) {}
