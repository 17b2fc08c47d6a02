import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
} from '../../platform/kernel/errors.js';

export class PasskeyNotFound extends NotFoundError {
  constructor() {
    super('passkey_not_found', 'You have no such passkey.');
  }
}

/** The same answer whatever is at fault: the key, the challenge, the origin or the person. */
export class PasskeyRefused extends InvalidInputError {
  constructor() {
    const message = 'That passkey does not fit here, or it took too long. Try it once more.';
    super('passkey_refused', message, [{ field: 'credential', code: 'passkey_refused', message }]);
  }
}

/** The authenticator made a passkey that somebody has here already. */
export class PasskeyKnown extends ConflictError {
  constructor() {
    super('passkey_known', 'That passkey is kept here already.', [
      { field: 'credential', code: 'taken', message: 'That passkey is kept here already.' },
    ]);
  }
}

export class TooManyPasskeys extends ConflictError {
  constructor(max: number) {
    super('too_many_passkeys', `You have ${max} passkeys already; remove one first.`);
  }
}

/** Without it the person could not sign in any more. */
export class LastWayIn extends ConflictError {
  constructor() {
    super(
      'last_way_in',
      'This is your last way to sign in. Make another passkey or set a password first.',
    );
  }
}

/** Browsers keep passkeys for https and localhost alone. */
export class PasskeysOff extends ForbiddenError {
  constructor() {
    super(
      'passkeys_off',
      'Passkeys need the service to have an https:// address with a name (BASE_URL), or to run on localhost.',
    );
  }
}
