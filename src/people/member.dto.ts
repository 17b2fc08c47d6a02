import { asked, listOf } from '../platform/http/index.js';
import { type Action, type Role, ACTIONS, ROLES } from '../accounts/access/index.js';
import { parseEmailAddress, formatUuid, Flag, Optional, Parsed, Required, Text } from '../platform/index.js';
import type { IssuedInvitation } from './invitations/invitations.service.js';
import type { Standing } from './members/membership.entity.js';
import type { SignInLink } from './links/sign-in-link.entity.js';
import type { Session } from './sessions/session.entity.js';
import type { Member } from './members/members.service.js';
import type { Identity } from './credentials/credential.entity.js';
import { beginningOf, type AttemptResult, type OutcomeName } from '../deliveries/model/outcome.js';
import { ArrayUnique, IsArray, IsIn } from 'class-validator';

/** Checks for one of the roles. */
const RoleName = () => IsIn(ROLES, { message: `must be one of ${ROLES.join(', ')}` });

/** Checks for a list of actions on submissions. */
function ActionNames(): PropertyDecorator {
  const decorators = [
    IsIn(ACTIONS, { each: true, message: `must contain only these actions: ${ACTIONS.join(', ')}` }),
    ArrayUnique({ message: 'must not contain an action twice' }),
    IsArray({ message: 'must be a list of actions' }),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** Adds `see`, which every other action needs. */
export function withSee(actions: readonly Action[]): Action[] {
  return ACTIONS.filter((action) => action === 'see' || actions.includes(action));
}

/** Changes to a member. Absent fields stay as they are. */
class MemberChangesDto {
  /** `owner`, `editor` or `viewer`. */
  @RoleName()
  @Optional()
  role?: Role;

  /** True keeps the person from acting in this account, at once; false lets them again. */
  @Flag()
  @Optional()
  disabled?: boolean;
}

export class ChangeMemberDto extends asked('person', MemberChangesDto) {}

/** Changes to a person of a client. Absent fields stay as they are. */
class ClientMemberChangesDto {
  /** Permissions of the person: `see` (always), `triage`, `export`, `erase`. They replace the old list. */
  @ActionNames()
  @Optional()
  actions?: Action[];

  /** True keeps the person from acting for this client, at once; false lets them again. */
  @Flag()
  @Optional()
  disabled?: boolean;
}

export class ChangeClientMemberDto extends asked('person', ClientMemberChangesDto) {}

const NAME_MAX = 255;

/** Returns null for a name that holds a web address, which a mail would show as a link of the service. */
function withoutAddress(name: unknown) {
  return typeof name === 'string' && name.includes('://') ? null : name;
}

class InviteeDto {
  /** Where the invitation goes, and what the person will sign in with. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;

  /** Name of the person, 1 to 255 characters, without a web address; they can change it. */
  @Parsed('not_a_name', withoutAddress, 'must not contain "://", because the name appears in the email')
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Required()
  name: string;

  /** True (as when left out) mails the link; false hands it to you, to be passed on by yourself. */
  @Flag()
  @Optional()
  send?: boolean;
}

/** How an invitation goes out once more. */
export class ResendDto {
  /** True (as when left out) mails the link; false hands it to you, to be passed on by yourself. */
  @Flag()
  @Optional()
  send?: boolean;
}

class MemberInviteeDto extends InviteeDto {
  /** `owner`, `editor` or `viewer`. */
  @RoleName()
  @Required()
  role: Role;
}

export class InviteMemberDto extends asked('person', MemberInviteeDto) {
  static standing({ person }: InviteMemberDto): Standing {
    return { clientId: null, role: person.role };
  }
}

class ClientMemberInviteeDto extends InviteeDto {
  /** Permissions of the person: `see` (always), `triage`, `export`, `erase`; only `see` by default. */
  @ActionNames()
  @Optional()
  actions?: Action[];
}

export class InviteClientMemberDto extends asked('person', ClientMemberInviteeDto) {
  static standing({ person }: InviteClientMemberDto, clientId: number): Standing {
    return { clientId, actions: withSee(person.actions ?? []) };
  }
}

/** An invitation that nobody has accepted yet. */
export class InvitationDto {
  id: string;
  email: string;
  name: string;
  /** The role in the account; null for a person of a client. */
  role: Role | null;
  /** The client that the person is to act for; null for the account itself. */
  client_id: number | null;
  /** Permissions of a person of a client; null for a member of the account. */
  actions: Action[] | null;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** When the link stops working, ISO 8601 in UTC. */
  expires_at: string;

  static of(link: SignInLink): InvitationDto {
    const standing = link.standing;
    return {
      id: formatUuid(link.id),
      email: link.email,
      name: link.name,
      role: standing.clientId === null ? standing.role : null,
      client_id: standing.clientId,
      actions: standing.clientId === null ? null : [...standing.actions],
      created_at: link.createdAt.toISOString(),
      expires_at: link.expiresAt.toISOString(),
    };
  }
}

/** An invitation as the answer to its creation shows it. */
export class IssuedInvitationDto extends InvitationDto {
  /** The link to pass on, shown only now; null when it was mailed. */
  link: string | null;

  static issued({ invitation, link }: IssuedInvitation): IssuedInvitationDto {
    return Object.assign(InvitationDto.of(invitation), { link });
  }
}

export class InvitationListDto extends listOf('invitations', InvitationDto) {}

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
    return { way, began_at: createdAt.toISOString(), last_seen_at: lastSeenAt.toISOString() };
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
