import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  fact,
} from '../../platform/kernel/errors.js';

export class PasskeyNotFound extends fact(
  NotFoundError,
  'passkey_not_found',
  'Passkey not found.',
) {}

/** The same answer whatever is at fault: the key, the challenge, the origin or the person. */
export class PasskeyRefused extends InvalidInputError {
  constructor() {
    const message = 'The passkey does not belong here, or the request timed out. Try again.';
    super('passkey_refused', message, [{ field: 'credential', code: 'passkey_refused', message }]);
  }
}

/** The authenticator made a passkey that somebody has here already. */
export class PasskeyKnown extends fact(
  ConflictError,
  'passkey_known',
  'You have already added this passkey.',
  [{ field: 'credential', code: 'taken', message: 'You have already added this passkey.' }],
) {}

export class TooManyPasskeys extends fact(
  ConflictError,
  'too_many_passkeys',
  (max: number) => `You have ${max} passkeys already. Remove one first.`,
) {}

/** Without it the person could not sign in any more. */
export class LastWayIn extends fact(
  ConflictError,
  'last_way_in',
  'This is your last way to sign in. Add another passkey or set a password first.',
) {}

/** Browsers keep passkeys for https and localhost alone. */
export class PasskeysOff extends fact(
  ForbiddenError,
  'passkeys_off',
  'Passkeys need an https:// address with a host name. Set it in BASE_URL, or run the service on localhost.',
) {}

export class IdentityNotFound extends fact(
  NotFoundError,
  'identity_not_found',
  'Identity not found.',
) {}

/** Somebody else signs in by that identity. */
export class IdentityTaken extends fact(
  ConflictError,
  'identity_taken',
  'Another person already signs in with this identity.',
) {}

/** The address is of a domain that may not come in through the provider. */
export class IdentityForbidden extends fact(
  ForbiddenError,
  'identity_forbidden',
  'The domain of your address at the provider is not allowed here. Ask the operator to add it to OIDC_ALLOWED_DOMAINS.',
) {}

/** Nobody has that address, or the provider has not made sure whose it is, or the person is disabled. */
export class IdentityUnknown extends fact(
  ForbiddenError,
  'identity_unknown',
  'No one here uses this identity. Verify your address at the provider and ask an owner for an invitation. Or sign in another way and link the identity under "Account and sign-in".',
) {}
