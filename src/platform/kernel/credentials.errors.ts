import { fact, DomainError, ForbiddenError } from './errors.js';

const REALM = 'Form Collection Service';

/** An error that carries the challenge of RFC 6750, section 3, for the WWW-Authenticate header. */
export interface Challenging {
  readonly challenge: string;
}

/** No usable credentials came with the request. */
export class AuthenticationRequired extends DomainError implements Challenging {
  readonly challenge: string = `Bearer realm="${REALM}"`;

  constructor() {
    super(
      'authentication_required',
      'API token missing. Send it in the header "Authorization: Bearer <token>".',
    );
  }
}

/** The token is unknown, mistyped, expired or revoked. */
export class InvalidToken extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_token"`;

  constructor() {
    super(
      'invalid_token',
      'The API token is unknown, mistyped, expired or revoked. Create a new one.',
    );
  }
}

/** The Authorization header itself is malformed. */
export class MalformedCredentials extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_request"`;

  constructor() {
    super(
      'malformed_credentials',
      'Send exactly one Authorization header in the format "Bearer <token>".',
    );
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
