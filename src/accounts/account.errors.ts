import { ConflictError, ForbiddenError, NotFoundError, fact } from '../platform/index.js';

export class AccountNotFound extends fact(NotFoundError, 'account_not_found', 'Account not found.') {}

/** A client, or a token that lacks a right, tried to change the account. */
export class AccountChangeForbidden extends fact(
  ForbiddenError,
  'account_change_forbidden',
  'Only a token of the account itself with all rights can change the account.',
) {}

export class AccountExists extends fact(ConflictError, 'account_exists', 'An account already exists.') {}
