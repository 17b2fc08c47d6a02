import { ForbiddenError, fact } from '../platform/kernel/errors.js';
import type { Action } from './roles.js';

/** The person's role lacks the right that the page needs. */
export class NotAllowedHere extends fact(
  ForbiddenError,
  'not_allowed_here',
  'You do not have permission to do this. Ask an owner of the account.',
) {}

/** The person's membership lacks the action that the page needs. */
export class ActionForbidden extends fact(
  ForbiddenError,
  'action_forbidden',
  (action: Action) => `You do not have permission to ${action} submissions here. Ask an owner.`,
) {}

/** A way for a person to confirm their identity. */
export type ProofWay = 'passkey' | 'password' | 'code';

/** The page needs a passkey, password or code that was shown within the last ten minutes. */
export class ProofRequired extends ForbiddenError {
  constructor(
    /** The ways this person has. */
    readonly ways: readonly ProofWay[],
  ) {
    super('proof_required', 'Confirm it’s you to continue.');
  }
}

/** The page is not for an owner who sees the pages as somebody else. */
export class OnlyLooking extends fact(
  ForbiddenError,
  'only_looking',
  'You are viewing as someone else. You cannot change anything, and their personal pages stay closed.',
) {}

/** A changing request came from another site, or does not say from where. */
export class ForeignRequest extends fact(
  ForbiddenError,
  'foreign_request',
  'This request did not come from a page of this service. Open the page again and repeat it there.',
) {}
