import { asked, listOf, wrapped } from '../../platform/http/index.js';
import { IsIn } from 'class-validator';
import { Required, Text, Optional } from '../../platform/index.js';
import type { AliasOfForm } from './aliases.service.js';
import type { FormAlias } from './form-alias.entity.js';
import { ALIAS_MAX, PROVIDERS, type Provider } from './old-address.js';

class NewAliasDto {
  /** The provider whose id it is. */
  @IsIn(PROVIDERS, { message: `must be one of ${PROVIDERS.join(', ')}` })
  @Required()
  provider: Provider;

  /** Its id, key or email address, as the old address has it: `xpzvnqkd`. At most 254 characters. */
  @Text({ min: 1, max: ALIAS_MAX, trim: true })
  @Required()
  value: string;
}

export class CreateAliasDto extends asked('alias', NewAliasDto) {}

/** An id of another provider that leads to a form. */
class AliasDto {
  id: number;
  provider: Provider;
  value: string;
  /** When a submission last came by it, ISO 8601 in UTC, up to ten seconds late; null for never. */
  last_used_at: string | null;
  /** The page of that submission, or its origin where the browser said no more; null where it said nothing. */
  last_page: string | null;

  static of({ id, provider, value, lastUsedAt, lastPage }: FormAlias): AliasDto {
    return { ...{ id, provider, value }, last_used_at: lastUsedAt?.toISOString() ?? null, last_page: lastPage };
  }
}

export class CreatedAliasDto extends wrapped('alias', AliasDto) {}

export class AliasListDto extends listOf('aliases', AliasDto) {}

/** An alias, and the identifier of its form. */
class AccountAliasDto extends AliasDto {
  form: string;

  static ofForm({ alias, form }: AliasOfForm): AccountAliasDto {
    return Object.assign(new AccountAliasDto(), AliasDto.of(alias), { form: form.identifier });
  }
}

export class AccountAliasListDto {
  aliases: AccountAliasDto[];

  static of(all: readonly AliasOfForm[]): AccountAliasListDto {
    return { aliases: all.map((each) => AccountAliasDto.ofForm(each)) };
  }
}

export class DialectDto {
  /**
   * The provider whose special fields the form reads and whose answers it gives, whatever address it is sent to; null
   * for that of the address.
   */
  @IsIn(PROVIDERS, { message: `must be one of ${PROVIDERS.join(', ')}, or null` })
  @Optional({ nullable: true })
  dialect?: Provider | null;
}
