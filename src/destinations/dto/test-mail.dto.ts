import { IsUUID } from 'class-validator';
import { Settings } from './destination.dto.js';
import {
  type AttemptResult,
  beginningOf,
  type OutcomeName,
} from '../../deliveries/model/outcome.js';
import { Optional, Required, Text } from '../../platform/kernel/validation.js';

const IDENTIFIER_MAX = 16;

export class SendTestMailDto {
  /** Identifier of the form. */
  @Text({ min: 1, max: IDENTIFIER_MAX })
  @Required()
  identifier: string;

  /** The destination whose email is meant; left out for an email to be. */
  @IsUUID('all', { message: 'must be the id of a destination' })
  @Optional()
  destination_id?: string;

  /** In place of its settings; those that are left out are as they are stored. */
  @Settings()
  settings?: Record<string, string | null>;
}

/** How sending a test ended. */
export class TestMailDto {
  /** Where it went. */
  to: string;
  /** `deferred`: it may work later. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so; `written`: to a file, since the service has no mail server. */
  outcome: OutcomeName;
  /** SMTP reply code; null when there was none. */
  code: number | null;
  /** Answer of the mail server, up to 1,024 bytes; null when it gave none. */
  answer: string | null;

  static of(to: string, { verdict: result, outcome, code, answer }: AttemptResult): TestMailDto {
    return { to, result, outcome, code, answer: answer && beginningOf(answer) };
  }
}
