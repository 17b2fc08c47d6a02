import { SignInRequired, type Challenging } from '../../kernel/credentials.errors.js';
import { type DomainError, TooManyRequestsError, UnavailableError } from '../../kernel/errors.js';
import { MethodNotAllowed, RangeNotSatisfiable } from './http.errors.js';

/** Suggested wait after a 503, in seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Returns the headers that go with an error, in every kind of response. */
export function errorHeaders(error: DomainError | null): [string, string][] {
  if (error === null) return [];
  if (isChallenging(error)) return [['WWW-Authenticate', error.challenge]];
  if (error instanceof SignInRequired) return [['Location', error.location]];
  if (error instanceof MethodNotAllowed) return [['Allow', error.allowed.join(', ')]];
  if (error instanceof RangeNotSatisfiable) return [['Content-Range', `bytes */${error.size}`]];
  if (error instanceof TooManyRequestsError) {
    return [['Retry-After', String(error.retryAfterSeconds)]];
  }
  if (error instanceof UnavailableError) return [['Retry-After', String(RETRY_AFTER_SECONDS)]];
  return [];
}

function isChallenging(error: DomainError): error is DomainError & Challenging {
  return 'challenge' in error;
}
