import { ConflictError, ForbiddenError, NotFoundError } from '../platform/kernel/errors.js';

export class AccountNotFound extends NotFoundError {
  constructor() {
    super('account_not_found', 'There is no such account.');
  }
}

/** Only the owner changes the account: a client never, nor a token that was given some rights. */
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
