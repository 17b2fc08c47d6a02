import { SECOND_MS } from '../../platform/index.js';
import type { SpamSignal } from '../evidence/spam-evidence.js';

/** Nobody fills a form in so fast, and few in this time; in milliseconds. */
const TOO_FAST_MS = 2 * SECOND_MS;
const FAST_MS = 4 * SECOND_MS;
/**
 * Shares of the points for fast submissions, worn tokens, and tokens that say nothing, since pages stay open
 * over night.
 */
const FAST_SHARE = 0.4;
const WORN_SHARE = 0.4;
const UNCLEAR_SHARE = 0.2;

/** Says that a form was filled in faster than people do, as the service itself tells by its token. */
export const fillTime: SpamSignal = {
  name: 'fill_time',
  points: 5,
  enabled: true,
  look: ({ fillMs }, settings) => {
    if (fillMs === null) return null;
    if (fillMs === 'unclear') {
      const reason = 'Its form token has expired or belongs to another form.';
      return settings.part('fill_time', reason, UNCLEAR_SHARE);
    }
    if (fillMs === 'worn') {
      return settings.part('fill_time', 'Its form token was used many times before.', WORN_SHARE);
    }
    if (fillMs >= FAST_MS) return null;
    const seconds = (fillMs / SECOND_MS).toFixed(1);
    const share = fillMs < TOO_FAST_MS ? 1 : FAST_SHARE;
    return settings.part('fill_time', `It was filled in within ${seconds} seconds.`, share);
  },
};
