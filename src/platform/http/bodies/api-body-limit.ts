/** Largest body of an API request, in bytes; submissions have limits of their own. */
export const API_BODY_LIMIT_BYTES = 1024 * 1024;
/** The same of routes that take long lists. */
export const LONG_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Largest form of a page before sign-in, in bytes: it has a name, an address, a password and a link. */
export const STRANGERS_FORM_LIMIT_BYTES = 16 * 1024;
