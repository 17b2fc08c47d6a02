import { Optional, Parsed } from '../../platform/kernel/validation.js';
import { SumsDto } from '../../statistics/counts/dto/statistics.dto.js';
import { workOn } from '../../triage/marks/work.js';
import { parseMonth } from '../month.js';
import type { ClientReport } from '../reports.service.js';

/** Asks for a month. */
export class ReportQueryDto {
  /** A month of UTC, such as `2030-01`; by default the last one that is over. */
  @Parsed('wrong_month', parseMonth, 'must be a month such as 2030-01')
  @Optional()
  month?: string;
}

export class ReportClientDto {
  id: number;
  name: string;
}

/** Work of people on the submissions of a month, counted up to 1,000 of a form. */
export class ReportWorkDto {
  /** Marked as answered. */
  answered: number;
  starred: number;
  /** Dealt with, without spam and the trash. */
  done: number;
}

/** A form of the client. */
export class ReportFormDto {
  name: string;
  /** Unique token of the form. */
  identifier: string;
  /** Sums of the month. */
  totals: SumsDto;
  /** Sums of the month before. */
  before: SumsDto;
  /** Work of people on what came in the month. */
  work: ReportWorkDto;
}

/** Sums that the forms of a client received in a month. */
export class ReportDto {
  client: ReportClientDto;
  /** The month of UTC. */
  month: string;
  /** The forms that the client sees now, oldest first, at most 1,000. */
  forms: ReportFormDto[];
  /** Sums of all of these forms. */
  totals: SumsDto;
  /** Sums of the month before. */
  before: SumsDto;
  /** Work of people on what all of these forms received in the month. */
  work: ReportWorkDto;

  static of({ client, month, forms, totals, before }: ClientReport): ReportDto {
    return {
      client: { id: client.id, name: client.name },
      month,
      forms: forms.map((each) => ({
        name: each.form.name,
        identifier: each.form.identifier,
        totals: SumsDto.of(each.sums),
        before: SumsDto.of(each.before),
        work: each.work,
      })),
      totals: SumsDto.of(totals),
      before: SumsDto.of(before),
      work: workOn(forms.map(({ work }) => work)),
    };
  }
}
