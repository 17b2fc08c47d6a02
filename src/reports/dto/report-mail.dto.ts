import { asked, listOf, wrapped } from '../../platform/http/wrapped.js';
import {
  beginningOf,
  type AttemptResult,
  type OutcomeName,
} from '../../deliveries/model/attempt-result.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Optional, Parsed, Required } from '../../platform/kernel/validation.js';
import { parseMonth } from '../month.js';
import type { ReportMail, SentReport } from '../report-mails.service.js';

/** Most recipients of a report. */
const REPORT_RECIPIENTS_MAX = 10;

/** Reads a list of addresses; repetitions count once. */
function parseAddresses(value: unknown): string[] | null {
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
export function Recipients(): PropertyDecorator {
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

export class ReportMailDto {
  recipients: string[];
  /** Those of them that have yet to confirm, and get nothing until then. */
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
    return {
      ...{ to, result, outcome, code, answer: answer && beginningOf(answer) },
    };
  }
}

/** How sending a report ended, by recipients that have confirmed. */
export class SentReportsDto extends listOf('sent', SentReportDto) {}
