import { isFieldOf, keyOf, type Mapping, type Provider, DATES } from '../formats/index.js';
import type { ImportOptions } from '../model/import-options.js';
import { looksLikeTime } from '../times/moments.js';
import { createHash } from 'node:crypto';
import { cutAt } from '../../../platform/index.js';

/** Values of a column that are shown, and the longest one, in characters. */
const SHOWN_MAX = 3;
const SHOWN_CHARS = 80;

/** Use of a column: `known` has what a submission has besides its fields, such as its id. */
type ColumnUse = 'field' | 'time' | 'none' | 'known';

/** A column, and what an import makes of it. */
export interface PlannedColumn {
  name: string;
  use: ColumnUse;
  /** The field that its values become; null for none. */
  field: string | null;
  /** Some of its values. */
  samples: string[];
}

/** The use of all columns of a CSV. */
export interface ColumnPlan {
  columns: PlannedColumn[];
  /** The column of the time; null for none. */
  time: string | null;
  /** Whether its values alone say so, and neither its name nor somebody's choice. */
  isTimeGuessed: boolean;
  mapping: Mapping;
}

/** Facts that a plan is made from. */
export interface PlannedFor {
  provider: Provider;
  options: Pick<ImportOptions, 'time' | 'columns' | 'into'>;
  /** Longest name of a field, in bytes. */
  nameBytes: number;
}

/**
 * Plans what the columns of a CSV become: as somebody chose, and else the time by name or values, nothing for what is no
 * answer, the field of the form that is called much alike, or a field of their own name, however long. Each column of our
 * own exports is what it says.
 */
export function planOf(columns: readonly SampledColumn[], about: PlannedFor): ColumnPlan {
  const { provider, options } = about;
  const { isOurs = false, fieldOf } = provider;
  const chosen = new Map(options.columns);
  const found = timeColumnOf(
    provider,
    columns.filter(({ name }) => !chosen.has(name)),
  );
  const time = options.time ?? found?.name ?? null;
  const times = time === null ? [] : [time];
  const isField = isFieldOf(provider, true, times);
  const use = (name: string): ColumnUse => {
    if (time !== null && keyOf(name, isOurs) === keyOf(time, isOurs)) return 'time';
    if (!isField(name)) return 'known';
    const field = chosen.get(name);
    if (field === undefined) return isOurs || !isNoAnswer(name) ? 'field' : 'none';
    return field === null ? 'none' : 'field';
  };
  const names = columns.map(({ name }) => name).filter((name) => use(name) === 'field');
  const fields = fieldOf
    ? new Map(names.map((name) => [name, chosen.get(name) ?? fieldOf(name)]))
    : fieldsOf(names, chosen, about);
  const planned = columns.map(({ name, samples }) => ({
    name,
    use: use(name),
    field: fields.get(name) ?? null,
    samples: shownOf(samples),
  }));
  return {
    columns: planned,
    time,
    isTimeGuessed: options.time === null && found?.isGuessed === true,
    mapping: { times, columns: new Map(planned.map(({ name, field }) => [name, field])) },
  };
}

/** Gives each column a field: no two get the same one, unless somebody chose it or they are called alike. */
function fieldsOf(
  names: readonly string[],
  chosen: ReadonlyMap<string, string | null>,
  { options, nameBytes }: PlannedFor,
) {
  const fields = new Map<string, string>();
  const taken = new Set<string>();
  const give = (name: string, field: string) => {
    fields.set(name, field);
    taken.add(field);
  };
  for (const name of names) {
    const field = chosen.get(name) ?? (options.into.includes(name) ? name : undefined);
    if (field !== undefined) give(name, field);
  }
  const likeness = new Map(options.into.map((field) => [keyOfField(field), field] as const).reverse());
  for (const name of names) {
    const field = likeness.get(keyOfField(name));
    if (!fields.has(name) && field !== undefined && !taken.has(field)) give(name, field);
  }
  const left = names.filter((name) => !fields.has(name));
  const short = new Map<string, number>();
  const cut = (name: string) => shortened(name, nameBytes, () => false);
  for (const name of left) short.set(cut(name), (short.get(cut(name)) ?? 0) + 1);
  const isTaken = (field: string) => taken.has(field) || (short.get(field) ?? 0) > 1;
  for (const name of left) give(name, shortened(name, nameBytes, isTaken));
  return fields;
}

function shownOf(samples: readonly string[]) {
  return [...new Set(samples)].slice(0, SHOWN_MAX).map((text) => cutAt(text, SHOWN_CHARS));
}

