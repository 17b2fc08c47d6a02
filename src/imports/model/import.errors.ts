import {
  ConflictError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnsupportedTypeError,
  fact,
} from '../../platform/kernel/errors.js';
import { byteSize } from '../../platform/kernel/byte-size.js';

export class ImportNotFound extends fact(NotFoundError, 'import_not_found', 'Import not found.') {}

/** The file is not what the provider exports. */
export class ImportUnreadable extends fact(
  MalformedError,
  'import_unreadable',
  (message: string) => message,
) {}

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
  (max: number) =>
    `Up to ${max} imports can be under way at the same time. Wait for one to finish, or undo it.`,
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
