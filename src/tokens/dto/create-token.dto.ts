import { asked } from '../../platform/http/wrapped.js';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { RIGHTS, type Right } from '../../access/rights.js';
import { parseMoment } from '../../platform/kernel/time/moment.js';
import { NAME_RULE, parseName } from '../../platform/kernel/text/name.js';
import { Optional, Parsed, Required } from '../../platform/kernel/validation.js';
import type { TokenTerms } from '../token.entity.js';

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
