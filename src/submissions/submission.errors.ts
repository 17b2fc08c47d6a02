import {
  ConflictError,
  NotFoundError,
  TooLargeError,
  UnavailableError,
} from '../platform/kernel/errors.js';

export class SubmissionNotFound extends NotFoundError {
  constructor() {
    super('submission_not_found', 'There is no such submission.');
  }
}

/** More submissions wait to be stored than are taken in at once. */
export class WriterOverloaded extends UnavailableError {
  constructor() {
    super('overloaded', 'Too many submissions are arriving at once; try again in a moment.');
  }
}

/** Another request with the same idempotency key was stored first. */
export class IdempotencyKeyTaken extends ConflictError {
  constructor() {
    super('idempotency_key_taken', 'This idempotency key has just been used.');
  }
}

/** No statement could carry it to the database. */
export class SubmissionTooLong extends TooLargeError {
  constructor() {
    super('too_large', 'The texts of the submission are longer than can be stored.');
  }
}
