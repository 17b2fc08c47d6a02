/** Largest body of an API request; submissions have limits of their own. */
export const API_BODY_LIMIT_BYTES = 1024 * 1024;
