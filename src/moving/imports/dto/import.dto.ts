import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { jsonMembers, Optional, Parsed, Required, Text, formatUuid } from '../../../platform/index.js';
import { PROVIDER_NAMES, type ProviderName } from '../formats/index.js';
import {
  parseEncoding,
  DAY_ORDERS,
  FILES,
  plainOptions,
  UNDATED,
  type ImportOptions,
  type DayOrder,
} from '../model/import-options.js';
import { COLUMNS_MAX } from '../reading/csv-scanner.js';
import { given, listOf, wrapped } from '../../../platform/http/index.js';
import { IMPORT_STATES, type Import, type ImportState } from '../model/import.entity.js';
import type { ImportPreview } from '../import-preview.js';

/** Longest name of a column, in characters. */
const NAME_MAX = 4_096;
/** Longest choice of columns, in characters: the page sends one for each. */
const COLUMNS_TEXT_MAX = 512 * 1024;

type Columns = ImportOptions['columns'];

/** Reads a JSON object of texts and nulls, its names in order; null for anything else. */
function parseColumns(value: unknown) {
  if (Array.isArray(value)) return value as Columns;
  if (typeof value !== 'string' || value.length > COLUMNS_TEXT_MAX) return null;
  try {
    const parsed = JSON.parse(value) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  } catch {
    return null;
  }
  const members = jsonMembers(value).map(({ name, json }) => [name, JSON.parse(json) as unknown] as const);
  return members.length <= COLUMNS_MAX && members.every(isColumn) ? members : null;
}

function isColumn(member: readonly [string, unknown]): member is readonly [string, string | null] {
  const [, to] = member;
  return to === null || (typeof to === 'string' && to.trim() !== '' && to.length <= NAME_MAX);
}

/** Says whose export a file is, and how it is read. */
export class ImportQueryDto {
  /** The provider whose export it is; `ndjson` for one of this service, `csv` for any other CSV. */
  @ApiProperty({ enum: PROVIDER_NAMES })
  @IsIn(PROVIDER_NAMES, { message: `must be one of ${PROVIDER_NAMES.join(', ')}` })
  @Required()
  provider: ProviderName;

  /** Name of the column that says when a submission was sent, when it is none that we know or find out. */
  @Text({ min: 1, max: NAME_MAX })
  @Optional()
  time?: string;

  /**
   * A JSON object of columns with their new names, null to leave one out, such as `{"Your name":"name","IP":null}`.
   * Others keep their names.
   */
  @ApiProperty({ type: String, required: false })
  @Parsed('not_columns', parseColumns, 'must be a JSON object such as {"Your name":"name","IP":null}')
  @Optional()
  columns?: Columns;

  /** `now` gives rows without a time the time of the import; else they are broken. */
  @ApiProperty({ enum: UNDATED, required: false })
  @IsIn(UNDATED, { message: `must be one of ${UNDATED.join(', ')}` })
  @Optional()
  undated?: ImportOptions['undated'];

  /** `true` takes the apostrophe away that some exports put before a formula. */
  @ApiProperty({ enum: ['true', 'false'], required: false })
  @IsIn(['true', 'false'], { message: 'must be true or false' })
  @Optional()
  unprefix?: 'true' | 'false';

  /**
   * `fetch` downloads the files that values link to, and stores them as if they had been sent; else the links stay text.
   * One that leads to no file stays text too.
   */
  @ApiProperty({ enum: FILES, required: false })
  @IsIn(FILES, { message: `must be one of ${FILES.join(', ')}` })
  @Optional()
  files?: ImportOptions['files'];

  /**
   * The encoding of the file, by any label of the Encoding Standard, such as `windows-1251` or `shift_jis`. Without it UTF-8 and
   * UTF-16 are found out, and else windows-1252 is guessed.
   */
  @ApiProperty({ type: String, required: false })
  @Parsed('not_an_encoding', parseEncoding, 'must be an encoding such as utf-8, windows-1251 or shift_jis')
  @Optional()
  encoding?: string;

  /**
   * The order of days and months in dates that can be read in two ways, such as `3/4/2023`. Without it other rows of the file
   * have to prove one.
   */
  @ApiProperty({ enum: DAY_ORDERS, required: false })
  @IsIn(DAY_ORDERS, { message: `must be ${DAY_ORDERS.join(' or ')}` })
  @Optional()
  dates?: NonNullable<ImportOptions['dates']>;

  static options(query: ImportQueryDto): ImportOptions {
    const { provider, unprefix } = query;
    return { ...plainOptions(provider), ...given(query), unprefix: unprefix === 'true' };
  }
}

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
export class ImportListDto extends listOf('imports', ImportDto) {}

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
  static jsonOf(preview: ImportPreview) {
    const { total, isWhole, imported, skipped, broken, spam, expired, problem } = preview;
    const columns = preview.columns.map(({ name }) => name);
    const shown = preview.first.map(
      (each) => `{"created_at":"${each.createdAt.toISOString()}","spam":${each.spam},"values":${each.values.toJson()}}`,
    );
    const counts = { total, whole: isWhole, imported, skipped, broken, spam, expired };
    const read = { columns, reading: readingOf(preview) };
    const error = problem && { code: problem.code, message: problem.message };
    const rest = { broken_rows: preview.brokenRows, error };
    return `{"preview":{${within({ ...counts, ...read })},"submissions":[${shown.join(',')}],${within(rest)}}}`;
  }
}

function readingOf({ reader, columns, notes }: ImportPreview): ReadingDto {
  const { encoding, header, days } = reader;
  return {
    encoding,
    separator: header?.separator ?? null,
    header_line: header?.line ?? null,
    dates: days.order,
    columns: columns.map(({ name, use, field, samples }) => ({ name, use, field, samples })),
    notes: notes.map(({ about, isQuestion: question, message }) => ({ about, question, message })),
  };
}

/** Returns what stands between the braces of an object. */
function within(object: object) {
  return JSON.stringify(object).slice(1, -1);
}
