import { ConflictError, ForbiddenError, NotFoundError, fact } from '../platform/index.js';

export class ClientNotFound extends fact(NotFoundError, 'client_not_found', 'Client not found.') {}

export class ClientEmailTaken extends fact(
  ConflictError,
  'client_email_taken',
  'Another client of this account has this email address.',
  [{ field: 'client.email', code: 'taken', message: 'client.email belongs to another client of this account.' }],
) {}

/** Clients have no clients of their own. */
export class ClientCreationForbidden extends fact(
  ForbiddenError,
  'client_creation_forbidden',
  'A client cannot create clients.',
) {}
