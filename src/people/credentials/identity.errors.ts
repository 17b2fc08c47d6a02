import { ConflictError, ForbiddenError, NotFoundError } from '../../platform/kernel/errors.js';

export class IdentityNotFound extends NotFoundError {
  constructor() {
    super('identity_not_found', 'Identity not found.');
  }
}

/** Somebody else signs in by that identity. */
export class IdentityTaken extends ConflictError {
  constructor() {
    super('identity_taken', 'Another person already signs in with this identity.');
  }
}

/** The address is of a domain that may not come in through the provider. */
export class IdentityForbidden extends ForbiddenError {
  constructor() {
    super(
      'identity_forbidden',
      'The domain of your address at the provider is not allowed here. Ask the operator to add it to OIDC_ALLOWED_DOMAINS.',
    );
  }
}

/** Nobody has that address, or the provider has not made sure whose it is, or the person is disabled. */
export class IdentityUnknown extends ForbiddenError {
  constructor() {
    super(
      'identity_unknown',
      'No one here uses this identity. Verify your address at the provider and ask an owner for an invitation. Or sign in another way and link the identity under "Account and sign-in".',
    );
  }
}
