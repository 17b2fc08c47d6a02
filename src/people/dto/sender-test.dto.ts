import {
  beginningOf,
  type AttemptResult,
  type OutcomeName,
} from '../../deliveries/model/attempt-result.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Optional, Parsed } from '../../platform/kernel/validation.js';

export class SendSenderTestDto {
  /** Address of a person of the account; yours by default, or with a token that of the account. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com')
  @Optional({ nullable: true })
  to?: string | null;
}

/** How sending a test ended. */
export class SenderTestDto {
  /** Where it went. */
  to: string;
  /** `deferred`: it may work later. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so; `written`: to a file, since the service has no mail server. */
  outcome: OutcomeName;
  /** SMTP reply code; null when there was none. */
  code: number | null;
  /** Response of the mail server, up to 1,024 bytes; null when it gave none. */
  answer: string | null;

  static of(to: string, { verdict: result, outcome, code, answer }: AttemptResult): SenderTestDto {
    return { to, result, outcome, code, answer: answer && beginningOf(answer) };
  }
}
