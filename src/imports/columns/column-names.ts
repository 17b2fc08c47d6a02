import { createHash } from 'node:crypto';

/** Beginnings of questions that say no more than the rest, as keys. */
const BEGINNINGS =
  /^(?:pleaseenteryour|pleaseenter|enteryour|whatisyour|whatsyour|your|ihre|ihr|deine|dein|votre)(?=.)/;
/** Keys of fields that are one field by several names. */
const SAME: readonly (readonly string[])[] = [
  ['name', 'fullname'],
  ['email', 'emailaddress', 'mail', 'mailaddress', 'emailadresse', 'mailadresse'],
  ['phone', 'phonenumber', 'telephone', 'telephonenumber', 'tel', 'telefon', 'telefonnummer'],
];
const SAME_AS = new Map(SAME.flatMap((all) => all.map((key) => [key, all[0] ?? key] as const)));
/** Columns of other products that are no answer: where a visitor is in the network, and numbers of rows. */
const NO_ANSWERS = new Set([
  ...['ip', 'ipaddress', 'ipaddr', 'ipadresse', 'remoteip', 'remoteaddr', 'remoteaddress'],
  ...['clientip', 'userip', 'visitorip', 'senderip', 'submitterip', 'sourceip', 'networkid'],
  ...['submissionid', 'respondentid', 'responseid', 'entryid', '#'],
]);
/** Letters of a digest that tell shortened names apart. */
const DIGEST_CHARS = 6;
const CUT = '…';

/** Returns the letters and digits of a name alone, in small letters. */
export function keyOfName(name: string): string {
  const key = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return key === '' ? name.trim() : key;
}

/** Tells whether a column says of whom or what a row is, and nothing that somebody answered. */
export function isNoAnswer(name: string): boolean {
  return NO_ANSWERS.has(keyOfName(name));
}

/** Returns what fields have in common that are called much alike: `E-mail` and `Your email address` are `email`. */
export function keyOfField(name: string): string {
  const key = keyOfName(name).replace(BEGINNINGS, '');
  return SAME_AS.get(key) ?? key;
}

/**
 * Returns a name of at most so many bytes.
 * @param isTaken tells names that are others'; one that is gets letters of a digest of the whole
 */
export function shortened(
  name: string,
  maxBytes: number,
  isTaken: (name: string) => boolean,
): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const plain = cut(name, maxBytes, CUT);
  if (!isTaken(plain)) return plain;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARS);
  return cut(name, maxBytes, `${CUT} ${digest}`);
}

/** Cuts a text before a whole character, and puts an end behind it. */
function cut(name: string, maxBytes: number, end: string): string {
  const bytes = Buffer.from(name).subarray(0, Math.max(maxBytes - Buffer.byteLength(end), 0));
  // A character that was cut is a sign of its own at the end.
  return (
    bytes
      .toString('utf8')
      .replace(/\uFFFD$/, '')
      .trimEnd() + end
  );
}
