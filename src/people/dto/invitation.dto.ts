import { asked, listOf } from '../../platform/http/wrapped.js';
import type { Action, Role } from '../../access/roles.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Flag, Optional, Parsed, Required, Text } from '../../platform/kernel/validation.js';
import type { IssuedInvitation } from '../invitations/invitations.service.js';
import type { Standing } from '../members/membership.entity.js';
import type { SignInLink } from '../links/sign-in-link.entity.js';
import { ActionNames, RoleName, withSee } from './change-member.dto.js';

const NAME_MAX = 255;

/** Returns null for a name that holds a web address, which a mail would show as a link of the service. */
function withoutAddress(name: unknown): unknown {
  return typeof name === 'string' && name.includes('://') ? null : name;
}

class InviteeDto {
  /** Where the invitation goes, and what the person will sign in with. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;

  /** Name of the person, 1 to 255 characters, without a web address; they can change it. */
  @Parsed(
    'not_a_name',
    withoutAddress,
    'must not contain "://", because the name appears in the email',
  )
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
