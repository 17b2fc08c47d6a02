import { Injectable } from '@nestjs/common';
import {
  InvalidInputError,
  NotFoundError,
  fact,
  Clock,
  DAY_MS,
  SigningService,
  typedAddress,
  isPlainHost,
} from '../../platform/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { SpamPart } from './verdict.js';
import { isDuplicate, insertStatement, sqlDate, type Statement } from '../../platform/database/index.js';
import { domainToASCII } from 'node:url';

/** Submissions would be spam at fewer points than it takes to hold them. */
export class SpamBandsCrossed extends InvalidInputError {
  constructor() {
    const message = 'spam_at must not be below held_at';
    super('spam_bands_crossed', `${message}.`, [{ field: 'spam.spam_at', code: 'spam_bands_crossed', message }]);
  }
}

/** The form asks its visitors for no proof of work. */
export class NoProofOfWork extends fact(
  NotFoundError,
  'no_proof_of_work',
  'This form asks for no proof of work. Turn on its signal proof_of_work first.',
) {}

/** A solution came twice at the same moment, and this one is the second. */
export class SolutionSpent extends Error {}

/** A captcha has not all that it takes to be verified. */
class CaptchaIncomplete extends InvalidInputError {
  /** @param missing as the API calls it */
  constructor(missing: 'provider' | 'site_key' | 'secret') {
    const message = `is required for a new captcha or another provider`;
    super('captcha_incomplete', `captcha.${missing} ${message}.`, [
      { field: `spam.captcha.${missing}`, code: 'captcha_incomplete', message },
    ]);
  }
}

/** The services that tell people from programs. */
export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha', 'recaptcha_v2', 'recaptcha_v3', 'friendly_captcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** The captcha that a form shows, and what it is checked with. */
export interface FormCaptcha {
  provider: CaptchaProvider;
  /** Key of the page; public. */
  siteKey: string;
  /** Key of this service; never shown. */
  secret: string;
  /** Expected action of the page; null accepts any. Only for Turnstile and reCAPTCHA v3. */
  action: string | null;
  /** The lowest score of reCAPTCHA v3, from 0 for a program to 1 for a person. */
  minScore: number;
}

/** Where tokens of a provider are: the fields that its script fills in, the first that is filled in counts. */
const FIELDS: Record<CaptchaProvider, readonly string[]> = {
  turnstile: ['cf-turnstile-response'],
  hcaptcha: ['h-captcha-response', 'g-recaptcha-response'],
  recaptcha_v2: ['g-recaptcha-response'],
  recaptcha_v3: ['g-recaptcha-response'],
  friendly_captcha: ['frc-captcha-response', 'frc-captcha-solution'],
};

/** Returns the names of the fields that have the token; none without a captcha. */
export function captchaFields(captcha: FormCaptcha | null): readonly string[] {
  return captcha === null ? [] : FIELDS[captcha.provider];
}

/**
 * Returns what a form has after a change. Another provider begins anew, with keys of its own.
 * @throws CaptchaIncomplete
 */
export function changedCaptcha(before: FormCaptcha | null, change: Partial<FormCaptcha>): FormCaptcha {
  const same = before?.provider === (change.provider ?? before?.provider) ? before : null;
  const after = { action: null, minScore: 0.5, ...same, ...change };
  const { provider, siteKey, secret } = after;
  if (provider === undefined) throw new CaptchaIncomplete('provider');
  if (siteKey === undefined) throw new CaptchaIncomplete('site_key');
  if (secret === undefined) throw new CaptchaIncomplete('secret');
  return { ...after, provider, siteKey, secret };
}

/** How the work of a submission was done. */
export type ProofState = 'solved' | 'missing' | 'unclear' | 'expired' | 'used';

/** Outcome of the proof of work of a submission, and the solution that it spends. */
export interface Proof {
  state: ProofState;
  solution: Solution | null;
}

/** Returns a proof that counts no more, or never did. */
export const noProof = (state: ProofState): Proof => ({ state, solution: null });

