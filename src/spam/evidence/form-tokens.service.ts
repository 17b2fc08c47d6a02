import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/time/clock.js';
import { DAY_MS } from '../../platform/kernel/time/durations.js';
import { SigningService } from '../../platform/signed-links/signing.service.js';

/** Purpose that tokens are signed with. */
const PURPOSE = 'form';
/** Life of a token in milliseconds. */
const TTL_MS = DAY_MS;
const FORM_BYTES = 4;
const TIME_BYTES = 6;
/** Longer text is no token, in characters. */
const TOKEN_MAX = 100;

/** A token that comes more often says nothing of who sends it: a person sends a page some times, a bot a thousand. */
const USES_MAX = 20;
/** Tokens whose uses are counted, the newest; and how much of each is remembered, in characters. */
const COUNTED_MAX = 20_000;
const MARK_CHARS = 32;

/** Milliseconds from when a page got its token until it was sent; null without a token. */
export type FillMs = number | 'unclear' | 'worn' | null;

/** Gives the pages of forms tokens that say when they were given, and reads them. Their uses are counted in memory. */
@Injectable()
export class FormTokens {
  /** How often each token was read, by its end. */
  private readonly uses = new Map<string, number>();

  constructor(
    private readonly signing: SigningService,
    private readonly clock: Clock,
  ) {}

  /** Returns a token for one form. */
  issue(formId: number): Promise<string> {
    const now = this.clock.now().getTime();
    const payload = Buffer.alloc(FORM_BYTES + TIME_BYTES);
    payload.writeUInt32BE(formId);
    payload.writeUIntBE(now, FORM_BYTES, TIME_BYTES);
    return this.signing.sign(PURPOSE, payload, new Date(now + TTL_MS));
  }

  /** Returns how long ago the token of a form was given, and counts its use. One from the future says nothing: clocks differ. */
  async fillMs(token: string, formId: number): Promise<FillMs> {
    if (token.length > TOKEN_MAX) return 'unclear';
    const now = this.clock.now();
    const payload = await this.signing.verify(PURPOSE, token, now);
    if (payload?.length !== FORM_BYTES + TIME_BYTES) return 'unclear';
    if (payload.readUInt32BE() !== formId) return 'unclear';
    if (this.use(token) > USES_MAX) return 'worn';
    const ms = now.getTime() - payload.readUIntBE(FORM_BYTES, TIME_BYTES);
    return ms < 0 ? null : ms;
  }

  /** Counts a use of a good token. @returns how often it was used */
  private use(token: string): number {
    const mark = token.slice(-MARK_CHARS);
    const count = (this.uses.get(mark) ?? 0) + 1;
    this.uses.delete(mark); // those that were used last are at the end
    this.uses.set(mark, count);
    const [oldest] = this.uses.keys();
    if (this.uses.size > COUNTED_MAX && oldest !== undefined) this.uses.delete(oldest);
    return count;
  }
}
