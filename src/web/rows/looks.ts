import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';
import { SigningService } from '../../platform/signed-links/signing.service.js';

/** Header by which an open page says which look it goes on with. */
export const LOOK = 'Fcs-Look';
/** A page that is open for longer begins another look. */
const LOOK_MS = 12 * HOUR_MS;
const PURPOSE = 'look';

/** Tells a page that renews itself from a further look, which is recorded where a client looks. */
@Injectable()
export class Looks {
  constructor(private readonly signing: SigningService) {}

  /** Returns what an open page shows when it asks again; null where looks are not recorded. */
  async begun(principal: Principal, submissionId: Buffer): Promise<string | null> {
    if (principal.clientId === null) return null;
    const expiresAt = new Date(Date.now() + LOOK_MS);
    return this.signing.sign(PURPOSE, payloadOf(principal, submissionId), expiresAt);
  }

  /** Tells whether the same person is shown the same submission still. @param shown what the page was given */
  async goesOn(principal: Principal, submissionId: Buffer, shown = ''): Promise<boolean> {
    const payload = await this.signing.verify(PURPOSE, shown, new Date());
    return payload?.equals(payloadOf(principal, submissionId)) ?? false;
  }
}

/** Names who looks, whose eyes they look through, for which client, and at what. */
function payloadOf({ actor, reader, clientId }: Principal, submissionId: Buffer): Buffer {
  const names = [actor, reader].map(({ kind, id }) => `${kind} ${id ?? ''}`);
  return Buffer.concat([submissionId, Buffer.from([...names, clientId].join(' '))]);
}
