import { asked } from '../../platform/http/wrapped.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { NAME_RULE, parseName } from '../../platform/kernel/text/name.js';
import { Optional, Parsed } from '../../platform/kernel/validation.js';
import type { Account, AccountDetails } from '../account.entity.js';
import { MeAccountDto } from './me.dto.js';

/** Changes to an account. Absent fields stay as they are. */
class AccountChangesDto {
  /** Name of the account, 1 to 255 characters. */
  @Parsed('length', parseName, NAME_RULE)
  @Optional()
  name?: string;

  /** Where owner notifications go when a form names nobody; null clears it. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com')
  @Optional({ nullable: true })
  email?: string | null;
}

export class ChangeAccountDto extends asked('account', AccountChangesDto) {
  static details({ account: { name, email } }: ChangeAccountDto): Partial<AccountDetails> {
    return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
  }
}

export class AccountAnswerDto {
  account: MeAccountDto;

  static of({ id, name, email }: Account): AccountAnswerDto {
    return { account: { id, name, email } };
  }
}
