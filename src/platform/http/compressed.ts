import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller bodies gain nothing, in bytes. */
const THRESHOLD_BYTES = 1_024;
/** Pages and objects of the API. Event streams must not wait, and downloads may be asked for in ranges. */
const COMPRESSED = /^(?:text\/html|application\/(?:problem\+)?json)\b/;

/**
 * Compresses what is read. Whoever can send guesses along with a secret learns of it by the length of what is compressed
 * (BREACH), so what shows a secret stays as it is: answers to anything but GET, which is where new ones are shown,
 * and what says `no-transform`.
 */
export function compressed(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES,
    filter: ({ method }, response) => {
      const type = response.getHeader('Content-Type');
      return method === 'GET' && typeof type === 'string' && COMPRESSED.test(type);
    },
  });
}
