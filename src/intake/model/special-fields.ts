import { type JsonMember, siteAddressOf, parseUrl, parseWebUrl } from '../../platform/index.js';
import { CaptchaToken, captchaFields } from '../../spam/evidence/spam-evidence.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import type { StoredFile } from '../../submissions/files/file-store.js';
import type { Form } from '../../forms/model/form.entity.js';
import { allowsOrigin } from '../../spam/signals/origin.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';

/** The meaning that a page gives to a field that is not the visitor's. */
type Role = 'next' | 'error' | 'page' | 'honeypot' | 'append' | 'key' | 'subject' | 'language' | 'setting';

/** Roles by the name of the field. A name that ends in `*` means all that begin so. */
export type Roles = Readonly<Record<string, Role>>;

/** Roles of fields by which pages of any provider, and ours, say what is to be done. */
const COMMON: Roles = { _subject: 'subject', _language: 'language', _charset_: 'setting' };

/** Returns the role of a field; null for one of the visitor's. */
function roleOf(roles: Roles, name: string) {
  if (Object.hasOwn(roles, name)) return roles[name] ?? null;
  if (Object.hasOwn(COMMON, name)) return COMMON[name] ?? null;
  for (const known in roles) {
    if (known.endsWith('*') && name.startsWith(known.slice(0, -1))) return roles[known] ?? null;
  }
  return null;
}

/** The content of a request, before any rule is applied. */
export interface RawSubmission {
  /** Names and values as JSON text, in the order they were sent. */
  members: JsonMember[];
  files: StoredFile[];
}

/** Hidden from people by the page; only bots fill one in. */
const HONEYPOTS = new Set(['formbackend_nono', '_gotcha']);

/** Put into the form by captcha scripts, also where the form does not verify them. */
const CAPTCHA_TOKENS = new Set(['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response']);

/** Says when the page was opened; see `FormTokens`. */
const TOKEN_FIELD = '_token';

/** Holds what the visitor's computer worked out; see `ProofsOfWork`. */
const PROOF_FIELD = 'altcha';

const IDEMPOTENCY_KEY = '_idempotency_key';

/** Holds the address of the page, which browsers do not tell other sites. */
export const PAGE_FIELD = '_page';

/** Roles of fields that are obeyed whenever a form is sent. */
const CARRIED: ReadonlySet<Role> = new Set(['key', 'next', 'error', 'append', 'subject', 'language']);

/** Values by which a page says nothing. */
const EMPTY = new Set(['""', 'null']);

const BLANK = new Set(['""', 'null', 'false', '[]', '{}']);

/** The visitor's fields, and the values of the page's special fields. */
export interface ParsedSubmission extends RawSubmission {
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** Token of the form; null without one. */
  token: string | null;
  /** Solution of the proof of work; null without one, and when the form does not ask for it. */
  proof: string | null;
  /** Token of the form's captcha; null when the form has none. */
  captcha: CaptchaToken | null;
  idempotencyKey: string | null;
  /** The address of the page, as it says itself; null when it does not. */
  page: string | null;
  /** Where the page sends the visitor next, and after an error; null for where the form does. */
  next: string | null;
  error: string | null;
  /** The subject of the mails about it; null when the page gives none. */
  subject: string | null;
  /** The language of the page, as it says itself; null when it does not. */
  language: string | null;
  /** Whether what was sent is added to `next`; null when the page does not say. */
  appends: boolean | null;
  /** The fields that say so and name the form, which a visitor who corrects answers has to send once more. */
  carried: { name: string; text: string }[];
}

/** Token fields of a form without a proof of work and a captcha, as most are. */
const USUAL_TOKENS: ReadonlySet<string> = new Set([...CAPTCHA_TOKENS, TOKEN_FIELD]);

/** Returns the names of fields that are read here, are not stored and may be as long as a body. */
export function tokenFields({ asksForProof, captcha }: SpamSettings): ReadonlySet<string> {
  if (!asksForProof && captcha === null) return USUAL_TOKENS;
  const ofForm = [...captchaFields(captcha), ...(asksForProof ? [PROOF_FIELD] : [])];
  return new Set([...USUAL_TOKENS, ...ofForm]);
}

/**
 * Separates the special fields that a form knows; every other field stays, whatever its name.
 * @param roles of the fields that the dialect of its page knows
 */
