import type { Right } from '../access/index.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError, fact } from '../../platform/index.js';

export class TokenNotFound extends fact(NotFoundError, 'token_not_found', 'API token not found.') {}

/** A token, or a person, tried to issue a token with rights that it lacks. */
export class RightsExceeded extends ForbiddenError {
  /** @param lacking empty: every right was asked for, and with it those that later versions add */
  constructor(lacking: Right[]) {
    super(
      'rights_exceeded',
      lacking.length === 0
        ? 'This token has limited rights, so tokens it creates need rights too. List them in token.rights.'
        : `This token cannot create another one with rights it lacks: ${lacking.join(', ')}.`,
    );
  }
}

/** A token tried to issue one that expires later than itself. */
export class ExpiryExceeded extends fact(
  ForbiddenError,
  'expiry_exceeded',
  (latest: Date) =>
    `This token cannot create another one that outlives it. Set token.expires_at to ${latest.toISOString()} or earlier.`,
) {}

export class ExpiryPassed extends fact(InvalidInputError, 'expiry_passed', 'The expiry must be in the future.', [
  { field: 'token.expires_at', code: 'expiry_passed', message: 'token.expires_at must be in the future.' },
]) {}

/** The secret that the operator chose belongs to a token already. */
export class SecretTaken extends fact(
  ConflictError,
  'secret_taken',
  'That secret already belongs to a token. Choose another.',
) {}

export class TooManyTokens extends fact(
  ConflictError,
  'too_many_tokens',
  (max: number) => `The client has ${max} API tokens already. Revoke one first.`,
) {}
