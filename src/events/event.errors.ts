import { TooManyRequestsError, UnavailableError } from '../platform/kernel/errors.js';

/** Suggested wait in seconds for a further stream. */
const RETRY_SECONDS = 60;

export class TooManyStreams extends TooManyRequestsError {
  constructor(max: number) {
    super(
      'too_many_streams',
      `You have ${max} event streams open already. One receives all events.`,
      RETRY_SECONDS,
    );
  }
}

/** The limit of a client or of an account. */
export class TooManyStreamsOfAccount extends TooManyRequestsError {
  constructor(max: number) {
    super(
      'too_many_streams',
      `Your account or client has ${max} event streams open already. Poll instead.`,
      RETRY_SECONDS,
    );
  }
}

export class StreamsFull extends UnavailableError {
  constructor() {
    super('streams_full', 'Too many event streams are open. Poll instead.');
  }
}
