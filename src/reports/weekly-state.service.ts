import { Injectable } from '@nestjs/common';
import { FormQueries } from '../forms/form-queries.service.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { StatisticsService } from '../statistics/counts/statistics.service.js';
import { isUnwanted } from '../warnings/warning.js';
import { WarningsService } from '../warnings/warnings.service.js';
import { lastWeek } from './week.js';

/** Most forms whose warnings a mail looks at, oldest first. */
const FORMS_MAX = 1_000;

/** The forms of an account as a weekly mail tells of them. */
export interface WeeklyState {
  /** Number of the forms that were looked at: all, or FORMS_MAX. */
  forms: number;
  /** Whether there are more. */
  isCut: boolean;
  /** Those that need a look, with sentences that say why. */
  troubled: { name: string; identifier: string; reasons: string[] }[];
  /** Submissions of the last seven days that are no spam, and of the seven before. */
  submissions: number;
  before: number;
}

/** Tells whether all forms of an account are well, and what came in the last week. */
@Injectable()
export class WeeklyStates {
  constructor(
    private readonly forms: FormQueries,
    private readonly warnings: WarningsService,
    private readonly statistics: StatisticsService,
    private readonly clock: Clock,
  ) {}

  async of(accountId: number): Promise<WeeklyState> {
    const scope = { accountId, clientId: null };
    const [forms, warned, { totals, before }] = await Promise.all([
      this.forms.count(scope),
      this.warnings.listForFirst(scope, FORMS_MAX),
      this.statistics.ofAll(scope, lastWeek(this.clock.now())),
    ]);
    return {
      forms: Math.min(forms, FORMS_MAX),
      isCut: forms > FORMS_MAX,
      troubled: warned
        .map(({ form, warnings }) => ({ form, warnings: warnings.filter(isUnwanted) }))
        .filter(({ warnings }) => warnings.length > 0)
        .map(({ form: { name, identifier }, warnings }) => ({
          ...{ name, identifier },
          reasons: warnings.map(({ message }) => message),
        })),
      submissions: totals.submissions,
      before: before.submissions,
    };
  }
}
