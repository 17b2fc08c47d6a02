import { Inject, Injectable, Optional } from '@nestjs/common';
import argon2 from '@node-rs/argon2';
import { Turns } from '../../platform/kernel/turns.js';
import { assertGoodPassword, normalisePassword } from './password-policy.js';
import { PasswordsBusy } from './person.errors.js';
import { PASSWORD_COST } from './people.repository.js';

/** Argon2id with 19 MiB, 2 passes and 1 lane: the first choice of OWASP's cheat sheet. */
const COST = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Passwords hashed at a time, of the four threads that files and the names of hosts need, too. */
const HASHED_AT_ONCE = 2;

/** Passwords that wait for their turn: some seconds of work. */
const WAITING_MAX = 64;

/** Hashes passwords and compares them with their hashes. */
@Injectable()
export class Passwords {
  private readonly turns = new Turns(HASHED_AT_ONCE);
  private asked = 0;
  /** Compared with where there is no password, so that an unknown address takes as long as a known one. */
  private readonly dummy: Promise<string>;

  constructor(@Optional() @Inject(PASSWORD_COST) private readonly cost = COST) {
    this.dummy = argon2.hash('nobody has this password', cost);
  }

  /**
   * Checks a new password, and hashes it.
   * @param ownWords what is known of the person, and guessed first
   * @throws PasswordRefused, PasswordsBusy
   */
  async choose(
    password: string,
    ownWords: readonly string[],
    hasSecondFactor: boolean,
  ): Promise<string> {
    assertGoodPassword(password, ownWords, hasSecondFactor);
    return this.hash(password);
  }

  /**
   * @returns the hash with its salt and parameters, about 97 characters
   * @throws PasswordsBusy
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => argon2.hash(normalisePassword(password), this.cost));
  }

  /**
   * Tells whether the password has this hash. Without a hash it never has, after the same work.
   * @throws PasswordsBusy
   */
  async fits(password: string, kept: string | null): Promise<boolean> {
    const known = kept ?? (await this.dummy);
    const fits = await this.inTurn(() => argon2.verify(known, normalisePassword(password)));
    return fits && kept !== null;
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.asked >= HASHED_AT_ONCE + WAITING_MAX) throw new PasswordsBusy();
    this.asked++;
    try {
      return await this.turns.run(work);
    } finally {
      this.asked--;
    }
  }
}
