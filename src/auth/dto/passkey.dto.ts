import { listOf } from '../../platform/http/wrapped.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import type { Passkey } from '../../people/credentials/passkey.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Flag, Optional, Required, Text } from '../../platform/kernel/validation.js';

const NAME_MAX = 255;

export class PasskeyNameDto {
  /** Name of the passkey, 1 to 255 characters. */
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Required()
  name: string;
}

export class RenamePasskeyDto {
  @ValidateNested()
  @Type(() => PasskeyNameDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  passkey: PasskeyNameDto;
}

export class AddPasskeyDto extends RenamePasskeyDto {
  /** Answer of `navigator.credentials.create`, as its `toJSON` writes it. */
  @IsObject({ message: 'must be an object' })
  @Required()
  credential: Record<string, unknown>;
}

export class PasskeySignInDto {
  /** Answer of `navigator.credentials.get`, as its `toJSON` writes it. */
  @IsObject({ message: 'must be an object' })
  @Required()
  credential: Record<string, unknown>;

  /** Whether others use the device too; then the session ends after an hour without use. */
  @Flag()
  @Optional()
  shared_device?: boolean;
}

/** Options for one ceremony in a browser, valid for five minutes. */
export class PasskeyOptionsDto {
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`, or `parseRequestOptionsFromJSON`. */
  options: Record<string, unknown>;

  static of(options: object): PasskeyOptionsDto {
    return { options: { ...options } };
  }
}

/** A passkey of the person who is signed in. */
export class PasskeyDto {
  id: string;
  name: string;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** When somebody last signed in with it, ISO 8601 in UTC; null for never. */
  last_used_at: string | null;

  static of({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyDto {
    return {
      id: formatUuid(id),
      name,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    };
  }
}

export class PasskeyListDto extends listOf('passkeys', PasskeyDto) {}
