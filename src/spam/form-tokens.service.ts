import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.js';
import { DAY_MS } from '../platform/kernel/durations.js';
import { SigningService } from '../platform/signed-links/signing.service.js';

/** Purpose that tokens are signed with. */
const PURPOSE = 'form';
/** Life of a token in milliseconds. */
const TTL_MS = DAY_MS;
const FORM_BYTES = 4;
const TIME_BYTES = 6;
/** Longer text is no token, in characters. */
const TOKEN_MAX = 100;

/** Milliseconds from when a page got its token until it was sent; null without a token. */
export type FillMs = number | 'unclear' | null;

/** Gives the pages of forms tokens that say when they were given, and reads them. Nothing is stored. */
@Injectable()
export class FormTokens {
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

  /** Returns how long ago the token of a form was given. One from the future says nothing: clocks differ. */
  async fillMs(token: string | null, formId: number): Promise<FillMs> {
    if (token === null) return null;
    if (token.length > TOKEN_MAX) return 'unclear';
    const now = this.clock.now();
    const payload = await this.signing.verify(PURPOSE, token, now);
    if (payload?.length !== FORM_BYTES + TIME_BYTES) return 'unclear';
    if (payload.readUInt32BE() !== formId) return 'unclear';
    const ms = now.getTime() - payload.readUIntBE(FORM_BYTES, TIME_BYTES);
    return ms < 0 ? null : ms;
  }
}
