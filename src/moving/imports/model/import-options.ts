import type { ProviderName } from '../formats/index.js';
import {
  ConflictError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnsupportedTypeError,
  fact,
  byteSize,
} from '../../../platform/index.js';

/** Encodings that are told by the bytes of a file; any other of the Encoding Standard has to be chosen. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The one that bytes are read in which say nothing else. */
export const GUESSED: Encoding = 'windows-1252';

/** Tells whether the encoding of a file is a guess: its bytes are of many, and nobody chose one. */
export function isGuessed(found: string, chosen: string | null) {
  return chosen === null && found === GUESSED;
}

/** Longest label that is looked at, in characters. */
const LABEL_MAX = 64;

/**
 * Reads a label of the Encoding Standard, such as `windows-1251`, `cp1251` or `Shift_JIS`.
 * @returns the name of its encoding, or null
 */
export function parseEncoding(label: unknown): string | null {
  if (typeof label !== 'string' || label.length > LABEL_MAX) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null; // no such label
  }
}

/** Treatment of rows without a time: they are broken, or take the time of the import. */
export const UNDATED = ['refuse', 'now'] as const;

/** Treatment of the addresses of files: they stay as text, or the files are fetched. */
export const FILES = ['address', 'fetch'] as const;

/** Order of day and month in dates of digits. */
export const DAY_ORDERS = ['day_first', 'month_first'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Says how a file is read. */
export interface ImportOptions {
  provider: ProviderName;
  /** The column of the time; null to find it out. */
  time: string | null;
  /** Columns with their new names; null for those that are left out. */
  columns: readonly (readonly [from: string, to: string | null])[];
  undated: (typeof UNDATED)[number];
  /** Whether the apostrophe is taken away that some exports put before a formula. */
  unprefix: boolean;
  files: (typeof FILES)[number];
  /** Name in the Encoding Standard; null to find it out. */
  encoding: string | null;
  /** The order of dates that can be read in two ways; null where other rows of the file are to prove it. */
  dates: DayOrder | null;
  /** Fields that the form had when the file was taken: columns that are called much like one become it. */
  into: readonly string[];
}

/** Returns how an export of a provider is read when nobody says otherwise. */
export function plainOptions(provider: ProviderName): ImportOptions {
  return {
    provider,
    time: null,
    columns: [],
    undated: 'refuse',
    unprefix: false,
    files: 'address',
    encoding: null,
    dates: null,
    into: [],
  };
}

export class ImportNotFound extends fact(NotFoundError, 'import_not_found', 'Import not found.') {}

/** The file is not what the provider exports. */
export class ImportUnreadable extends fact(MalformedError, 'import_unreadable', (message: string) => message) {}

/** The file ends where more has to follow. */
export class ImportTruncated extends fact(
  MalformedError,
  'import_truncated',
  (line: number) =>
    `The file ends in the middle of the submission that begins at line ${line}. Export it again, and import the new file: what is there already is skipped.`,
) {}

/** The file is an archive. */
export class ImportPacked extends fact(
  UnsupportedTypeError,
  'import_packed',
  'This is a packed file. Unpack it first, and import the file in it.',
) {}

/** The file is a workbook of a spreadsheet. */
export class ImportWorkbook extends fact(
  UnsupportedTypeError,
  'import_workbook',
  (kind: string) => `This is ${kind}. Save the sheet as CSV (UTF-8) and import that.`,
) {}

/** The file is a web page, such as that of a sign-in. */
export class ImportWebPage extends fact(
  UnsupportedTypeError,
  'import_web_page',
  'This is a web page. Download the export as CSV or JSON while you are signed in there; if a spreadsheet opens this file as a table, save it from there as CSV (UTF-8).',
) {}

export class ImportTooLarge extends fact(
  TooLargeError,
  'import_too_large',
  (maxBytes: number) =>
    `The file is larger than ${byteSize(maxBytes)}. Divide it, or ask the operator to raise IMPORT_MAX_BYTES.`,
) {}

/** So many imports are under way already. */
export class TooManyImports extends fact(
  ConflictError,
  'too_many_imports',
  (max: number) => `Up to ${max} imports can be under way at the same time. Wait for one to finish, or undo it.`,
) {}

/** The process has ended twice where it worked on the same rows of an import. */
export class ImportGivenUp extends fact(
  ConflictError,
  'import_given_up',
  (lastLine: number) =>
    `The service ended twice while it read the row behind line ${lastLine} of the file. Remove that row, and import the file again: what is there already is skipped.`,
) {}

/** The file of an import is not on the disk any more, as after a restored backup. */
export class ImportFileGone extends fact(
  NotFoundError,
  'import_file_gone',
  'The file of this import is gone. Import it again.',
) {}
