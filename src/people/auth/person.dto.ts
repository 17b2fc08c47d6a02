import { IsInt, IsObject, IsPositive } from 'class-validator';
import { parseEmailAddress, Parsed, Required, Text, Flag, Optional, Zone, formatUuid } from '../../platform/index.js';
import { listOf, asked, wrapped } from '../../platform/http/index.js';
import type { Passkey } from '../credentials/credential.entity.js';
import {} from '../../deliveries/model/outcome.js';
import type { Member } from '../members/members.service.js';
import type { PersonSettings } from '../person/person.entity.js';

/** Longer than any link that the service makes. */
const LINK_MAX = 1_000;

export class NewEmailDto {
  /** New address to sign in with. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;
}

export class EmailLinkDto {
  /** The part after `#` in the link from the email. */
  @Text({ min: 1, max: LINK_MAX, trim: true })
  @Required()
  link: string;
}

const NAME_MAX = 255;

export class PasskeyNameDto {
  /** Name of the passkey, 1 to 255 characters. */
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Required()
  name: string;
}

export class RenamePasskeyDto extends asked('passkey', PasskeyNameDto) {}

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

class SeenPersonDto {
  /** Id of the person, as `/api/v1/people` and `/api/v1/clients/:id/people` list it. */
  @IsPositive({ message: 'must be the id of a person' })
  @IsInt({ message: 'must be the id of a person' })
  @Required()
  person_id: number;

  /** Id of the client whose person it is; null or left out for a member of the account. */
  @IsPositive({ message: 'must be the id of a client' })
  @IsInt({ message: 'must be the id of a client' })
  @Optional({ nullable: true })
  client_id?: number | null;
}

export class BeginViewDto extends asked('view', SeenPersonDto) {}

/** As whom an owner sees the pages. */
export class SeenAsDto {
  person_id: number;
  name: string;
  /** Null for a member of the account. */
  client_id: number | null;
}

export class ViewDto {
  /** Null while you see the pages as yourself. */
  view: SeenAsDto | null;

  static of(view: Member | null): ViewDto {
    if (!view) return { view: null };
    const { person, membership } = view;
    return { view: { person_id: person.id, name: person.name, client_id: membership.clientId } };
  }
}

class SettingsChangesDto {
  /** Whether the pages listen to keys such as `j` and `k`; `?` lists them all the same. */
  @Flag()
  @Optional()
  keys?: boolean;

  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  @Zone()
  @Optional()
  time_zone?: string;
}

export class ChangeSettingsDto extends asked('settings', SettingsChangesDto) {}

/** How the pages behave for a person. */
export class PersonSettingsDto {
  /** Whether the pages listen to keys such as `j` and `k`. */
  keys: boolean;
  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  time_zone: string;

  static of({ keysOff, timeZone }: PersonSettings): PersonSettingsDto {
    return { keys: !keysOff, time_zone: timeZone };
  }
}

export class SettingsDto extends wrapped('settings', PersonSettingsDto) {}
