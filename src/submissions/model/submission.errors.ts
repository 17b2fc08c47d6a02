import { ENGLISH, type Said } from '../../languages/words.js';
import type { Form } from '../../forms/model/form.entity.js';
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
  type FieldProblem,
  fact,
} from '../../platform/index.js';

/** Suggested wait in seconds for a further export. */
const RETRY_SECONDS = 10;

export class SubmissionNotFound extends fact(NotFoundError, 'submission_not_found', 'Submission not found.') {}

export class ValueNotFound extends fact(NotFoundError, 'value_not_found', 'This submission has no such value.') {}

/** Nobody was asked to confirm the submission. */
export class NotAsked extends fact(
  ConflictError,
  'not_asked',
  'This submission does not wait for its visitor: nobody was asked.',
) {}

/** The link of a mail that asks a visitor to confirm was altered, has expired, or its submission is gone. */
export class OptInLinkBroken extends NotFoundError {
  /** @param form whose visitor was asked; null where nobody knows that any more */
  constructor(readonly form: Form | null) {
    super('confirmation_link_broken', ENGLISH.say('error.confirmation_link_broken'));
  }
}

/** New values of a submission break a limit of submitted ones. */
export class ValuesRefused extends InvalidInputError {
  constructor(problem: string) {
    super('invalid_values', `The values were not changed. ${problem}`, [
      { field: 'values', code: 'invalid_values', message: problem },
    ]);
  }
}

export class NoteNotFound extends fact(NotFoundError, 'note_not_found', 'Note not found on this submission.') {}

/** Nothing in the scope was sent under the address. */
export class VisitorNotFound extends fact(NotFoundError, 'visitor_not_found', 'No submissions from this address.') {}

/** A submission has as many notes as it may have. */
export class TooManyNotes extends fact(
  ConflictError,
  'too_many_notes',
  (max: number) => `A submission can have up to ${max} notes. Remove one first.`,
) {}

export class JobNotFound extends fact(NotFoundError, 'job_not_found', 'Job not found.') {}

/** So many jobs are under way already. */
export class TooManyJobs extends fact(
  ConflictError,
  'too_many_jobs',
  (max: number) => `Up to ${max} jobs can run at the same time. Wait for one to finish, or stop it.`,
) {}

/** The files of exports of an account take all the room there is. */
export class ExportsFull extends fact(
  InsufficientStorageError,
  'exports_full',
  'The exports of this account use all their disk space. Wait until some expire, or export fewer columns or submissions.',
) {}

/** Submissions were erased each time while an export was written. */
export class ErasedMeanwhile extends fact(
  ConflictError,
  'erased_meanwhile',
  'Someone erased submissions of the form each time we wrote this file. Export again later, or export fewer submissions.',
) {}

/** The disk has no room for the file of an export. */
export class ExportDiskFull extends UnavailableError {
  /** @param cause the error of the disk, for the log */
  constructor(override readonly cause?: unknown) {
    super('export_disk_full', 'The disk is full. Ask the operator to free space, then export again.');
  }
}

/** An export that has no file: not yet, or not any more. */
export class ExportGone extends fact(
  NotFoundError,
  'export_gone',
  'This export has no file. It is not finished, has expired, or someone erased submissions in it.',
) {}

/** A request names nothing to change. */
export class NothingToChange extends InvalidInputError {
  constructor() {
    const message = 'changes must contain at least one change';
    super('nothing_to_change', `${message}.`, [{ field: 'changes', code: 'nothing_to_change', message }]);
  }
}

/** The maker of a job has lost the permission for it. */
export class NoLongerAllowed extends fact(
  ForbiddenError,
  'no_longer_allowed',
  'The person who started this job no longer has permission, or no longer sees one of its forms.',
) {}

/** The person is unknown, or does not see the form. */
export class UnknownAssignee extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} must be the id of a person with access to the form`;
    super('unknown_assignee', `${message}.`, [{ field, code: 'unknown_assignee', message }]);
  }
}

/** A line of a filter has parts that nobody can understand. */
export class FilterUnclear extends InvalidInputError {
  /** @param parts as they were typed */
  constructor(readonly parts: readonly string[]) {
    const hint = parts.some((part) => part.startsWith('-'))
      ? '; it is not possible to leave a word out, and quotes search for it as it is'
      : '';
    const message = `q contains unknown filters: ${parts.join(' ')}${hint}`;
    super('filter_unclear', `${message}.`, [{ field: 'q', code: 'filter_unclear', message }]);
  }
}

/** The queue is full; see QUEUE_WAIT_MS. */
export class WriterOverloaded extends fact(UnavailableError, 'overloaded', ENGLISH.say('error.overloaded')) {}

/** Another search of the same reader is under way. */
export class SearchUnderWay extends fact(
  TooManyRequestsError,
  'search_under_way',
  'Your previous search is still running. Wait for it to finish.',
  2,
) {}

/** The token, person, client or account is sent as many exports as it may be. */
export class TooManyExports extends fact(
  TooManyRequestsError,
  'too_many_exports',
  (max: number) => `Your token, client or account is already downloading ${max} exports. Wait for one to finish.`,
  RETRY_SECONDS,
) {}

/** Searches of others are under way, and more would take the database from visitors. */
export class SearchesBusy extends fact(
  UnavailableError,
  'searches_busy',
  'Too many searches are running. Try again in a moment.',
) {}

/** The files of the account take all that they may; nothing was stored. */
export class AccountFilesFull extends fact(
  InsufficientStorageError,
  'account_files_full',
  ENGLISH.say('error.account_files_full'),
) {}

/** Another request with the same idempotency key was stored first. */
export class IdempotencyKeyTaken extends fact(
  ConflictError,
  'idempotency_key_taken',
  'This idempotency key has just been used.',
) {}

/** It is larger than one statement can carry. */
export class SubmissionTooLong extends fact(TooLargeError, 'too_large', ENGLISH.say('error.texts_too_large')) {
  readonly said: Said = { key: 'error.texts_too_large', values: {} };
}

export class IdempotencyKeyMalformed extends fact(
  MalformedError,
  'idempotency_key_malformed',
  'An idempotency key must have 1 to 255 characters.',
) {}

/** The key was used before, for something else. */
export class IdempotencyKeyReused extends fact(
  InvalidInputError,
  'idempotency_key_reused',
  'This idempotency key belongs to another submission. Send a new key.',
) {}

export class IdempotencyConflict extends fact(
  ConflictError,
  'idempotency_conflict',
  'The same submission is being stored. Try again in a moment.',
) {}

/** The answers of a visitor, to be shown once more. */
interface Answers {
  /** Texts of the fields as they were sent, without special ones such as honeypots and tokens. */
  values: readonly { name: string; text: string }[];
  files: readonly { field: string; name: string }[];
}

/** A submission breaks rules for the fields of its form, and its visitor can correct it. */
export class FieldsRefused extends InvalidInputError {
  constructor(
    problems: FieldProblem[],
    readonly form: Readonly<Form>,
    readonly answers: Answers,
  ) {
    super('invalid_fields', ENGLISH.say('error.invalid_fields'), problems);
  }
}
