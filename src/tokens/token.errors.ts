import type { Right } from '../access/rights.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
} from '../shared/errors.js';

export class TokenNotFound extends NotFoundError {
  constructor() {
    super('token_not_found', 'There is no such token.');
  }
}

/** A token may not hand out more than it has itself. */
export class RightsExceeded extends ForbiddenError {
  constructor(rights: Right[]) {
    super(
      'rights_exceeded',
      `This token cannot issue another with rights it lacks: ${rights.join(', ')}.`,
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

/** The secret an operator chose belongs to a token already. */
export class SecretTaken extends ConflictError {
  constructor() {
    super('secret_taken', 'That secret belongs to a token already; choose another.');
  }
}
