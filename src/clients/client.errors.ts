import { ConflictError, ForbiddenError, NotFoundError } from '../platform/kernel/errors.js';

export class ClientNotFound extends NotFoundError {
  constructor() {
    super('client_not_found', 'Client not found.');
  }
}

export class ClientEmailTaken extends ConflictError {
  constructor() {
    super('client_email_taken', 'Another client of this account has this email address.', [
      {
        field: 'client.email',
        code: 'taken',
        message: 'client.email belongs to another client of this account.',
      },
    ]);
  }
}

/** Clients have no clients of their own. */
export class ClientCreationForbidden extends ForbiddenError {
  constructor() {
    super('client_creation_forbidden', 'A client cannot create clients.');
  }
}