/** Why a token is no good. */
export type CaptchaFailure = 'missing' | 'refused' | 'expired' | 'elsewhere' | 'other_use' | 'low';

/**
 * Outcome of a captcha. `unknown` is neither of the others: a person who solved it must not pay for a provider
 * that is down, nor a program gain by it.
 */
export type CaptchaOutcome =
  | { is: 'pass' }
  | { is: 'fail'; why: CaptchaFailure }
  /** @param trouble what is wrong with the form's keys, in the provider's word; null when it is the provider */
  | { is: 'unknown'; trouble: string | null };

export const PASS: CaptchaOutcome = { is: 'pass' };
export const UNREACHABLE: CaptchaOutcome = { is: 'unknown', trouble: null };
export const failed = (why: CaptchaFailure): CaptchaOutcome => ({ is: 'fail', why });
export const misconfigured = (trouble: string): CaptchaOutcome => ({ is: 'unknown', trouble });

/** The token of a submission. A provider takes it once, so it is verified once, however often that is asked. */
export class CaptchaToken {
  private outcome: Promise<CaptchaOutcome> | null = null;

  /** @param text null when nothing was sent */
  constructor(readonly text: string | null) {}

  once(verify: (text: string) => Promise<CaptchaOutcome>): Promise<CaptchaOutcome> {
    return (this.outcome ??= this.text === null ? Promise.resolve(failed('missing')) : verify(this.text));
  }
}

/** The facts that a submission is judged by, besides the settings of its form. */
export interface SpamEvidence {
  form: Pick<Form, 'id' | 'accountId'>;
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** How long it took to fill in, as its token says. */
  fillMs: FillMs;
  /** How the work that the form asks for was done; null when it asks for none. */
  proof: ProofState | null;
  /** Token of the captcha of its page; null when the form has none. */
  captcha: CaptchaToken | null;
  /** Origin of the page it was sent from; null when the browser did not send it. */
  origin: string | null;
  /** Whether that is the form's own page. */
  isOwnPage: boolean;
  /** Submitted values, as a person reads them. */
  fields: readonly { name: string; text: string }[];
  userAgent: string | null;
  /** The languages that the browser asks for; null when it does not say. */
  acceptLanguage: string | null;
  /** How many texts came before within a day that are nearly the same. */
  alike: number;
  /** How many more came from its network within ten minutes. */
  fromNetwork: number;
  /** Its network address, never to be stored or named; '' when it is not known. */
  address: string;
}

/** Defaults of a signal in a form. */
export interface SignalDefaults {
  /** In snake_case; it is stored. */
  readonly name: string;
  readonly points: number;
  readonly enabled: boolean;
  /**
   * True: all that it looks at is stored, and it asks nobody else, so it looks once more when a submission is judged
   * again. What others found stays.
   */
  readonly again?: true;
}

/** Settings of a form as signals see them. */
export interface FormRules {
  /** The domains that the form may be sent from, with commas between; null for all. */
  readonly allowedDomains: string | null;
  /** The scripts that are expected; null for all. */
  readonly scripts: readonly Script[] | null;
  /** From which score on a submission is spam. */
  readonly spamAt: number;
  /** Whether what comes without proof of work is held, whatever that is worth. */
  readonly proofRequired: boolean;
  /** The captcha that the form shows; null for none. */
  readonly captcha: FormCaptcha | null;

  /**
   * Makes what a signal found into a part of the verdict.
   * @param share how much of the signal's points it is worth
   */
  part(name: string, reason: string, share?: number): SpamPart;
}

/** A part that a signal found. */
export interface FoundPart extends SpamPart {
  /** True: it speaks for the submission, and is worth what others found against it. */
  readonly allows?: true;
  /** True: the submission is held at least, whatever the part is worth. */
  readonly holds?: true;
}

/** Looks for one thing, at no cost but some processor time. Null: nothing to say. */
export interface SpamSignal extends SignalDefaults {
  /** True: it only supports others, so what is clean but for it has no parts. */
  readonly supports?: true;
  readonly look: (evidence: SpamEvidence, settings: FormRules) => FoundPart | null;
}

