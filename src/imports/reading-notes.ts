import type { ImportReader } from './reading/import-reader.js';

/** Something about how a file is read that somebody should know, or is asked. */
export interface ReadingNote {
  /** The choice that answers it, as in the query of an import. */
  about: 'encoding' | 'time' | 'dates' | 'columns';
  message: string;
  /** Whether it is a question that only somebody can answer. */
  isQuestion: boolean;
}

/** Most cells above the header that are named. */
const TITLES_NAMED = 3;
const ORDERS = { day_first: 'the day', month_first: 'the month' } as const;

/** Returns what is to be said about how a file is read: guesses, and questions. */
export function notesOn(reader: ImportReader): ReadingNote[] {
  const notes: ReadingNote[] = [];
  const say = (about: ReadingNote['about'], message: string) => {
    notes.push({ about, message, isQuestion: message.endsWith('?') });
  };
  if (reader.isEncodingGuessed) {
    say(
      'encoding',
      'The file is not in UTF-8. We read it as windows-1252. Are all letters right, or which encoding is it?',
    );
  }
  const { plan, header, days, options } = reader;
  if (header && header.titles.length > 0) {
    const titles = header.titles.slice(0, TITLES_NAMED).map((text) => `“${text.trim()}”`);
    say(
      'columns',
      `The names of the columns are in line ${header.line}. We left out above it: ${titles.join(', ')}.`,
    );
  }
  if (plan && options.undated === 'refuse') {
    const isThere = plan.columns.some(({ use }) => use === 'time');
    if (plan.time === null) say('time', 'No column was read as the time. Which one is it?');
    else if (!isThere)
      say('time', `The file has no column “${plan.time}”. Which one has the time?`);
  }
  if (plan?.timeBy === 'values' && plan.time !== null) {
    say('time', `“${plan.time}” was read as the time, since all of its values are times.`);
  }
  const { proofs, either, areBoth, order } = days;
  if (areBoth && !days.isChosen) {
    say(
      'dates',
      `“${proofs.month_first ?? ''}” has the month first, and “${proofs.day_first ?? ''}” the day. Rows such as “${either ?? ''}” are not imported. Which one comes first?`,
    );
  } else if (either !== null && order === null) {
    say('dates', `“${either}” can be read in two ways. Does the day or the month come first?`);
  } else if (either !== null && order !== null && !days.isChosen) {
    say(
      'dates',
      `“${either}” is read with ${ORDERS[order]} first, as “${proofs[order] ?? ''}” proves.`,
    );
  }
  return notes;
}
