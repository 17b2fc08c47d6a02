import { TooManyRequestsError, UnavailableError } from '../platform/kernel/errors.js';

/** Suggested wait in seconds for a further stream. */
const RETRY_SECONDS = 60;

export class TooManyStreams extends TooManyRequestsError {
  constructor(max: number) {
    super(
      'too_many_streams',
      `You listen on ${max} event streams already; one tells all.`,
      RETRY_SECONDS,
    );
  }
}

/** The limit of a client or of an account. */
export class TooManyStreamsOfAccount extends TooManyRequestsError {
  constructor(max: number) {
    super(
      'too_many_streams',
      `Your account, or client, listens on ${max} event streams already; ask from time to time instead.`,
      RETRY_SECONDS,
    );
  }
}

export class StreamsFull extends UnavailableError {
  constructor() {
    super('streams_full', 'Too many listen at the moment; ask from time to time instead.');
  }
}
