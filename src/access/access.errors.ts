import { ForbiddenError } from '../platform/kernel/errors.js';
import type { Action } from './roles.js';

/** The person's role does not go that far. */
export class NotAllowedHere extends ForbiddenError {
  constructor() {
    super('not_allowed_here', 'You may not do this here; an owner of the account can allow it.');
  }
}

/** The person is not allowed to do this with submissions. */
export class ActionForbidden extends ForbiddenError {
  constructor(action: Action) {
    super('action_forbidden', `You may not ${action} submissions here; an owner can allow it.`);
  }
}

/** What was asked for needs a proof, not older than a few minutes, of who asks. */
export class ProofRequired extends ForbiddenError {
  constructor() {
    super('proof_required', 'Show once more who you are to go on.');
  }
}

/** A request that changes something came from another site, or from nobody knows where. */
export class ForeignRequest extends ForbiddenError {
  constructor() {
    super(
      'foreign_request',
      'This request does not come from a page of this service; open the page again and repeat it there.',
    );
  }
}
