import type { Membership } from './membership.entity.js';
import type { Member } from './people.service.js';

/**
 * Tells whether who has a membership may see the pages as somebody of the same account. Another owner sees
 * the same, and who is kept out sees nothing.
 */
export function maySeeAs(own: Membership, { person, membership }: Member): boolean {
  return (
    own.role === 'owner' &&
    membership.role !== 'owner' &&
    membership.disabledAt === null &&
    !person.isDisabled
  );
}
