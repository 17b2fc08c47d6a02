import { DATES, type Provider } from '../formats/provider.js';
import { looksLikeTime } from '../times/moments.js';
import { keyOfName } from './column-names.js';

/** Names of columns of the time that a submission was sent, as keys, the most exact first. */
const SENT = [
  ...['submittedat', 'submissiondate', 'submitdate', 'submissiontime', 'submittime', 'submitted'],
  ...['submittedon', 'datesubmitted', 'timesubmitted', 'submittedtime', 'timestamp', 'zeitstempel'],
  ...['horodateur', 'marcatemporal', 'informazionicronologiche', 'tijdstempel', 'отметкавремени'],
  ...['completiontime', 'completedat', 'completed', 'enddate', 'endtime', 'endedat', 'finishedat'],
  ...['finished', 'recordeddate', 'createdat', 'datecreated', 'createddate', 'creationdate'],
  ...['createdon', 'createdtime', 'created', 'entrydate', 'receivedat', 'received', 'sentat'],
  ...[
    'senton',
    'sent',
    'eingegangenam',
    'eingangsdatum',
    'gesendetam',
    'abgesendetam',
    'erstelltam',
  ],
  ...['datetime', 'date', 'datum', 'дата', 'fecha', 'time'],
];
/** The same of the time that somebody began. */
const BEGUN = ['startdate', 'starttime', 'startedat', 'started', 'start'];
/** Words in other names that say the same as the first ones. */
const SENT_WORDS = /submit|sent|complet|finish|end|receiv|creat|timestamp/;
/** Words in names of days that are no times of a submission. */
const OTHER_DAYS =
  /birth|born|dob|geburt|naissance|nacimiento|deadline|due|expir|arriv|depart|until/;
/** Seconds or milliseconds since 1970. */
const UNIX = /^\d{10}(?:\d{3})?$/;
/** Zones and other additions in brackets. */
const ADDITION = /\([^()]{0,64}\)$/;

/** A column of a CSV with some of its values. */
export interface SampledColumn {
  name: string;
  samples: readonly string[];
}

/** The column that was found to have the time, and whether its name or its values said so. */
export interface FoundTime {
  name: string;
  by: 'name' | 'values';
}

/**
 * Finds the column of the time: by its name, and else by its values, of which all have to be times then.
 * @returns null for none, or several that are equally good
 */
export function timeColumnOf(
  provider: Provider,
  columns: readonly SampledColumn[],
): FoundTime | null {
  const ranked = columns.map((column) => ({ column, ...gradeOf(provider, column) }));
  const best = Math.min(...ranked.map(({ grade }) => grade));
  if (best === Infinity) return null;
  const found = ranked.filter(({ grade }) => grade === best).sort((a, b) => a.place - b.place);
  const [first, second] = found;
  if (!first || (best === GRADES.values && second)) return null;
  const isByValues = best === GRADES.words || best === GRADES.values;
  return { name: first.column.name, by: isByValues ? 'values' : 'name' };
}

/** How sure it is that a column has the time; the lowest is the surest. */
const GRADES = { named: 0, partly: 1, words: 2, begun: 3, values: 4, unread: 5, none: Infinity };

/** Returns the grade of a column, and its place among those of the same one. */
function gradeOf({ time }: Provider, { name, samples }: SampledColumn) {
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
