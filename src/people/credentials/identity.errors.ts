import { ConflictError, ForbiddenError, NotFoundError } from '../../platform/kernel/errors.js';

export class IdentityNotFound extends NotFoundError {
  constructor() {
    super('identity_not_found', 'This person has no such identity at a provider.');
  }
}

/** Somebody else signs in by that identity. */
export class IdentityTaken extends ConflictError {
  constructor() {
    super('identity_taken', 'Somebody signs in by that identity already.');
  }
}

/** The address is of a domain that may not come in through the provider. */
export class IdentityForbidden extends ForbiddenError {
  constructor() {
    super(
      'identity_forbidden',
      'Your address at the provider may not sign in here. Whoever runs this service decides by OIDC_ALLOWED_DOMAINS.',
    );
  }
}

/** Nobody has that address, or the provider has not made sure whose it is, or the person is disabled. */
export class IdentityUnknown extends ForbiddenError {
  constructor() {
    super(
      'identity_unknown',
      'Nobody signs in here by that identity. Your address has to be verified at the provider, and known here: ask an owner for an invitation, or sign in another way and link the identity on the page "Account and sign-in".',
    );
  }
}
