import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import {
  beginningOf,
  type AttemptResult,
  type OutcomeName,
} from '../../deliveries/model/attempt-result.js';
import { ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import { FORM_MAILS, type FormMail } from '../../mail/messages/form-mails.js';
import { Optional, Required, Text } from '../../platform/kernel/validation.js';

const IDENTIFIER_MAX = 16;

export class SendTestMailDto {
  /** Identifier of the form. */
  @Text({ min: 1, max: IDENTIFIER_MAX })
  @Required()
  identifier: string;

  /** `owner`: the mail to those who are told of submissions. `visitor`: the mail to the visitor. */
  @IsIn(FORM_MAILS, { message: `must be one of: ${FORM_MAILS.join(', ')}` })
  @Required()
  mail: FormMail;

  /** Settings in place of the stored ones; those that are absent are the stored ones. */
  @ValidateNested()
  @Type(() => ChangeFormSettingsDto)
  @IsObject({ message: 'must be an object' })
  @Optional()
  form?: ChangeFormSettingsDto;
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
