/**
 * A rule of the product was broken. The class is its family, the code names the rule, and the message is for
 * the person who can fix it. `platform/http/status.ts` maps families to HTTP statuses.
 */
export abstract class DomainError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** The fields at fault, where the error is about input. */
    readonly fields: FieldProblem[] = [],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** One field of the input and what is wrong with it. */
export interface FieldProblem {
  /** Path of the field as it was sent, such as `form.webhook_url`. */
  field: string;
  /** Stable word for the broken rule, such as `too_long`. */
  code: string;
  /** What is wrong and how to mend it. */
  message: string;
}

/** What was sent cannot be read. */
export abstract class MalformedError extends DomainError {}

/** What was sent is of a kind that is not taken. */
export abstract class UnsupportedTypeError extends DomainError {}

/** What was sent is larger than is taken. */
export abstract class TooLargeError extends DomainError {}

/** The caller asks for more than it may. */
export abstract class TooManyRequestsError extends DomainError {
  constructor(
    code: string,
    message: string,
    /** When it may ask again. */
    readonly retryAfterSeconds: number,
  ) {
    super(code, message);
  }
}

/** What was named does not exist, or not for this caller. */
export abstract class NotFoundError extends DomainError {}

/** The request contradicts what is already there. */
export abstract class ConflictError extends DomainError {}

/** The caller is known and may not do this. */
export abstract class ForbiddenError extends DomainError {}

/** The input breaks a rule; `fields` says which. */
export abstract class InvalidInputError extends DomainError {}

/** Something we depend on is away; the same request may work later. */
export abstract class UnavailableError extends DomainError {}
