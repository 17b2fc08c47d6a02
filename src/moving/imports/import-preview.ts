import type { DomainError } from '../../platform/index.js';
import type { ImportedSubmission } from '../../submissions/storage/imported-submissions.service.js';
import type { ImportReader } from './reading/import-reader.js';
import type { ReadRow } from './reading/file-rows.js';
import type { PlannedColumn } from './columns/column-plan.js';
import { KEPT_MAX, type RowProblem } from './model/import.entity.js';
import { isGuessed } from './model/import-options.js';

/** Rows that are shown as they would be stored. */
const SHOWN_MAX = 5;

/** Result of going through a file without storing anything. */
export class ImportPreview {
  /** Rows that were gone through. */
  total = 0;
  /** How many of them would be stored, were there already, and cannot be stored. */
  imported = 0;
  skipped = 0;
  broken = 0;
  /** How many of those to be stored are spam, and how many the retention of the form would remove. */
  spam = 0;
  expired = 0;
  /** Whether the whole file was gone through. */
  isWhole = false;
  readonly first: ImportedSubmission[] = [];
  readonly brokenRows: RowProblem[] = [];
  /** Why the file cannot be read to its end; null when it can. */
  problem: DomainError | null = null;

  /** @param keptFrom from when on the form keeps submissions; null for all */
  constructor(
    /** Says how the file is read: as somebody chose, as it says, or as was guessed. */
    readonly reader: ImportReader,
    private readonly keptFrom: Date | null,
  ) {}

  /** Returns the columns of a CSV; none of other files. */
  get columns(): readonly PlannedColumn[] {
    return this.reader.plan?.columns ?? [];
  }

  /** Returns what is to be said about how the file is read: guesses, and questions. */
  get notes(): readonly ReadingNote[] {
    return notesOn(this.reader);
  }

  /** Counts rows, of which these submissions are new. */
  add(rows: readonly ReadRow[], fresh: readonly ImportedSubmission[]) {
    this.total += rows.length;
    this.imported += fresh.length;
    for (const row of rows) {
      if (row.submission) {
        if (this.first.length < SHOWN_MAX) this.first.push(row.submission);
        continue;
      }
      this.broken++;
      if (this.brokenRows.length < KEPT_MAX) this.brokenRows.push(row);
    }
    this.skipped = this.total - this.imported - this.broken;
    for (const { spam, createdAt } of fresh) {
      if (spam) this.spam++;
      if (this.keptFrom && createdAt < this.keptFrom) this.expired++;
    }
  }
}

/** Something about how a file is read that somebody should know, or is asked. */
interface ReadingNote {
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
function notesOn(reader: ImportReader) {
  const notes: ReadingNote[] = [];
  const say = (about: ReadingNote['about'], message: string) => {
    notes.push({ about, message, isQuestion: message.endsWith('?') });
  };
  const { plan, header, days, options } = reader;
  if (isGuessed(reader.encoding, options.encoding)) {
    say(
      'encoding',
      'The file is not in UTF-8. We read it as windows-1252. Are all letters right, or which encoding is it?',
    );
  }
  if (header && header.titles.length > 0) {
    const titles = header.titles.slice(0, TITLES_NAMED).map((text) => `“${text.trim()}”`);
    say('columns', `The names of the columns are in line ${header.line}. We left out above it: ${titles.join(', ')}.`);
  }
  if (plan && options.undated === 'refuse') {
    const isThere = plan.columns.some(({ use }) => use === 'time');
    if (plan.time === null) say('time', 'No column was read as the time. Which one is it?');
    else if (!isThere) say('time', `The file has no column “${plan.time}”. Which one has the time?`);
  }
  if (plan?.isTimeGuessed === true && plan.time !== null) {
    say('time', `“${plan.time}” was read as the time, since all of its values are times.`);
  }
  const { proofs, either, areBoth, order } = days;
  if (areBoth && options.dates === null) {
    say(
      'dates',
      `“${proofs.month_first ?? ''}” has the month first, and “${proofs.day_first ?? ''}” the day. Rows such as “${either ?? ''}” are not imported. Which one comes first?`,
    );
  } else if (either !== null && order === null) {
    say('dates', `“${either}” can be read in two ways. Does the day or the month come first?`);
  } else if (either !== null && order !== null && options.dates === null) {
    say('dates', `“${either}” is read with ${ORDERS[order]} first, as “${proofs[order] ?? ''}” proves.`);
  }
  return notes;
}
