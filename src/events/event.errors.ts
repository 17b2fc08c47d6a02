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

export class StreamsFull extends UnavailableError {
  constructor() {
    super('streams_full', 'Too many listen at the moment; ask from time to time instead.');
  }
}
