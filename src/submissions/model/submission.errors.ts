import {
  ConflictError,
  ForbiddenError,
  InsufficientStorageError,
  InvalidInputError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
} from '../../platform/kernel/errors.js';

/** Suggested wait in seconds for a further export. */
const RETRY_SECONDS = 10;

export class SubmissionNotFound extends NotFoundError {
  constructor() {
    super('submission_not_found', 'There is no such submission.');
  }
}

export class ValueNotFound extends NotFoundError {
  constructor() {
    super('value_not_found', 'This submission has no such value.');
  }
}

export class NoteNotFound extends NotFoundError {
  constructor() {
    super('note_not_found', 'There is no such note on this submission.');
  }
}

/** Nothing in the scope was sent under the address. */
export class VisitorNotFound extends NotFoundError {
  constructor() {
    super('visitor_not_found', 'Nothing is stored under this address.');
  }
}

/** A submission has as many notes as it may have. */
export class TooManyNotes extends ConflictError {
  constructor(max: number) {
    super('too_many_notes', `A submission has at most ${max} notes; remove one first.`);
  }
}

export class JobNotFound extends NotFoundError {
  constructor() {
    super('job_not_found', 'There is no such job.');
  }
}

/** So many jobs are under way already. */
export class TooManyJobs extends ConflictError {
  constructor(max: number) {
    super('too_many_jobs', `At most ${max} jobs are under way at once; wait for one, or stop it.`);
  }
}

/** The files of exports of an account take all the room there is. */
export class ExportsFull extends InsufficientStorageError {
  constructor() {
    super(
      'exports_full',
      'The exports of this account take all the room they have; wait until some expire, or choose columns or a part.',
    );
  }
}

/** Submissions were erased each time while an export was written. */
export class ErasedMeanwhile extends ConflictError {
  constructor() {
    super(
      'erased_meanwhile',
      'Submissions of the form were erased each time while this was written. Ask for it again later, or for a part.',
    );
  }
}

/** The disk has no room for the file of an export. */
export class ExportDiskFull extends UnavailableError {
  /** @param cause the error of the disk, for the log */
  constructor(override readonly cause?: unknown) {
    super(
      'export_disk_full',
      'The disk has no room for the file of an export; ask the operator to free some, and export again.',
    );
  }
}

/** An export that has no file: not yet, or not any more. */
export class ExportGone extends NotFoundError {
  constructor() {
    super(
      'export_gone',
      'This export has no file: it is not finished, has expired, or what it held was erased.',
    );
  }
}

/** A request names nothing to change. */
export class NothingToChange extends InvalidInputError {
  constructor() {
    const message = 'changes must name something to change';
    super('nothing_to_change', `${message}.`, [
      { field: 'changes', code: 'nothing_to_change', message },
    ]);
  }
}

/** Whoever made a job may no longer do what it does. */
export class NoLongerAllowed extends ForbiddenError {
  constructor() {
    super(
      'no_longer_allowed',
      'Whoever made this job may no longer do this, or no longer sees a form of it.',
    );
  }
}

/** The person is unknown, or does not see the form. */
export class UnknownAssignee extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} must be the id of a person who sees the form`;
    super('unknown_assignee', `${message}.`, [{ field, code: 'unknown_assignee', message }]);
  }
}

/** A line of a filter has parts that nobody can understand. */
export class FilterUnclear extends InvalidInputError {
  /** @param parts as they were typed */
  constructor(readonly parts: readonly string[]) {
    const message = `q has parts that cannot be understood: ${parts.join(' ')}`;
    super('filter_unclear', `${message}.`, [{ field: 'q', code: 'filter_unclear', message }]);
  }
}

/** The queue is full; see QUEUE_WAIT_MS. */
export class WriterOverloaded extends UnavailableError {
  constructor() {
    super('overloaded', 'Too many submissions are arriving at once; try again in a moment.');
  }
}

/** Another search of the same reader is under way. */
export class SearchUnderWay extends TooManyRequestsError {
  constructor() {
    super('search_under_way', 'Another search of yours is under way; wait until it has ended.', 2);
  }
}

/** The token, person, client or account is sent as many exports as it may be. */
export class TooManyExports extends TooManyRequestsError {
  constructor(max: number) {
    super(
      'too_many_exports',
      `You, your client or your account read ${max} exports already; wait until one has ended.`,
      RETRY_SECONDS,
    );
  }
}

/** Searches of others are under way, and more would take the database from visitors. */
export class SearchesBusy extends UnavailableError {
  constructor() {
    super('searches_busy', 'Too many searches are under way; try again in a moment.');
  }
}

/** The files of the account take all that they may; nothing was stored. */
export class AccountFilesFull extends InsufficientStorageError {
  constructor() {
    super(
      'account_files_full',
      'There is no room left for the files of this form. Send it without files, and tell its owner.',
    );
  }
}

/** Another request with the same idempotency key was stored first. */
export class IdempotencyKeyTaken extends ConflictError {
  constructor() {
    super('idempotency_key_taken', 'This idempotency key has just been used.');
  }
}

/** It is larger than one statement can carry. */
export class SubmissionTooLong extends TooLargeError {
  constructor() {
    super('too_large', 'The texts of the submission are longer than can be stored.');
  }
}

export class IdempotencyKeyMalformed extends MalformedError {
  constructor() {
    super('idempotency_key_malformed', 'An idempotency key must have 1 to 255 characters.');
  }
}

/** The key was used before, for something else. */
export class IdempotencyKeyReused extends InvalidInputError {
  constructor() {
    super(
      'idempotency_key_reused',
      'This idempotency key was used for another submission; send a new one.',
    );
  }
}

export class IdempotencyConflict extends ConflictError {
  constructor() {
    super('idempotency_conflict', 'The same submission is being stored; try again in a moment.');
  }
}
