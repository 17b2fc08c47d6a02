import { SumsDto } from '../../statistics/counts/dto/statistics.dto.js';
import type { WarningDto } from '../../warnings/dto/warnings.dto.js';
import type { WatchState } from '../../watch/model/watch-state.js';
import { spamShare } from '../fleet-figures.js';
import type { FleetForm, FleetPage } from '../fleet.service.js';

export class FleetClientDto {
  id: number;
  name: string;
}

/** How a form is watched. */
export class FleetWatchDto {
  /** As at the watch of the form: `off`, `learning`, `alive`, `silent` or `never_connected`. */
  state: WatchState;
}

/** A form with how it fares. */
export class FleetFormDto {
  id: number;
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;
  /** The clients that see the form; none for a client, and without the right `clients:read`. */
  clients: FleetClientDto[];
  /** When the newest submission came; null without one, and without the right `submissions:read`. */
  last_submission_at: string | null;
  /** Sums of the last 30 days of UTC, today with them; null without the right `submissions:read`. */
  last_30_days: SumsDto | null;
  /** Part of what came in these days that is spam, from 0 to 1; null without the right `submissions:read`. */
  spam_share: number | null;
  /** How it fares by its rhythm; null without the right `submissions:read`. */
  watch: FleetWatchDto | null;
  /** Reasons why the form does not do what its owner expects. */
  warnings: WarningDto[];
  /** Whether the form takes submissions now. */
  takes_submissions: boolean;
  /** Why not: `form_paused`, `form_closed` or `form_full`; null if it takes them. */
  closed_because: string | null;

  static of({ form, clients, received, vital, warnings, shut }: FleetForm): FleetFormDto {
    return {
      id: form.id,
      name: form.name,
      identifier: form.identifier,
      submission_count: form.submissionCount,
      clients: clients.map(({ id, name }) => ({ id, name })),
      last_submission_at: received?.latestAt?.toISOString() ?? null,
      last_30_days: received && SumsDto.of(received),
      spam_share: received && spamShare(received),
      watch: vital && { state: vital.watch.state },
      warnings: warnings.map(({ code, message }) => ({ code, message })),
      takes_submissions: shut === null,
      closed_because: shut?.code ?? null,
    };
  }
}

/** A page of the forms of an account, with how they fare. */
export class FleetDto {
  forms: FleetFormDto[];

  static of({ forms }: FleetPage): FleetDto {
    return { forms: forms.map((form) => FleetFormDto.of(form)) };
  }
}
