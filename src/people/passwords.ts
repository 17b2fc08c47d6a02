import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { normalisePassword } from './password-policy.js';

/** Argon2id with 19 MiB, 2 passes and 1 lane: the first choice of OWASP's cheat sheet. */
const OPTIONS = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Turns passwords into what is kept of them. */
@Injectable()
export class Passwords {
  /** What is checked where there is no password, so that it takes as long. */
  private readonly nobodys = hash('nobody has this password', OPTIONS);

  /** @returns the hash with its salt and parameters, about 97 characters */
  hash(password: string): Promise<string> {
    return hash(normalisePassword(password), OPTIONS);
  }

  /** Whether the password is the one of the hash; without a hash never, after the same work. */
  async fits(password: string, kept: string | null): Promise<boolean> {
    const fits = await verify(kept ?? (await this.nobodys), normalisePassword(password));
    return fits && kept !== null;
  }
}
