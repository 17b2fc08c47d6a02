import { normalise, typedAddress, type JsonMember } from '../../platform/index.js';
import { answerLines, innerName, isNested, outermost, type AnswerLine, isAddressField } from './preview.js';

/**
 * Returns a text as it is compared by a search: what differs only in the case of letters, or in how a letter with
 * marks is composed, is the same. Both the texts and what is searched for go through it, so no database has to know
 * about letters.
 */
export function fold(text: string) {
  // A sigma at the end of a word is another letter in lower case; the beginning of a word would not be found in it.
  const lower = normalise(text.toWellFormed(), 'NFC').toLowerCase().replaceAll('ς', 'σ');
  return normalise(lower, 'NFC');
}

/** Names of fields that contain the visitor's own address by convention, in lower case. */
const FIRST_NAMES = new Set(['email', '_replyto']);

/** The values of a submission. */
interface Sent {
  members: readonly JsonMember[];
  /** Returns the plain ones, those in a list one by one. */
  scalars(): readonly { name: string; text: string }[];
}

/** A value that may be an address, and the name of what holds it. */
type Value = Pick<AnswerLine, 'name' | 'path' | 'text'>;

type Found = Value & { address: string };

/**
 * Returns the visitor's address: of a field named for it, else the only one of the outermost values named for it that fields
 * hold, else the only one in all fields, else the only one in what they hold.
 */
export function addressOfVisitor(values: Sent): string | null {
  const { named, held, others } = foundIn(values);
  const first = named.find(({ name }) => FIRST_NAMES.has(name.toLowerCase())) ?? named[0];
  return first?.address ?? onlyOf(held) ?? onlyOf(others);
}

/**
 * Returns the email addresses that a submission was sent under, in lower case: those in fields named for
 * one, else any in values named for one that fields hold, and the only address in any field.
 */
export function visitorAddressesOf(values: Sent): string[] {
  const { named, held, others } = foundIn(values);
  if (named.length > 0) return distinct(named);
  const only = onlyOf(others);
  return only === null ? distinct(held) : distinct([...held, { address: only }]);
}

/** Returns the addresses in fields named for one, in values named for one, and in others. */
function foundIn(values: Sent) {
  const plain = addressesIn(values.scalars());
  const named = plain.filter(isNamed);
  const nested = named.length > 0 ? [] : addressesIn(linesHeld(values));
  return { named, held: outermost(nested.filter(isNamed)), others: plain.length > 0 ? plain : nested };
}

/** Returns the values in objects that fields hold, under their own names. */
function linesHeld({ members }: Sent): Value[] {
  const objects = members.filter(({ json }) => isNested(json));
  if (objects.length === 0) return [];
  return answerLines(objects)
    .filter(({ path }) => path.length > 0)
    .map((line) => ({ ...line, name: innerName(line) }));
}

/** Returns the values that are addresses, which most are not. */
function addressesIn(values: readonly (Omit<Value, 'path'> & Partial<Value>)[]) {
  const found: Found[] = [];
  for (const { name, text, path = [] } of values) {
    const address = typedAddress(text);
    if (address !== null) found.push({ name, text, path, address });
  }
  return found;
}

function isNamed({ name }: Found) {
  return isAddressField(name);
}

function onlyOf(found: readonly Found[]) {
  const [first] = found;
  return first && distinct(found).length === 1 ? first.address : null;
}

function distinct(found: readonly Pick<Found, 'address'>[]) {
  return [...new Set(found.map(({ address }) => address.toLowerCase()))];
}
