import type { SignInLink } from '../../people/links/sign-in-link.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { InvitationRow } from './people.page.js';

/** Returns an open invitation as lists show it. @param clients their names by id */
export function invitationRow(invitation: SignInLink, clients: Map<number, string>): InvitationRow {
  const { id, name, email, standing, expiresAt } = invitation;
  const as =
    standing.clientId === null
      ? { role: standing.role }
      : { client: clients.get(standing.clientId) ?? '' };
  return { id: formatUuid(id), name, email, as, expiresAt };
}
