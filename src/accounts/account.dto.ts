import type { Right } from './access/index.js';
import type { Token } from './tokens/token.entity.js';
import type { Account } from './account.entity.js';
import { asked } from '../platform/http/index.js';
import { parseEmailAddress, NAME_RULE, parseName, Optional, Parsed } from '../platform/index.js';

class MeAccountDto {
  id: number;
  name: string;
  /** Where owner notifications go when a form names nobody; null when unset. */
  email: string | null;
}

export class MeTokenDto {
  id: number;
  name: string;
  /** Rights of the token. */
  rights: Right[];
  /** The client it was issued to; null for the account itself. */
  client_id: number | null;
  /** When it stops working, ISO 8601 in UTC; null for never. */
  expires_at: string | null;
}

/** Whom the token of this request stands for. */
export class MeDto {
  account: MeAccountDto;
  token: MeTokenDto;

  static of({ id, name, email }: Account, token: Token): MeDto {
    return {
      account: { id, name, email },
      token: {
        id: token.id,
        name: token.name,
        rights: [...token.rights],
        client_id: token.clientId,
        expires_at: token.expiresAt?.toISOString() ?? null,
      },
    };
  }
}

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

export class ChangeAccountDto extends asked('account', AccountChangesDto) {}

export class AccountAnswerDto {
  account: MeAccountDto;

  static of({ id, name, email }: Account): AccountAnswerDto {
    return { account: { id, name, email } };
  }
}
