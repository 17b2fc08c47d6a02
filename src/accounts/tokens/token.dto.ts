import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { asked, listOf } from '../../platform/http/index.js';
import { RIGHTS, type Right } from '../access/index.js';
import { parseMoment, NAME_RULE, parseName, Optional, Parsed, Required } from '../../platform/index.js';
import type { TokenTerms, Token } from './token.entity.js';
import type { IssuedToken } from './tokens.service.js';

class TokenTermsDto {
  /** Name of the token, in your words. */
  @Parsed('length', parseName, NAME_RULE)
  @Required()
  name: string;

  /** Rights of the token; all by default. */
  @IsIn(RIGHTS, { each: true, message: `must contain only these rights: ${RIGHTS.join(', ')}` })
  @ArrayMaxSize(RIGHTS.length, { message: 'must not contain a right twice' })
  @IsArray({ message: 'must be a list of rights' })
  @Optional()
  rights?: Right[];

  /** When the token stops working, ISO 8601; never when null or left out. */
  @Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T12:00:00Z')
  @Optional({ nullable: true })
  expires_at?: string | null;
}

export class CreateTokenDto extends asked('token', TokenTermsDto) {
  /** Returns the requested terms, for the account itself or one of its clients. */
  static terms({ token }: CreateTokenDto, clientId: number | null): TokenTerms {
    const { name, rights = [], expires_at } = token;
    return { name, rights, expiresAt: expires_at == null ? null : new Date(expires_at), clientId };
  }
}

/** A token without its secret. */
export class TokenDto {
  id: number;
  name: string;
  /** Rights of the token. */
  rights: Right[];
  /** The client it was issued to; null for the account itself. */
  client_id: number | null;
  /** When it was issued, ISO 8601 in UTC. */
  created_at: string;
  /** When it stops working, ISO 8601 in UTC; null for never. */
  expires_at: string | null;
  /** When it was last used, exact to ten minutes; null for never. */
  last_used_at: string | null;

  static of(token: Token): TokenDto {
    return {
      id: token.id,
      name: token.name,
      rights: [...token.rights],
      client_id: token.clientId,
      created_at: token.createdAt.toISOString(),
      expires_at: token.expiresAt?.toISOString() ?? null,
      last_used_at: token.lastUsedAt?.toISOString() ?? null,
    };
  }
}

/** A token with its secret, which is shown this once. */
export class IssuedTokenDto extends TokenDto {
  /** The secret, to be sent as `Authorization: Bearer <token>`. It cannot be shown again. */
  token: string;

  static issued({ token, secret }: IssuedToken): IssuedTokenDto {
    return Object.assign(TokenDto.of(token), { token: secret });
  }
}

export class TokenListDto extends listOf('tokens', TokenDto) {}
