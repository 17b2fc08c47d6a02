/**
 * Says that a rule of the product was broken. The class is its family, the code names the rule, and the
 * message is for the person who can fix it. `platform/http/errors/http.errors.ts` maps families to HTTP statuses.
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

/** A field of the input with its problem. */
export interface FieldProblem {
  /** Path of the field as it was sent, such as `form.webhook_url`. */
  field: string;
  /** Stable name of the broken rule, such as `too_long`. */
  code: string;
  /** A sentence about what is wrong and how to mend it. */
  message: string;
}

/** A family of errors. `Rest` is what it needs beside code and message. */
type Family<Rest extends unknown[]> = abstract new (code: string, message: string, ...rest: Rest) => DomainError;

/**
 * Makes the class of one error of a family: `class FormNotFound extends fact(NotFoundError, 'form_not_found', 'Form
 * not found.') {}`. A message that names something is a function of what the constructor gets.
 */
export function fact<Rest extends unknown[], Args extends unknown[] = []>(
  family: Family<Rest>,
  code: string,
  message: string | ((...args: Args) => string),
  ...rest: Rest
): new (...args: Args) => DomainError {
  const Base = family as new (...args: unknown[]) => DomainError;
  return class extends Base {
    constructor(...args: Args) {
      super(code, typeof message === 'string' ? message : message(...args), ...rest);
    }
  };
}

/** The request cannot be read. */
export abstract class MalformedError extends DomainError {}

/** The request has a media type that is not taken. */
export abstract class UnsupportedTypeError extends DomainError {}

/** The request is larger than is allowed. */
export abstract class TooLargeError extends DomainError {}

/** The caller sends more requests than it may. */
export abstract class TooManyRequestsError extends DomainError {
  constructor(
    code: string,
    message: string,
    /** Seconds until it may send again. */
    readonly retryAfterSeconds: number,
  ) {
    super(code, message);
  }
}

/** The thing does not exist, or not for this caller. */
export abstract class NotFoundError extends DomainError {}

/** The thing takes no such requests any more, or not for now. */
export abstract class GoneError extends DomainError {}

/** The request contradicts the present state. */
export abstract class ConflictError extends DomainError {}

/** The caller is known and may not do this. */
export abstract class ForbiddenError extends DomainError {}

/** The input breaks rules; `fields` names them. */
export abstract class InvalidInputError extends DomainError {}

/** The input breaks rules; every field at fault is named. */
export class InvalidFields extends InvalidInputError {
  constructor(fields: FieldProblem[]) {
    const [first, ...rest] = fields;
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
    super('invalid_fields', first ? `${first.message}${more}` : 'The input is not valid.', fields);
  }
}

/** There is no room left for what was sent, by a limit and not by a fault. */
export abstract class InsufficientStorageError extends DomainError {}

/** Something we depend on does not work now; the same request may work later. */
export abstract class UnavailableError extends DomainError {}

const REALM = 'Form Collection Service';

/** An error that carries the challenge of RFC 6750, section 3, for the WWW-Authenticate header. */
export interface Challenging {
  readonly challenge: string;
}

/** No usable credentials came with the request. */
export class AuthenticationRequired extends DomainError implements Challenging {
  readonly challenge: string = `Bearer realm="${REALM}"`;

  constructor() {
    super('authentication_required', 'API token missing. Send it in the header "Authorization: Bearer <token>".');
  }
}

/** The token is unknown, mistyped, expired or revoked. */
export class InvalidToken extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_token"`;

  constructor() {
    super('invalid_token', 'The API token is unknown, mistyped, expired or revoked. Create a new one.');
  }
}

/** The Authorization header itself is malformed. */
export class MalformedCredentials extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_request"`;

  constructor() {
    super('malformed_credentials', 'Send exactly one Authorization header in the format "Bearer <token>".');
  }
}

/** The token is valid and lacks the right that this request needs. */
export class MissingRight extends ForbiddenError implements Challenging {
  readonly challenge: string;

  /** @param right as the token names it, such as `forms:read` */
  constructor(right: string) {
    super('missing_right', `The API token lacks the right ${right}. Use a token with this right.`);
    this.challenge = `Bearer realm="${REALM}", error="insufficient_scope", scope="${right}"`;
  }
}

/** A page that needs a session was opened without one. */
export class SignInRequired extends DomainError {
  /** @param location where to sign in, a path of this service */
  constructor(readonly location: string) {
    super('sign_in_required', 'Sign in to see this page.');
  }
}

/** A route of the API that a session opens was called without one. */
export class SessionRequired extends fact(
  DomainError,
  'session_required',
  'This route works only in a browser that is signed in. It accepts a session cookie and no API token.',
) {}
