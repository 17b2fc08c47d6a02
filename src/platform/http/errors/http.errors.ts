import {
  DomainError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  UnsupportedTypeError,
  fact,
} from '../../kernel/errors.js';

export class RouteNotFound extends fact(
  NotFoundError,
  'route_not_found',
  'No route at this address. See /api/docs for all routes.',
) {}

export class MethodNotAllowed extends DomainError {
  constructor(
    method: string,
    readonly allowed: string[],
  ) {
    super(
      'method_not_allowed',
      `${method} is not allowed here. Allowed methods: ${allowed.join(', ')}.`,
    );
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
    super(
      'range_not_satisfiable',
      `The range starts after the end of the file. The file has ${size} bytes.`,
    );
  }
}

export class MalformedBody extends fact(
  MalformedError,
  'malformed_body',
  (detail: string) => detail,
) {}

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
