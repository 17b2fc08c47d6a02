import { listOf } from '../../platform/http/wrapped.js';
import type { Right } from '../../access/rights.js';
import type { Token } from '../token.entity.js';
import type { IssuedToken } from '../tokens.service.js';

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
