import { DomainError, ForbiddenError } from '../platform/kernel/errors.js';
import type { Right } from './rights.js';
import type { Action } from './roles.js';

const REALM = 'Form Collection Service';

/** Errors that carry the challenge of RFC 6750, section 3, for the WWW-Authenticate header. */
export interface Challenging {
  readonly challenge: string;
}

/** No usable credentials came with the request. */
export class AuthenticationRequired extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}"`;

  constructor() {
    super(
      'authentication_required',
      'This needs an access token, sent as the header "Authorization: Bearer <token>".',
    );
  }
}

/** A token came, and it is unknown, mistyped, expired or revoked. */
export class InvalidToken extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_token"`;

  constructor() {
    super('invalid_token', 'The access token is unknown, mistyped, expired or revoked.');
  }
}

/** The Authorization header itself is malformed. */
export class MalformedCredentials extends DomainError implements Challenging {
  readonly challenge = `Bearer realm="${REALM}", error="invalid_request"`;

  constructor() {
    super(
      'malformed_credentials',
      'Send exactly one Authorization header of the form "Bearer <token>".',
    );
  }
}

/** The token is good and lacks the right that this request needs. */
export class MissingRight extends ForbiddenError implements Challenging {
  readonly challenge: string;

  constructor(right: Right) {
    super('missing_right', `The access token lacks the right ${right}.`);
    this.challenge = `Bearer realm="${REALM}", error="insufficient_scope", scope="${right}"`;
  }
}

/** The person's role does not go that far. */
export class NotAllowedHere extends ForbiddenError {
  constructor() {
    super('not_allowed_here', 'You may not do this here; an owner of the account can allow it.');
  }
}

/** The person is not allowed to do this with submissions. */
export class ActionForbidden extends ForbiddenError {
  constructor(action: Action) {
    super('action_forbidden', `You may not ${action} submissions here; an owner can allow it.`);
  }
}

/** A page that asks for a session was opened without one. */
export class SignInRequired extends DomainError {
  /** @param location where to sign in, a path of this service */
  constructor(readonly location: string) {
    super('sign_in_required', 'Sign in to see this page.');
  }
}

/** A request that changes something came from another site, or from nobody knows where. */
export class ForeignRequest extends ForbiddenError {
  constructor() {
    super(
      'foreign_request',
      'This request does not come from a page of this service; open the page again and repeat it there.',
    );
  }
}

/** A client without the permission tried to create a form. */
export class FormCreationForbidden extends ForbiddenError {
  constructor() {
    super(
      'form_creation_forbidden',
      'This client may not create forms; set can_create_forms on the client to allow it.',
    );
  }
}