/** Names of columns of the time that a submission was sent, as keys, the most exact first. */
const SENT = [
  ...['submittedat', 'submissiondate', 'submitdate', 'submissiontime', 'submittime', 'submitted'],
  ...['submittedon', 'datesubmitted', 'timesubmitted', 'submittedtime', 'timestamp', 'zeitstempel'],
  ...['horodateur', 'marcatemporal', 'informazionicronologiche', 'tijdstempel', 'отметкавремени'],
  ...['completiontime', 'completedat', 'completed', 'enddate', 'endtime', 'endedat', 'finishedat'],
  ...['finished', 'recordeddate', 'createdat', 'datecreated', 'createddate', 'creationdate'],
  ...['createdon', 'createdtime', 'created', 'entrydate', 'receivedat', 'received', 'sentat'],
  ...['senton', 'sent', 'eingegangenam', 'eingangsdatum', 'gesendetam', 'abgesendetam', 'erstelltam'],
  ...['datetime', 'date', 'datum', 'дата', 'fecha', 'time'],
];
/** The same of the time that somebody began. */
const BEGUN = ['startdate', 'starttime', 'startedat', 'started', 'start'];
/** Words in other names that say the same as the first ones. */
const SENT_WORDS = /submit|sent|complet|finish|end|receiv|creat|timestamp/;
/** Words in names of days that are no times of a submission. */
const OTHER_DAYS = /birth|born|dob|geburt|naissance|nacimiento|deadline|due|expir|arriv|depart|until/;
/** Seconds or milliseconds since 1970. */
const UNIX = /^\d{10}(?:\d{3})?$/;
/** Zones and other additions in brackets. */
const ADDITION = /\([^()]{0,64}\)$/;

/** A column of a CSV with some of its values. */
interface SampledColumn {
  name: string;
  samples: readonly string[];
}

/**
 * Finds the column of the time: by its name, and else by its values, of which all have to be times then.
 * @returns null for none, or several that are equally good
 */
function timeColumnOf(provider: Provider, columns: readonly SampledColumn[]) {
  if (provider.isOurs) return { name: provider.time[0] ?? '', isGuessed: false };
  const ranked = columns.map(({ name, samples }) => ({ name, ...gradeOf(provider, name, samples) }));
  const best = Math.min(...ranked.map(({ grade }) => grade));
  const found = ranked.filter(({ grade }) => grade === best).sort((a, b) => a.place - b.place);
  const [first, second] = found;
  if (!first || best === GRADES.none || (best === GRADES.values && second)) return null;
  return { name: first.name, isGuessed: best === GRADES.words || best === GRADES.values };
}

/** How sure it is that a column has the time; the lowest is the surest. */
const GRADES = { named: 0, partly: 1, words: 2, begun: 3, values: 4, unread: 5, none: Infinity };

/** Returns the grade of a column, and its place within that grade. */
function gradeOf({ time }: Provider, name: string, samples: readonly string[]) {
  const key = keyOfName(name.replace(ADDITION, ''));
  const own = time.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  // Names that any product may use are as good as others of that kind.
  const isOwn = own >= 0 && time !== DATES;
  const general = SENT.indexOf(key);
  const sent = isOwn ? own : general < 0 ? -1 : time.length + general;
  const begun = BEGUN.indexOf(key);
  const isNamed = sent >= 0 || begun >= 0;
  const times = samples.filter((text) => looksLikeTime(text) || (isNamed && UNIX.test(text)));
  const areAll = times.length === samples.length && times.length > 0;
  const place = sent >= 0 ? sent : Math.max(begun, 0);
  const graded = (grade: number) => ({ grade, place });
  if (sent >= 0) {
    if (areAll) return graded(GRADES.named);
    if (times.length > 0) return graded(GRADES.partly);
    return graded(own >= 0 ? GRADES.unread : GRADES.none);
  }
  if (!areAll || OTHER_DAYS.test(name.toLowerCase())) return graded(GRADES.none);
  if (begun >= 0) return graded(GRADES.begun);
  return graded(SENT_WORDS.test(name.toLowerCase()) ? GRADES.words : GRADES.values);
}

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
function keyOfName(name: string) {
  const key = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return key === '' ? name.trim() : key;
}

/** Tells whether a column says of whom or what a row is, and nothing that somebody answered. */
function isNoAnswer(name: string) {
  return NO_ANSWERS.has(keyOfName(name));
}

/** Returns what fields have in common that are called much alike: `E-mail` and `Your email address` are `email`. */
function keyOfField(name: string) {
  const key = keyOfName(name).replace(BEGINNINGS, '');
  return SAME_AS.get(key) ?? key;
}

/**
 * Returns a name of at most so many bytes.
 * @param isTaken tells names that are others'; one that is gets letters of a digest of the whole
 */
function shortened(name: string, maxBytes: number, isTaken: (name: string) => boolean) {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const plain = cut(name, maxBytes, CUT);
  if (!isTaken(plain)) return plain;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARS);
  return cut(name, maxBytes, `${CUT} ${digest}`);
}

/** Cuts a text before a whole character, and puts an end behind it. */
function cut(name: string, maxBytes: number, end: string) {
  const bytes = Buffer.from(name).subarray(0, Math.max(maxBytes - Buffer.byteLength(end), 0));
  // A character that was cut is a sign of its own at the end.
  return (
    bytes
      .toString('utf8')
      .replace(/\uFFFD$/, '')
      .trimEnd() + end
  );
}
