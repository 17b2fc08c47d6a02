import {
  type DomainError,
  InvalidInputError,
  MalformedError,
  TooLargeError,
  TooManyRequestsError,
  UnsupportedTypeError,
  fact,
} from '../../platform/index.js';
import { ENGLISH, type Said } from '../../languages/words.js';
import { IdempotencyKeyMalformed } from '../../submissions/model/submission.errors.js';

/** Errors that visitors see. Their codes are in capitals, for client scripts to compare. */

/** The body is malformed for its encoding. */
export class UnreadableSubmission extends fact(MalformedError, 'unreadable', (detail: string) => detail) {}

/** A script sent the text of an object in place of what the visitor typed. */
export class TextOfObject extends fact(
  MalformedError,
  'text_of_object',
  (text: string) =>
    `A script turned the form into the text "${text.slice(0, 40)}", so nothing of what you typed arrived. For the owner: send \`body: new FormData(form)\` without a header Content-Type, or \`JSON.stringify(Object.fromEntries(new FormData(form)))\` as application/json.`,
) {}

/** The encoding of the body is not supported. */
export class UnknownEncoding extends fact(UnsupportedTypeError, 'unknown_encoding', (detail: string) => detail) {}

/** The submission as a whole, or its files, exceed a limit. */
export class SubmissionTooLarge extends TooLargeError {
  constructor(
    code: string,
    readonly said: Said,
  ) {
    super(code, ENGLISH.tell(said));
  }
}

/** A field exceeds a limit, or all fields together do: then `field` is null. */
export class FieldLimitExceeded extends InvalidInputError {
  /** @param said what a visitor reads; in English where only the owner of the page can mend it */
  constructor(code: string, field: string | null, said: Said | string) {
    const message = typeof said === 'string' ? said : ENGLISH.tell(said);
    super(code, message, field === null ? [] : [{ field, code, message }]);
    if (typeof said !== 'string') this.said = said;
  }

  readonly said?: Said;
}

/** No field was filled in, or no field has a name. */
export class EmptySubmission extends fact(
  InvalidInputError,
  'empty',
  'The form was sent without any fields. If this is your site, give every input a "name" attribute; a script that sends JSON needs Object.fromEntries(new FormData(form)).',
) {}

/** Neither the address nor the body says which form is meant. */
export class FormKeyMissing extends InvalidInputError {
  constructor(field: string) {
    const message = `The field “${field}” is missing, which says whose form this is.`;
    super('form_key_missing', message, [{ field, code: 'form_key_missing', message }]);
  }
}

/** Suggested wait in seconds, after which some requests under way have been answered. */
const TOO_MANY_RETRY_SECONDS = 2;

/** One address has too many requests under way. */
export class TooManyAtOnce extends fact(
  TooManyRequestsError,
  'too_many_at_once',
  ENGLISH.say('error.too_many_at_once'),
  TOO_MANY_RETRY_SECONDS,
) {}

/** The connection ended before the body did. */
export class SubmissionAborted extends fact(MalformedError, 'aborted', ENGLISH.say('error.aborted')) {}

/** A probe came without its header, as any proxy can drop that: no visitor is refused. */
export class ProbeLost extends IdempotencyKeyMalformed {}

/** Families of errors for which the page that sends a form, or its settings, are to be mended. */
const OF_SENDERS = [MalformedError, UnsupportedTypeError, TooLargeError, InvalidInputError];

/** Tells whether a submission is refused for what was sent: not for limits of rates, a closed form, or faults of ours. */
export function isOfSender(error: unknown): error is DomainError {
  if (error instanceof SubmissionAborted || error instanceof ProbeLost) return false;
  return OF_SENDERS.some((kind) => error instanceof kind);
}

/** The error that a visitor sees when the service is at fault. */
export const UNEXPECTED = { code: 'unexpected', message: ENGLISH.say('error.unexpected'), fields: [] };