/**
 * Looks for one thing and may wait for it. It runs before the submission is stored, so off by default when it
 * asks somebody else.
 */
export interface SlowSignal extends SignalDefaults {
  /** True: it is asked after all others, and only about what is not spam yet, and not allowed. */
  readonly last?: true;
  /** Tells whether a form that has it on uses it; without it, each does. */
  readonly isUsedBy?: (settings: FormRules) => boolean;
  /** Tells, without waiting, that it has nothing to say, so that nobody waits for it; false when it does not know. */
  readonly isSilent?: (evidence: SpamEvidence) => boolean;
  /** Says what it means when it throws or its time is over; without it, nothing. */
  readonly unanswered?: (settings: FormRules) => FoundPart;
  /** @param late is aborted when the time of all slow signals is over */
  readonly look: (evidence: SpamEvidence, settings: FormRules, late: AbortSignal) => Promise<FoundPart | null>;
  /**
   * Tells for a signal that looks again whether its earlier result may hold, though the stored submission shows
   * nothing.
   */
  readonly mayHold?: (evidence: SpamEvidence) => Promise<boolean>;
}

/** Scripts that a form can expect, with what finds their letters. */
export const SCRIPTS = {
  Arabic: /\p{Script=Arabic}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Greek: /\p{Script=Greek}/gu,
  Han: /\p{Script=Han}/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Latin: /\p{Script=Latin}/gu,
  Thai: /\p{Script=Thai}/gu,
} as const;

export type Script = keyof typeof SCRIPTS;

export const SCRIPT_NAMES = Object.keys(SCRIPTS) as Script[];

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
type FillMs = number | 'unclear' | 'worn' | null;

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
  issue(formId: number) {
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
  private use(token: string) {
    const mark = token.slice(-MARK_CHARS);
    const count = (this.uses.get(mark) ?? 0) + 1;
    this.uses.delete(mark); // those that were used last are at the end
    this.uses.set(mark, count);
    const [oldest] = this.uses.keys();
    if (this.uses.size > COUNTED_MAX && oldest !== undefined) this.uses.delete(oldest);
    return count;
  }
}

const COLUMNS = ['submission_id', 'nonce', 'expires_at'];

/** A solution that counts for one submission alone. */
export interface Solution {
  /** Nonce of its challenge. */
  nonce: Buffer;
  expiresAt: Date;
}

/** Returns the statements that spend the solutions of submissions, for the transaction that stores them. */
export function spentSolutionInserts(submissions: readonly { id: Buffer; solution: Solution | null }[]): Statement[] {
  const spent = submissions.flatMap(({ id, solution }) => (solution ? [{ id, ...solution }] : []));
  // In one order everywhere, so that two transactions with the same solutions cannot deadlock.
  spent.sort((one, other) => one.nonce.compare(other.nonce));
  const rows = spent.map(({ id, nonce, expiresAt }) => [id, nonce, sqlDate(expiresAt)]);
  return insertStatement('spent_solutions', COLUMNS, rows);
}

/** Tells whether a transaction was refused because a solution in it is spent. */
export function isSpentTwice(error: unknown) {
  return isDuplicate(error, 'uq_spent_solutions_nonce', 'spent_solutions.nonce');
}

/** Addresses of one submission that are looked at. */
const ADDRESSES_MAX = 3;
/** Longer values are no address, in characters. */
const ADDRESS_MAX = 254;

/** Returns the domains of the addresses that are a value as a whole, each once and in ASCII. */
export function senderDomains(fields: readonly { text: string }[]): string[] {
  const found = new Set<string>();
  for (const { text } of fields) {
    if (found.size === ADDRESSES_MAX) break;
    if (text.length > ADDRESS_MAX) continue;
    const address = typedAddress(text);
    if (address === null) continue;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    found.add(isPlainHost(domain) ? domain : domainToASCII(domain));
  }
  return [...found];
}
