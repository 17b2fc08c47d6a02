import { ForbiddenError, UnavailableError, fact } from '../kernel/errors.js';

/** The provider does not answer, or answers what no provider should. */
export class OidcUnavailable extends fact(
  UnavailableError,
  'oidc_unavailable',
  'The identity provider is not responding. Sign in another way, or try again in a minute.',
) {}

/** The sign-in at the provider was broken off, is not this browser's, or was used already. */
export class OidcRefused extends fact(
  ForbiddenError,
  'oidc_refused',
  'You did not finish signing in with the provider. Start again here.',
) {}