export function extractSpecialFields(
  { members, files }: RawSubmission,
  settings: SpamSettings,
  roles: Roles,
): ParsedSubmission {
  const { honeypots: own, asksForProof, captcha: shown } = settings;
  const tokenNames = captchaFields(shown);
  const tokens = new Map<string, string>();
  const said = new Map<Role, string>();
  const kept: JsonMember[] = [];
  const carried: ParsedSubmission['carried'] = [];
  let honeypot: string | null = null;
  let token: string | null = null;
  let proof: string | null = null;
  let idempotencyKey: string | null = null;
  for (const member of members) {
    const role = member.name === PAGE_FIELD ? 'page' : roleOf(roles, member.name);
    if (role !== null && role !== 'honeypot') {
      if (said.has(role) || EMPTY.has(member.json)) continue;
      const text = textOf(member.json);
      said.set(role, text);
      if (CARRIED.has(role)) carried.push({ name: member.name, text });
    } else if (role !== null || HONEYPOTS.has(member.name) || own.includes(member.name)) {
      if (!BLANK.has(member.json)) honeypot ??= member.name;
    } else if (member.name === TOKEN_FIELD) {
      if (!BLANK.has(member.json)) token = textOf(member.json);
    } else if (asksForProof && member.name === PROOF_FIELD) {
      if (!BLANK.has(member.json)) proof = textOf(member.json);
    } else if (member.name === IDEMPOTENCY_KEY) {
      if (!BLANK.has(member.json)) idempotencyKey = textOf(member.json);
    } else if (tokenNames.includes(member.name)) {
      if (!BLANK.has(member.json)) tokens.set(member.name, textOf(member.json));
    } else if (!CAPTCHA_TOKENS.has(member.name)) kept.push(member);
  }
  const text = tokenNames.map((name) => tokens.get(name)).find((each) => each !== undefined);
  const captcha = shown && new CaptchaToken(text ?? null);
  const append = said.get('append');
  return {
    ...{ members: kept, files, honeypot, token, proof, captcha, idempotencyKey },
    page: said.get('page') ?? null,
    next: said.get('next') ?? null,
    error: said.get('error') ?? null,
    subject: said.get('subject') ?? null,
    language: said.get('language') ?? null,
    appends: append === undefined ? null : append !== 'false',
    carried,
  };
}

function textOf(json: string) {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** Tells whether nothing was sent at all. */
export function isEmpty({ members, files, honeypot }: ParsedSubmission) {
  return members.length === 0 && files.length === 0 && honeypot === null;
}

/** Longest address that is read, in characters. */
const TARGET_MAX = 2048;

/**
 * Returns the address that a page asks for; null unless it is of that page's own origin or of a site that the form
 * allows, since anybody can send a form.
 * @param page the page or its origin; null when it is not known
 * @param domains the sites of the form; null for no list, which allows no other site
 */
export function allowedTarget(text: string | null, page: string | null, domains: string | null): URL | null {
  if (text === null || text.length > TARGET_MAX) return null;
  const base = page !== null && parseUrl(page) ? siteAddressOf(page) : undefined;
  const target = parseWebUrl(text, base);
  if (target?.username !== '' || target.password !== '') return null;
  const isOfPage = base !== undefined && new URL(base).origin === siteAddressOf(target.origin);
  const isAllowed = domains !== null && allowsOrigin(domains, target.origin);
  return isOfPage || isAllowed ? target : null;
}

/**
 * Returns where a page sends its visitors after a submission, with what they sent where its dialect adds that; null
 * where the form decides.
 * @param page the page or its origin; null when it is not known
 */
export function nextOf(
  { next, appends, members }: ParsedSubmission,
  roles: Roles,
  page: string | null,
  { whitelistedDomains }: Pick<Form, 'whitelistedDomains'>,
): string | null {
  const target = allowedTarget(next, page, whitelistedDomains);
  if (!target) return null;
  const isLonger = appends ?? Object.values(roles).includes('append');
  return (isLonger ? withEntries(target, new SubmittedValues(members).toText()) : target).href;
}

/** Adds what was sent to the query of an address, as far as there is room. */
function withEntries(target: URL, entries: readonly { name: string; text: string }[]) {
  const longer = new URL(target);
  for (const { name, text } of entries) {
    const before = longer.href;
    longer.searchParams.append(name, text);
    if (longer.href.length > TARGET_MAX) return new URL(before);
  }
  return longer;
}

/**
 * The response after a submission was stored. Its keys suit the client scripts of several form services: each
 * reads its own. There is no `errors` key, since some scripts take even an empty one for a failure.
 */
export interface Success {
  success: true;
  ok: true;
  status: 'success';
  code: 200;
  message: string;
  submission_text: string;
  /** Where a browser is redirected to. */
  next: string;
  /** The form's `redirect_url`, or what the page names in its place. */
  redirect: string | null;
  id: string;
}

export function successBody(message: string, text: string, next: string, redirect: string | null, id: string): Success {
  return { success: true, ok: true, status: 'success', code: 200, message, submission_text: text, next, redirect, id };
}
