import { ConflictError, ForbiddenError, NotFoundError } from '../platform/kernel/errors.js';

export class AccountNotFound extends NotFoundError {
  constructor() {
    super('account_not_found', 'Account not found.');
  }
}

/** A client, or a token that lacks a right, tried to change the account. */
export class AccountChangeForbidden extends ForbiddenError {
  constructor() {
    super(
      'account_change_forbidden',
      'Only a token of the account itself with all rights can change the account.',
    );
  }
}

export class AccountExists extends ConflictError {
  constructor() {
    super('account_exists', 'An account already exists.');
  }
}
