import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
} from '../platform/kernel/errors.js';

export class AccountNotFound extends NotFoundError {
  constructor() {
    super('account_not_found', 'There is no such account.');
  }
}

/** A client, or a token that lacks a right, tried to change the account. */
export class AccountChangeForbidden extends ForbiddenError {
  constructor() {
    super(
      'account_change_forbidden',
      'Only a token of the account itself that has every right may change the account.',
    );
  }
}

export class AccountExists extends ConflictError {
  constructor() {
    super('account_exists', 'There is an account already.');
  }
}

export class LogoNotFound extends NotFoundError {
  constructor() {
    super('logo_not_found', 'There is no such logo; another one may have taken its place.');
  }
}

const LOGO_RULES = {
  too_large: 'must not have more than 100 kB',
  not_a_picture: 'must be a PNG, a JPEG or a WebP',
};

export class LogoRefused extends InvalidInputError {
  constructor(field: string, code: keyof typeof LOGO_RULES) {
    const message = `${field} ${LOGO_RULES[code]}.`;
    super('logo_refused', message, [{ field, code, message }]);
  }
}
