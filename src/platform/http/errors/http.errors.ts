import {
  DomainError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  UnsupportedTypeError,
} from '../../kernel/errors.js';

export class RouteNotFound extends NotFoundError {
  constructor() {
    super('route_not_found', 'There is nothing at this address; /api/docs lists what there is.');
  }
}

export class MethodNotAllowed extends DomainError {
  constructor(
    method: string,
    readonly allowed: string[],
  ) {
    super('method_not_allowed', `${method} is not possible here; possible: ${allowed.join(', ')}.`);
  }
}

export class NotAcceptable extends DomainError {
  constructor(type: string) {
    super(
      'not_acceptable',
      `This is an endless stream; ask for it with the header "Accept: ${type}".`,
    );
  }
}

/** A `Range` that begins behind the end of a file. */
export class RangeNotSatisfiable extends DomainError {
  /** @param size of the file, in bytes */
  constructor(readonly size: number) {
    super(
      'range_not_satisfiable',
      `The range begins behind the end of the file, which has ${size} bytes.`,
    );
  }
}

export class MalformedBody extends MalformedError {
  constructor(detail: string) {
    super('malformed_body', detail);
  }
}

export class BodyTooLarge extends TooLargeError {
  constructor(limit: number) {
    super('body_too_large', `The body is larger than the ${limit} bytes that are taken here.`);
  }
}

export class UnsupportedMediaType extends UnsupportedTypeError {
  constructor() {
    super(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
}

export class MalformedRequest extends MalformedError {
  constructor() {
    super('malformed_request', 'The request cannot be read; check its address and headers.');
  }
}

/** Suggested wait in seconds, after which most bodies under way have been read. */
const BODIES_RETRY_SECONDS = 5;

export class TooManyBodiesOfAccount extends TooManyRequestsError {
  constructor() {
    super(
      'too_many_at_once',
      'Too many requests of your account are being sent at once; send them one after another.',
      BODIES_RETRY_SECONDS,
    );
  }
}

export class TooManyBodiesOfNetwork extends TooManyRequestsError {
  constructor() {
    super(
      'too_many_at_once',
      'Too many requests of your network are being sent at once; try again in a moment.',
      BODIES_RETRY_SECONDS,
    );
  }
}

/** A small body of which a part did not come. The connection is closed, as it is by Node after its own time. */
export class BodyTooSlow extends DomainError {
  constructor() {
    super('body_too_slow', 'The body did not arrive in time; send it again.');
  }
}

export class TooManyBodies extends UnavailableError {
  constructor() {
    super('overloaded', 'Too many requests are being sent at once; try again in a moment.');
  }
}
