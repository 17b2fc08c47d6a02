import type { Right } from '../access/rights.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
} from '../platform/kernel/errors.js';

export class TokenNotFound extends NotFoundError {
  constructor() {
    super('token_not_found', 'There is no such token.');
  }
}

/** A token, or a person, tried to issue a token with rights that it lacks. */
export class RightsExceeded extends ForbiddenError {
  /** @param lacking empty: every right was asked for, and with it those that later versions add */
  constructor(lacking: Right[]) {
    super(
      'rights_exceeded',
      lacking.length === 0
        ? 'This token has a list of rights, so what it issues needs one too: name them in token.rights.'
        : `This token cannot issue another with rights it lacks: ${lacking.join(', ')}.`,
    );
  }
}

/** A token tried to issue one that expires later than itself. */
export class ExpiryExceeded extends ForbiddenError {
  constructor(latest: Date) {
    super(
      'expiry_exceeded',
      `This token cannot issue another that outlives it: set token.expires_at to ${latest.toISOString()} or earlier.`,
    );
  }
}

export class ExpiryPassed extends InvalidInputError {
  constructor() {
    super('expiry_passed', 'The expiry must be in the future.', [
      {
        field: 'token.expires_at',
        code: 'expiry_passed',
        message: 'token.expires_at must be in the future.',
      },
    ]);
  }
}

/** The secret that the operator chose belongs to a token already. */
export class SecretTaken extends ConflictError {
  constructor() {
    super('secret_taken', 'That secret belongs to a token already; choose another.');
  }
}

export class TooManyTokens extends ConflictError {
  constructor(max: number) {
    super('too_many_tokens', `The client has ${max} tokens already; revoke one first.`);
  }
}
