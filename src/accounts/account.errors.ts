import { ConflictError, NotFoundError } from '../shared/errors.js';

export class AccountNotFound extends NotFoundError {
  constructor() {
    super('account_not_found', 'There is no such account.');
  }
}

export class AccountExists extends ConflictError {
  constructor() {
    super('account_exists', 'There is an account already.');
  }
}
