import { hash } from 'node:crypto';
import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { contentOf, type SentContent } from './idempotency.js';

/** How long after a submission an equal one of its sender counts as sent twice, in milliseconds. */
const TWICE_MS = 10 * SECOND_MS;
/** Most submissions that are remembered; the oldest go first. */
const SENDS_MAX = 20_000;
/** A field that holds a number of a telephone, by its name. */
const PHONE_FIELD = /phone|mobile|\btel\b|telefon|handy/i;
/** Least digits of such a number. */
const PHONE_DIGITS = 6;
/** Least characters and blanks of a text that nobody else would write. */
const OWN_TEXT_CHARS = 40;
const OWN_TEXT_BLANKS = 5;

/** A submission, its sender and the token of its page. */
interface Sent extends SentContent {
  source: Pick<SubmissionSource, 'userAgent' | 'origin'>;
  sender: { address: string; acceptLanguage: string | null };
  token: string | null;
}

/** The trace of one that came moments ago. */
interface Recent {
  until: number;
  /** Its id once it is stored; null when it was not. */
  stored: Promise<Buffer | null>;
}

/**
 * Knows what this process took in within the last seconds, so that a double click tells nobody twice. Content that
 * several people would send, such as "yes", says nothing of its sender: a whole class can be behind one address.
 */
export class RecentSends {
  private readonly sends = new Map<string, Recent>();

  /**
   * Stores a submission, unless the same sender sent the same within seconds and that was stored.
   * @param store stores it, and returns its id too
   * @param repeat is told the first one in place of that
   */
  async once<Answer>(
    formId: number,
    received: Sent,
    now: Date,
    store: () => Promise<{ id: Buffer; answer: Answer }>,
    repeat: (first: Buffer) => Promise<Answer>,
  ): Promise<Answer> {
    const key = keyOf(formId, received);
    if (key === null) return (await store()).answer;
    for (;;) {
      const known = this.sends.get(key);
      if (!known || known.until <= now.getTime()) break;
      const first = await known.stored;
      if (first) return repeat(first);
      // It failed, so this one may be the first.
      if (this.sends.get(key) === known) this.sends.delete(key);
    }
    const storing = store();
    const stored = storing.then(
      ({ id }) => id,
      () => null,
    );
    this.sends.delete(key); // those that came last are at the end
    this.sends.set(key, { until: now.getTime() + TWICE_MS, stored });
    this.forgetOld(now);
    return (await storing).answer;
  }

  private forgetOld(now: Date): void {
    for (const [key, { until }] of this.sends) {
      if (until > now.getTime() && this.sends.size <= SENDS_MAX) return;
      this.sends.delete(key);
    }
  }
}

/** Returns what equal submissions of a sender have in common; null for one that others could send just so. */
function keyOf(formId: number, received: Sent): string | null {
  const { sender, source, token } = received;
  const isOwn = received.members.some(({ name, json }) => isOfOnePerson(name, json));
  if (!isOwn && token === null) return null;
  const { address, acceptLanguage } = sender;
  const shown = isOwn ? null : token;
  const whose = [formId, address, source.userAgent, acceptLanguage, source.origin, shown];
  return hash('sha256', JSON.stringify([whose, contentOf(received)]), 'base64');
}

/** Tells whether a value stands for one person: an address, a number of a telephone, or a text of some words. */
function isOfOnePerson(name: string, json: string): boolean {
  if (json.includes('@') && typedAddress(json.replaceAll('"', '')) !== null) return true;
  if (PHONE_FIELD.test(name) && json.replace(/\D+/g, '').length >= PHONE_DIGITS) return true;
  return (
    json.length >= OWN_TEXT_CHARS && json.split(' ', OWN_TEXT_BLANKS + 1).length > OWN_TEXT_BLANKS
  );
}
