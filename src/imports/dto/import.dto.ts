import { wrapped } from '../../platform/http/wrapped.js';
import { ApiProperty } from '@nestjs/swagger';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { PROVIDER_NAMES } from '../formats/index.js';
import { IMPORT_STATES, type Import, type ImportState } from '../model/import.entity.js';
import type { ImportPreview } from '../import-preview.js';
import { DAY_ORDERS, type DayOrder } from '../model/import-options.js';

/** Something that is wrong with a row. */
class RowProblemDto {
  /** The line of the file where it begins, from 1. */
  line: number;
  /** A sentence about what is wrong. */
  reason: string;
}

/** The reason why an import ended before the end of its file. */
class ImportErrorDto {
  /** Stable name, such as `import_truncated`. */
  code: string;
  /** A sentence about it. */
  message: string;
}

/** An import of submissions that another service received. */
export class ImportDto {
  id: string;
  @ApiProperty({ enum: PROVIDER_NAMES })
  provider: string;
  /** Name of the file; null when it was not said. */
  file_name: string | null;
  /** The encoding that it is read in; unless you choose one, `windows-1252` is a guess for what is not UTF-8 or UTF-16. */
  encoding: string;
  /** Size of the file, in bytes. */
  file_size: number;
  /**
   * `draft` until somebody begins it on its page; `waiting`, `running` and `undoing` are under way; `finished`, `failed` and
   * `undone` are ends.
   */
  @ApiProperty({ enum: IMPORT_STATES })
  state: ImportState;
  /** Rows of the file; null until all were gone through. */
  total: number | null;
  /** Rows that were gone through so far. */
  done: number;
  /** Share of the file that was read so far, from 0 to 1. */
  progress: number;
  /** Rows that were stored. */
  imported: number;
  /** Rows that were there already. */
  skipped: number;
  /** Rows that could not be stored. */
  broken: number;
  /** The first 100 of them. */
  broken_rows: RowProblemDto[];
  /** Files that could not be fetched; the submissions are stored with their addresses. */
  files_missing: number;
  /** The first 100 of them. */
  missing_files: RowProblemDto[];
  /** Name of the person or token that began it. */
  author: string;
  created_at: string;
  /** When it was over; null while it is under way. */
  ended_at: string | null;
  /** Null unless it failed. */
  error: ImportErrorDto | null;

  static of(entry: Import): ImportDto {
    const { errorCode, errorMessage, fileBytes } = entry;
    return {
      id: formatUuid(entry.id),
      provider: entry.provider,
      file_name: entry.fileName,
      encoding: entry.options.encoding ?? entry.encoding,
      file_size: fileBytes,
      state: entry.state,
      total: entry.total,
      done: entry.position,
      progress: entry.progress,
      imported: entry.imported,
      skipped: entry.skipped,
      broken: entry.broken,
      broken_rows: entry.brokenRows,
      files_missing: entry.filesMissing,
      missing_files: entry.missingFiles,
      author: entry.actorName,
      created_at: entry.createdAt.toISOString(),
      ended_at: entry.endedAt?.toISOString() ?? null,
      error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    };
  }
}

export class ImportEnvelopeDto extends wrapped('import', ImportDto) {}

/** The newest imports of the form, newest first, at most 100. */
export class ImportListDto {
  imports: ImportDto[];
}

/** A submission as it would be stored. */
class PreviewedSubmissionDto {
  /** When it was sent, ISO 8601 in UTC. */
  created_at: string;
  spam: boolean;
  /** Its values by field, as lists of submissions show them. */
  values: Record<string, unknown>;
}

const USES = ['field', 'time', 'none', 'known'] as const;
const CHOICES = ['encoding', 'time', 'dates', 'columns'] as const;

/** A column of a CSV, and what becomes of it. */
class PreviewedColumnDto {
  name: string;
  /** `known` has what a submission has besides its fields, such as its id; `none` is left out. */
  @ApiProperty({ enum: USES })
  use: (typeof USES)[number];
  /** The field that its values become; null for none. */
  field: string | null;
  /** Its first three values, without those that are the same. */
  samples: string[];
}

/** Something about how the file is read that you should know, or that we ask. */
class ReadingNoteDto {
  /** The parameter that answers it. */
  @ApiProperty({ enum: CHOICES })
  about: (typeof CHOICES)[number];
  /** Whether only you can answer it. */
  question: boolean;
  /** A sentence about it. */
  message: string;
}

/** How a file is read: as you chose, as it says, or as we guess; `notes` name the guesses. */
class ReadingDto {
  /** Its name in the Encoding Standard. */
  encoding: string;
  /** Sign between the cells of a CSV; null for other files. */
  separator: string | null;
  /** Line of a CSV with the names of the columns; null for other files. */
  header_line: number | null;
  /** Order of dates that can be read in two ways; null where none was found or nothing proves it. */
  @ApiProperty({ enum: DAY_ORDERS, nullable: true, type: String })
  dates: DayOrder | null;
  /** Columns of a CSV in their order; empty for other files. */
  columns: PreviewedColumnDto[];
  notes: ReadingNoteDto[];
}

/** Result of going through a file without storing anything. */
class ImportPreviewDto {
  /** Rows that were gone through. */
  total: number;
  /** Whether that was the whole file: of longer ones the first 100,000 rows are. */
  whole: boolean;
  /** Rows that would be stored. */
  imported: number;
  /** Rows that are there already. */
  skipped: number;
  /** Rows that cannot be stored. */
  broken: number;
  /** Those to be stored that are spam. */
  spam: number;
  /** Those to be stored that are older than the form keeps submissions. */
  expired: number;
  /** Columns of a CSV in their order; empty for other files. */
  columns: string[];
  reading: ReadingDto;
  /** The first 5. */
  submissions: PreviewedSubmissionDto[];
  /** The first 100 broken ones. */
  broken_rows: RowProblemDto[];
  /** Why the file cannot be read to its end; null when it can. */
  error: ImportErrorDto | null;
}

export class ImportPreviewEnvelopeDto {
  preview: ImportPreviewDto;

  /** Writes it as JSON text: an object would reorder fields whose names look like numbers. */
  static jsonOf(preview: ImportPreview): string {
    const { total, isWhole, imported, skipped, broken, spam, expired, problem } = preview;
    const columns = preview.columns.map(({ name }) => name);
    const shown = preview.first.map(
      (each) =>
        `{"created_at":"${each.createdAt.toISOString()}","spam":${each.spam},"values":${each.values.toJson()}}`,
    );
    const reading = readingOf(preview);
    const counts = { total, whole: isWhole, imported, skipped, broken, spam, expired };
    const read = { columns, reading };
    const error = problem && { code: problem.code, message: problem.message };
    const rest = { broken_rows: preview.brokenRows, error };
    return `{"preview":{${within({ ...counts, ...read })},"submissions":[${shown.join(',')}],${within(rest)}}}`;
  }
}

function readingOf({ reading, columns, notes }: ImportPreview): ReadingDto {
  const { encoding, separator, headerLine, dates } = reading;
  return {
    ...{ encoding, separator, header_line: headerLine, dates },
    columns: columns.map(({ name, use, field, samples }) => ({ name, use, field, samples })),
    notes: notes.map(({ about, isQuestion, message }) => ({
      about,
      question: isQuestion,
      message,
    })),
  };
}

/** Returns what stands between the braces of an object. */
function within(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
