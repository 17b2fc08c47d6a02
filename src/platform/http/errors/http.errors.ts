import {
  DomainError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  UnsupportedTypeError,
  fact,
  SignInRequired,
  type Challenging,
  AuthenticationRequired,
  InvalidToken,
  MalformedCredentials,
  SessionRequired,
  ConflictError,
  ForbiddenError,
  GoneError,
  InsufficientStorageError,
  InvalidInputError,
} from '../../kernel/errors.js';

export class RouteNotFound extends fact(
  NotFoundError,
  'route_not_found',
  'No route at this address. See /docs for all routes.',
) {}

export class MethodNotAllowed extends DomainError {
  constructor(
    method: string,
    readonly allowed: string[],
  ) {
    super('method_not_allowed', `${method} is not allowed here. Allowed methods: ${allowed.join(', ')}.`);
  }
}

export class NotAcceptable extends fact(
  DomainError,
  'not_acceptable',
  (type: string) => `This is an event stream. Request it with the header "Accept: ${type}".`,
) {}

/** A `Range` that begins behind the end of a file. */
export class RangeNotSatisfiable extends DomainError {
  /** @param size of the file, in bytes */
  constructor(readonly size: number) {
    super('range_not_satisfiable', `The range starts after the end of the file. The file has ${size} bytes.`);
  }
}

export class MalformedBody extends fact(MalformedError, 'malformed_body', (detail: string) => detail) {}

export class BodyTooLarge extends fact(
  TooLargeError,
  'body_too_large',
  (limit: number) => `The body is too large. The limit is ${limit} bytes.`,
) {}

export class UnsupportedMediaType extends fact(
  UnsupportedTypeError,
  'unsupported_media_type',
  'Send the body as JSON, with the header "Content-Type: application/json".',
) {}

export class MalformedRequest extends fact(
  MalformedError,
  'malformed_request',
  'The request is malformed. Check its address and headers.',
) {}

/** Suggested wait in seconds, after which most bodies under way have been read. */
const BODIES_RETRY_SECONDS = 5;

export class TooManyBodiesOfAccount extends fact(
  TooManyRequestsError,
  'too_many_at_once',
  'Too many requests of your account at the same time. Send them one after another.',
  BODIES_RETRY_SECONDS,
) {}

export class TooManyBodiesOfNetwork extends fact(
  TooManyRequestsError,
  'too_many_at_once',
  'Too many requests from your network at the same time. Try again in a moment.',
  BODIES_RETRY_SECONDS,
) {}

/** A small body of which a part did not come. The connection is closed, as it is by Node after its own time. */
export class BodyTooSlow extends fact(
  DomainError,
  'body_too_slow',
  'The body did not arrive in time. Send it again.',
) {}

export class TooManyBodies extends fact(
  UnavailableError,
  'overloaded',
  'Too many requests at the same time. Try again in a moment.',
) {}

/** Suggested wait after a 503, in seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Returns the headers that go with an error, in every kind of response. */
export function errorHeaders(error: DomainError | null): [string, string][] {
  if (error === null) return [];
  if (isChallenging(error)) return [['WWW-Authenticate', error.challenge]];
  if (error instanceof SignInRequired) return [['Location', error.location]];
  if (error instanceof MethodNotAllowed) return [['Allow', error.allowed.join(', ')]];
  if (error instanceof RangeNotSatisfiable) return [['Content-Range', `bytes */${error.size}`]];
  if (error instanceof TooManyRequestsError) {
    return [['Retry-After', String(error.retryAfterSeconds)]];
  }
  if (error instanceof UnavailableError) return [['Retry-After', String(RETRY_AFTER_SECONDS)]];
  return [];
}

function isChallenging(error: DomainError): error is DomainError & Challenging {
  return 'challenge' in error;
}

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
export function statusOf(error: DomainError) {
  for (const [kind, status] of STATUSES) if (error instanceof kind) return status;
  return 500;
}
