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
  ...[
    'tel',
    'fax',
    'zip',
    'plz',
    'postcode',
    'postal',
    'dob',
    'ip',
    'url',
    'key',
    'pin',
    'ssn',
    'bic',
  ],
  ...[
    'vat',
    'card',
    'cvc',
    'text',
    'subject',
    'betreff',
    'notes',
    'note',
    'id',
    'uuid',
    'code',
    'otp',
  ],
]);

/** Results by field name, since most submissions of a form have the same names; bounded. */
const told = new Map<string, boolean>();
const TOLD_MAX = 2_000;

/** Tells by its name whether a field may have values to choose from that say nothing of a person. */
export function mayBeChoice(name: string): boolean {
  const known = told.get(name);
  if (known !== undefined) return known;
  const found = isAskedFrom(name);
  if (name.length <= NAME_MAX && told.size < TOLD_MAX) told.set(name, found);
  return found;
}

function isAskedFrom(name: string): boolean {
  if (name.length > NAME_MAX || name.startsWith('_') || PERSONAL.test(name)) return false;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return !words.some((word) => PERSONAL_WORDS.has(word));
}

/** Tells whether a value is as short and plain as those of a select, of radio buttons and of checkboxes. */
export function isChoice(text: string): boolean {
  return text.length <= CHOICE_MAX && !NO_CHOICE.test(text) && !NUMBER.test(text);
}
