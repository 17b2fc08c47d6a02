import {
  AuthenticationRequired,
  InvalidToken,
  MalformedCredentials,
  SignInRequired,
} from '../kernel/credentials.errors.js';
import type { DomainError } from '../kernel/errors.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  UnsupportedTypeError,
} from '../kernel/errors.js';
import { MethodNotAllowed } from './http.errors.js';

/** The HTTP status of each kind of error; the only place that knows. */
const STATUSES = new Map<abstract new (...args: never[]) => DomainError, number>([
  [SignInRequired, 303],
  [MalformedCredentials, 400],
  [MalformedError, 400],
  [AuthenticationRequired, 401],
  [InvalidToken, 401],
  [ForbiddenError, 403],
  [NotFoundError, 404],
  [MethodNotAllowed, 405],
  [ConflictError, 409],
  [TooLargeError, 413],
  [UnsupportedTypeError, 415],
  [InvalidInputError, 422],
  [TooManyRequestsError, 429],
  [UnavailableError, 503],
]);

/** The status to tell an error with; 500 for one of no known kind. */
export function statusOf(error: DomainError): number {
  for (const [kind, status] of STATUSES) if (error instanceof kind) return status;
  return 500;
}
