import { listOf } from '../../platform/http/wrapped.js';
import type { Action, Role } from '../../access/roles.js';
import type { Session } from '../../sessions/session.entity.js';
import type { Member } from '../members/people.service.js';

/** A member of the account. */
export class PersonDto {
  id: number;
  name: string;
  email: string;
  /** `owner`, `editor` or `viewer`. */
  role: Role | null;
  /** Whether the person may act in this account at the moment. */
  disabled: boolean;
  /** Since when the person belongs to the account, ISO 8601 in UTC. */
  joined_at: string;

  static of({ person, membership }: Member): PersonDto {
    return {
      id: person.id,
      name: person.name,
      email: person.email,
      role: membership.role,
      disabled: person.isDisabled || membership.disabledAt !== null,
      joined_at: membership.createdAt.toISOString(),
    };
  }
}

/** A browser in which a person is signed in. */
export class PersonSessionDto {
  /** How the person signed in, such as `password`. */
  way: string;
  /** ISO 8601 in UTC. */
  began_at: string;
  /** The last use, within five minutes, ISO 8601 in UTC. */
  last_seen_at: string;

  static of({ way, createdAt, lastSeenAt }: Session): PersonSessionDto {
    return {
      way,
      began_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
    };
  }
}

/** Says when and how; from where is the person's own to see. */
export class PersonSessionListDto extends listOf('sessions', PersonSessionDto) {}

export class PersonListDto extends listOf('people', PersonDto) {}

/** Somebody who acts for a client. */
export class ClientPersonDto {
  id: number;
  name: string;
  email: string;
  /** Permissions of the person for the client's submissions: `see`, `triage`, `export`, `erase`. */
  actions: Action[];
  /** Whether the person may act for this client at the moment. */
  disabled: boolean;
  /** Since when the person belongs to the client, ISO 8601 in UTC. */
  joined_at: string;

  static of(member: Member): ClientPersonDto {
    const { role: _, ...person } = PersonDto.of(member);
    return { ...person, actions: [...member.membership.actions] };
  }
}

export class ClientPersonListDto extends listOf('people', ClientPersonDto) {}
