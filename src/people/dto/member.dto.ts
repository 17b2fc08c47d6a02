import { listOf } from '../../platform/http/wrapped.js';
import type { Action, Role } from '../../access/roles.js';
import type { Session } from '../../sessions/session.entity.js';
import type { Member } from '../members/people.service.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { Identity } from '../credentials/identity.entity.js';
import {
  beginningOf,
  type AttemptResult,
  type OutcomeName,
} from '../../deliveries/model/attempt-result.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Optional, Parsed } from '../../platform/kernel/validation.js';

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
class PersonSessionDto {
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

/** An identity of a person at an OpenID Connect provider. */
class IdentityDto {
  id: string;
  /** The provider's issuer identifier. */
  issuer: string;
  /** The address that the provider named when the identity was linked; null when it named none. */
  email: string | null;
  linked_at: string;

  static of({ id, issuer, email, createdAt }: Identity): IdentityDto {
    return { id: formatUuid(id), issuer, email, linked_at: createdAt.toISOString() };
  }
}

export class IdentityListDto extends listOf('identities', IdentityDto) {}

export class SendSenderTestDto {
  /** Address of a person of the account; yours by default, or with a token that of the account. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com')
  @Optional({ nullable: true })
  to?: string | null;
}

/** How sending a test ended. */
export class SenderTestDto {
  /** Where it went. */
  to: string;
  /** `deferred`: it may work later. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so; `written`: to a file, since the service has no mail server. */
  outcome: OutcomeName;
  /** SMTP reply code; null when there was none. */
  code: number | null;
  /** Response of the mail server, up to 1,024 bytes; null when it gave none. */
  answer: string | null;

  static of(to: string, { verdict: result, outcome, code, answer }: AttemptResult): SenderTestDto {
    return { to, result, outcome, code, answer: answer && beginningOf(answer) };
  }
}
