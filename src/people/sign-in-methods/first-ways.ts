import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PasskeysService, type CheckedPasskey } from '../credentials/passkeys.service.js';
import { Passwords } from '../person/passwords.js';
import type { Person } from '../person/person.entity.js';

/** How somebody new is going to sign in: by a passkey that their browser just made, or by a password. */
export type FirstWay = { password: string } | { credential: unknown; passkeyName: string };

/** A first way to sign in that was checked; one of the two. */
export interface CheckedFirstWay {
  passwordHash: string | null;
  passkey: (CheckedPasskey & { name: string }) | null;
}

/** Checks how somebody new wants to sign in. */
@Injectable()
export class FirstWays {
  constructor(
    private readonly passwords: Passwords,
    private readonly passkeys: PasskeysService,
  ) {}

  /**
   * @param ownWords what is known of the person, and guessed first
   * @throws PasswordRefused, PasskeysOff, PasskeyRefused
   */
  async check(way: FirstWay, ownWords: readonly string[]): Promise<CheckedFirstWay> {
    if ('credential' in way) {
      const checked = await this.passkeys.checkFirst(way.credential);
      return { passwordHash: null, passkey: { ...checked, name: way.passkeyName } };
    }
    const passwordHash = await this.passwords.choose(way.password, ownWords, false);
    return { passwordHash, passkey: null };
  }

  /**
   * Stores the passkey, if it is one, within a transaction.
   * @throws PasskeyRefused, PasskeyKnown
   */
  async keep(tx: EntityManager, person: Person, { passkey }: CheckedFirstWay) {
    if (passkey) await this.passkeys.keep(tx, person, passkey.name, passkey);
  }
}

/** Length of what identifies a sign-in: an id, or random bytes. */
export const SEED_BYTES = 16;
/** Longest path that is kept, in bytes: a cookie has 4096 at most, and base64 makes it a third longer. */
const NEXT_MAX_BYTES = 2_048;

/** Data of an unfinished sign-in in a signed cookie of the browser. */
export interface Ticket {
  requestId: Buffer;
  /** Whether others use the device too. */
  isShared: boolean;
  /** Where to go on, a path of this service. */
  next: string;
}

/** Returns a ticket as bytes to be signed. A path that is too long is left out. */
export function writeTicket({ requestId, isShared, next }: Ticket): Buffer {
  const path = Buffer.from(next);
  const kept = path.length > NEXT_MAX_BYTES ? Buffer.from('/') : path;
  return Buffer.concat([requestId, Buffer.from([isShared ? 1 : 0]), kept]);
}

/** Reads what `writeTicket` wrote. */
export function readTicket(bytes: Buffer): Ticket {
  return {
    requestId: Buffer.from(bytes.subarray(0, SEED_BYTES)),
    isShared: bytes[SEED_BYTES] === 1,
    next: bytes.subarray(SEED_BYTES + 1).toString(),
  };
}
