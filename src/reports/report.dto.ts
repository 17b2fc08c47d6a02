import { asked, listOf, wrapped } from '../platform/http/index.js';
import { beginningOf, type AttemptResult, type OutcomeName } from '../deliveries/model/outcome.js';
import { parseEmailAddress, Optional, Parsed, Required } from '../platform/index.js';
import { parseMonth } from './week.js';
import type { ReportMail, SentReport } from './report-mails.service.js';
import { SumsDto } from '../statistics/statistics.dto.js';
import { workOn } from '../triage/marks/work.js';
import type { ClientReport } from './reports.service.js';

/** Most recipients of a report. */
const REPORT_RECIPIENTS_MAX = 10;

/** Reads a list of addresses; repetitions count once. */
function parseAddresses(value: unknown) {
  if (!Array.isArray(value)) return null;
  const known = new Map<string, string>();
  for (const each of value) {
    const email = parseEmailAddress(each);
    if (email === null) return null;
    if (!known.has(email.toLowerCase())) known.set(email.toLowerCase(), email);
  }
  return known.size > REPORT_RECIPIENTS_MAX ? null : [...known.values()];
}

/** Requires a list of addresses that get a report. */
function Recipients() {
  return Parsed(
    'wrong_recipients',
    parseAddresses,
    `must be a list of up to ${REPORT_RECIPIENTS_MAX} email addresses such as hello@example.com`,
  );
}

class ReportMailSettingsDto {
  /** Addresses that get the report on the first of each month, up to 10; none turns it off. */
  @Recipients()
  @Required()
  recipients: string[];
}

export class SetReportMailDto extends asked('report_mail', ReportMailSettingsDto) {}

class ReportMailDto {
  recipients: string[];
  /** Recipients that have yet to confirm, and get nothing until then. */
  unconfirmed: string[];

  static of({ recipients, unconfirmed }: ReportMail): ReportMailDto {
    return { recipients, unconfirmed };
  }
}

/** Recipients of the monthly report of a client. */
export class ReportMailAnswerDto extends wrapped('report_mail', ReportMailDto) {}

export class SendReportDto {
  /** A month of UTC, such as `2030-01`; by default the last one that is over. */
  @Parsed('wrong_month', parseMonth, 'must be a month such as 2030-01')
  @Optional({ nullable: true })
  month?: string | null;
}

/** How sending a report to one recipient ended. */
export class SentReportDto {
  to: string;
  /** `deferred`: it may work later. `refused`: it would not. */
  result: AttemptResult['verdict'];
  /** Why it ended so; `written`: to a file, since the service has no mail server. */
  outcome: OutcomeName;
  /** SMTP reply code; null when there was none. */
  code: number | null;
  /** Response of the mail server, up to 1,024 bytes; null when it gave none. */
  answer: string | null;

  static of({ to, ended: { verdict: result, outcome, code, answer } }: SentReport): SentReportDto {
    return { ...{ to, result, outcome, code, answer: answer && beginningOf(answer) } };
  }
}

/** How sending a report ended, by recipients that have confirmed. */
export class SentReportsDto extends listOf('sent', SentReportDto) {}

class WeeklyMailSettingsDto {
  /** Addresses that get the weekly email, up to 10; none turns it off. */
  @Recipients()
  @Required()
  recipients: string[];
}

export class SetWeeklyMailDto extends asked('weekly_mail', WeeklyMailSettingsDto) {}

/** Recipients of the weekly email about all forms. */
export class WeeklyMailAnswerDto {
  weekly_mail: ReportMailDto;

  static of({ recipients, unconfirmed }: ReportMail): WeeklyMailAnswerDto {
    return { weekly_mail: { recipients, unconfirmed } };
  }
}

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
