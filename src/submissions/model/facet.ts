import { type Sent, PAGE_KEY, ORIGIN_KEY, COUNTRY_KEY, digestOf } from './submitted-values.js';
import { campaignOf, pageOf } from './page-address.js';

/** Facets of submissions, as rows store them. */
export const PAGE = 1;
export const ORIGIN = 2;
export const COUNTRY = 3;
export const FIELD = 4;
export const CAMPAIGN = 6;

/** The rules by which submissions are counted from now on; `submissions.facets` has a row's rules. The first had no campaigns. */
export const FACETS_NOW = 2;
/** Stands in for the digest of what cannot be named. */
export const OTHER = 'other';

/** Stands before a campaign in its digest; no field has this name. */
const CAMPAIGN_KEY = '\0campaign';

/** Longest page and origin that are named, in characters. */
const TEXT_MAX = 200;
/** Fields of one submission that are looked at. */
const FIELDS_MAX = 20;
/** Longest values, in characters, of which fields are looked at: others would keep visitors waiting. */
const PAYLOAD_MAX_CHARS = 64 * 1024;
/** May be of one person, such as a link that was sent to them. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const LONG_RUN = /[a-z\d]{16,}/gi;

/** One thing that a submission is counted by. */
export interface Facet {
  facet: number;
  /** Name of the field; else empty. */
  name: string;
  /**
   * Empty where the browser said nothing. Null for what cannot be named: a page that may be of one person, or a
   * value that is too long for a choice.
   */
  text: string | null;
}

/** A change of the counts of a form in an hour of UTC. */
export interface FacetAmount extends Facet {
  amount: number;
}

/** Returns what a submission is counted by. It depends on what is stored of it alone. @param rules by which it is counted */
export function facetsOf(sent: Sent, payloadChars: number, rules = FACETS_NOW): Facet[] {
  const { origin, country } = sent;
  const campaign = rules === 1 ? '' : campaignOf(sent);
  return [
    { facet: PAGE, name: '', text: nameable(pageOf(sent)) },
    { facet: ORIGIN, name: '', text: nameable(origin ?? '') },
    ...(country === null ? [] : [{ facet: COUNTRY, name: '', text: country }]),
    ...(campaign === '' ? [] : [{ facet: CAMPAIGN, name: '', text: nameable(campaign) }]),
    ...(payloadChars > PAYLOAD_MAX_CHARS ? [] : fieldsOf(sent)),
  ];
}

/** Returns the digest that counts of a facet have, in hexadecimal; OTHER for what has no name. */
export function facetDigest({ facet, name, text }: Facet) {
  if (text === null) return OTHER;
  if (facet === PAGE) return digestOf(PAGE_KEY, text);
  if (facet === ORIGIN) return digestOf(ORIGIN_KEY, text);
  if (facet === COUNTRY) return digestOf(COUNTRY_KEY, text);
  if (facet === CAMPAIGN) return digestOf(CAMPAIGN_KEY, text);
  return digestOf(name, text);
}

/** Returns a page, an origin or a campaign as it is named; null for one that may be of one person, or is long. */
export function nameable(text: string) {
  if (text.length > TEXT_MAX || text.includes('@') || UUID.test(text)) return null;
  const runs = text.match(LONG_RUN) ?? [];
  return runs.some((run) => /\d/.test(run) && /[a-z]/i.test(run)) ? null : text;
}

/** Returns the values of fields that people choose from, each once. */
function fieldsOf({ values }: Sent): Facet[] {
  const fields = new Map<string, Set<string | null>>();
  for (const { name, text } of values.scalars()) {
    if (text.trim() === '') continue;
    let known = fields.get(name);
    if (!known) {
      if (fields.size === FIELDS_MAX) continue;
      known = new Set();
      fields.set(name, known);
    }
    known.add(isChoice(text) ? text : null);
  }
  return [...fields].flatMap(([name, texts]) =>
    mayBeChoice(name) ? Array.from(texts, (text) => ({ facet: FIELD, name, text })) : [],
  );
}

/** Longest name of a field, and longest value of a choice, in characters. */
const NAME_MAX = 64;
const CHOICE_MAX = 60;
/** May be a number of a phone, a date or a code; ranges such as `1,000 to 3,000` are none. */
const NUMBER = /\d{6}|^[+0][\d\s()./-]{7,}$|^\d{4}-\d\d-\d\d/;
/** Looks like an address, or has more than a line. */
const NO_CHOICE = /@|:\/\/|[\p{Cc}]/u;
/** Parts of names of fields that ask who somebody is, what they write, or for a secret; in English and German. */
const PERSONAL = new RegExp(
  [
    'mail|name|phone|mobile|telefon|handy|message|nachricht|comment|kommentar|bemerkung|anliegen',
    'password|passwort|passwd|secret|token|captcha|address|adresse|anschrift|street|stra(?:ss|ß)e',
    'birth|geburt|iban|website|homepage|company|firma|signature|unterschrift|account|konto',
  ].join('|'),
  'i',
);
/** Words that mean so only by themselves. */
const PERSONAL_WORDS = new Set([
  ...['tel', 'fax', 'zip', 'plz', 'postcode', 'postal', 'dob', 'ip', 'url', 'key', 'pin', 'ssn', 'bic'],
  ...['vat', 'card', 'cvc', 'text', 'subject', 'betreff', 'notes', 'note', 'id', 'uuid', 'code', 'otp'],
]);
/** Results by field name, since most submissions of a form have the same names; bounded. */
const told = new Map<string, boolean>();
const TOLD_MAX = 2_000;

/** Tells by its name whether a field may have values to choose from that say nothing of a person. */
export function mayBeChoice(name: string) {
  const known = told.get(name);
  if (known !== undefined) return known;
  const found = isAskedFrom(name);
  if (name.length <= NAME_MAX && told.size < TOLD_MAX) told.set(name, found);
  return found;
}

function isAskedFrom(name: string) {
  if (name.length > NAME_MAX || name.startsWith('_') || PERSONAL.test(name)) return false;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return !words.some((word) => PERSONAL_WORDS.has(word));
}

/** Tells whether a value is as short and plain as values of a select, radio buttons and checkboxes. */
export function isChoice(text: string) {
  return text.length <= CHOICE_MAX && !NO_CHOICE.test(text) && !NUMBER.test(text);
}
