import { Inject, Injectable, Optional } from '@nestjs/common';
import argon2 from '@node-rs/argon2';
import { Turns, normalise } from '../../platform/index.js';
import { PasswordsBusy, PasswordRefused } from './person.errors.js';
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
  async choose(password: string, ownWords: readonly string[], hasSecondFactor: boolean) {
    assertGoodPassword(password, ownWords, hasSecondFactor);
    return this.hash(password);
  }

  /**
   * @returns the hash with its salt and parameters, about 97 characters
   * @throws PasswordsBusy
   */
  hash(password: string) {
    return this.inTurn(() => argon2.hash(normalisePassword(password), this.cost));
  }

  /**
   * Tells whether the password has this hash. Without a hash it never has, after the same work.
   * @throws PasswordsBusy
   */
  async fits(password: string, kept: string | null) {
    const known = kept ?? (await this.dummy);
    const fits = await this.inTurn(() => argon2.verify(known, normalisePassword(password)));
    return fits && kept !== null;
  }

  private async inTurn<Result>(work: () => Promise<Result>) {
    if (this.asked >= HASHED_AT_ONCE + WAITING_MAX) throw new PasswordsBusy();
    this.asked++;
    try {
      return await this.turns.run(work);
    } finally {
      this.asked--;
    }
  }
}

/** Fewest characters where the password is all there is (NIST SP 800-63B-4, section 3.1.1.2). */
const MIN_CHARACTERS_ALONE = 15;
/** Fewest characters beside a second factor; NIST asks for 8. */
const MIN_CHARACTERS_SECONDED = 12;
/** Most bytes of a password: far above any that people type, and cheap to hash. Longer ones are refused, never cut. */
const MAX_BYTES = 256;
/** Shortest of a person's own words that are taken out: shorter ones are in many good passwords by chance. */
const MIN_OWN_WORD = 4;
/** Shortest piece of a row of keys that is taken out: three in a row occur in words, such as `ert`. */
const MIN_RUN = 4;
/** Fewest different characters that must be left once everything easily guessed is taken out. */
const MIN_UNGUESSED = 5;

/** Returns the form of a password that is hashed: NFC, so that every keyboard makes the same bytes. */
function normalisePassword(password: string) {
  return normalise(password, 'NFC');
}

/**
 * Checks a new password. Any characters will do, blanks too; nothing has to be of a certain kind.
 * @param ownWords words of the person that others know: name, address, account
 * @param hasSecondFactor whether a code is asked for beside it; a passkey is another way in, not a second step
 * @throws PasswordRefused
 */
export function assertGoodPassword(password: string, ownWords: readonly string[], hasSecondFactor: boolean) {
  const text = normalisePassword(password);
  const min = hasSecondFactor ? MIN_CHARACTERS_SECONDED : MIN_CHARACTERS_ALONE;
  if (Array.from(text).length < min) {
    throw new PasswordRefused(
      'password_too_short',
      `The password must have at least ${min} characters. A few unrelated words are easy to remember.`,
    );
  }
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new PasswordRefused(
      'password_too_long',
      `The password must have at most ${MAX_BYTES} bytes, about ${MAX_BYTES} letters.`,
    );
  }
  if (unguessed(text, ownWords) < MIN_UNGUESSED) {
    throw new PasswordRefused(
      'password_too_common',
      'This password is easy to guess. It consists of common words, rows of keys, repetitions, or your name or address. Add a few unrelated words.',
    );
  }
}

/** Counts the different characters that are left without everything that is guessed first. */
function unguessed(text: string, ownWords: readonly string[]) {
  const own = ownWords
    .flatMap((words) => words.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= MIN_OWN_WORD);
  let rest = withoutRepetition(text.toLowerCase());
  for (const part of [...own, ...COMMON_PARTS]) rest = rest.replaceAll(part, ' ');
  rest = withoutRuns(rest).replace(/(.)\1{2,}/gu, ' ');
  return new Set(rest.replace(/\s/gu, '')).size;
}

/** Shortens `abcabcabc` to `abc`, which takes as long to guess. */
function withoutRepetition(text: string) {
  for (let length = 1; length <= text.length / 2; length++) {
    const piece = text.slice(0, length);
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return piece;
  }
  return text;
}

function withoutRuns(text: string) {
  let rest = text;
  for (const run of KEY_RUNS) {
    for (let length = run.length; length >= MIN_RUN; length--) {
      for (let start = 0; start + length <= run.length; start++) {
        rest = rest.replaceAll(run.slice(start, start + length), ' ');
      }
    }
  }
  return rest;
}

/** Words, names and runs of keys that many passwords are made of, in lower case. */
const COMMON_PARTS = `
password passwort passwd passphrase kennwort geheim secret private admin administrator root master
letmein welcome willkommen hello hallo login signin access default changeme change temp guest user test
testing iloveyou loveyou love lovely baby angel princess prinzessin sunshine shadow flower butterfly
monkey dragon tiger lion eagle falcon panther chicken football fussball soccer baseball basketball
hockey tennis golf superman batman spiderman pokemon naruto starwars matrix ninja hunter killer warrior
ranger soldier freedom liberty trustno whatever nothing something correct horse battery staple
computer internet google facebook instagram twitter whatsapp linkedin microsoft windows apple samsung
android iphone amazon netflix youtube gmail hotmail yahoo mustang ferrari porsche mercedes harley
corvette yamaha honda toyota cheese cookie chocolate coffee banana orange apple pepper ginger summer
sommer winter spring autumn herbst january february march april june july august september october
november december monday tuesday wednesday thursday friday saturday sunday michael jennifer jessica
jordan thomas robert daniel andrew joshua matthew charlie george michelle nicole ashley amanda samantha
alexander maximilian berlin london paris newyork america deutschland canada arsenal liverpool chelsea
barcelona juventus manchester united real madrid blink metallica nirvana slipknot eminem
qwertyuiop qwertzuiop asdfghjkl yxcvbnm zxcvbnm qwerty qwertz azerty qazwsx wsxedc asdf zxcv
abcdefghijklmnopqrstuvwxyz abcdef abc aaa
form forms collection service formcollection submission submissions
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
/** Rows of keys and of letters, parts of which many passwords are made of. */
const KEY_RUNS = [
  '01234567890',
  '09876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
