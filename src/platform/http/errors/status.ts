import {
  AuthenticationRequired,
  InvalidToken,
  MalformedCredentials,
  SessionRequired,
  SignInRequired,
} from '../../kernel/credentials.errors.js';
import {
  type DomainError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InsufficientStorageError,
  InvalidInputError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  UnsupportedTypeError,
} from '../../kernel/errors.js';
import {
  BodyTooSlow,
  MethodNotAllowed,
  NotAcceptable,
  RangeNotSatisfiable,
} from './http.errors.js';

/** The HTTP status of each family of errors. `problem.filter.ts` turns errors of the framework into these. */
const STATUSES = new Map<abstract new (...args: never[]) => DomainError, number>([
  [SignInRequired, 303],
  [MalformedCredentials, 400],
  [MalformedError, 400],
  [AuthenticationRequired, 401],
  [InvalidToken, 401],
  [SessionRequired, 401],
  [ForbiddenError, 403],
  [NotFoundError, 404],
  [MethodNotAllowed, 405],
  [NotAcceptable, 406],
  [BodyTooSlow, 408],
  [ConflictError, 409],
  [GoneError, 410],
  [TooLargeError, 413],
  [UnsupportedTypeError, 415],
  [RangeNotSatisfiable, 416],
  [InvalidInputError, 422],
  [TooManyRequestsError, 429],
  [UnavailableError, 503],
  [InsufficientStorageError, 507],
]);

/** Returns the status of an error; 500 for one of no known family. */
export function statusOf(error: DomainError): number {
  for (const [kind, status] of STATUSES) if (error instanceof kind) return status;
  return 500;
}
