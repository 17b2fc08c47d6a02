import type { Bands } from '../evidence/verdict.js';

/** How strictly a form judges, from the mildest on. */
export const SPAM_LEVELS = {
  // A filled honeypot, an address that is not allowed and a blocked word are each spam at every level.
  relaxed: { heldAt: 8, spamAt: 10 },
  normal: { heldAt: 5, spamAt: 10 },
  strict: { heldAt: 3, spamAt: 7 },
} as const satisfies Record<string, Bands>;

export type SpamLevel = keyof typeof SPAM_LEVELS;

export const SPAM_LEVEL_NAMES = Object.keys(SPAM_LEVELS) as SpamLevel[];

/** Returns the level that has these bands; null for bands of the owner's own. */
export function levelOf({ heldAt, spamAt }: Bands): SpamLevel | null {
  const has = (level: SpamLevel) =>
    SPAM_LEVELS[level].heldAt === heldAt && SPAM_LEVELS[level].spamAt === spamAt;
  return SPAM_LEVEL_NAMES.find(has) ?? null;
}
