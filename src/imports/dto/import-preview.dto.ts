import type { ImportPreview } from '../import-preview.js';
import { ApiProperty } from '@nestjs/swagger';
import { DAY_ORDERS, type DayOrder } from '../model/import-options.js';
import type { ImportErrorDto, RowProblemDto } from './import.dto.js';

/** A submission as it would be stored. */
export class PreviewedSubmissionDto {
  /** When it was sent, ISO 8601 in UTC. */
  created_at: string;
  spam: boolean;
  /** Its values by field, as lists of submissions show them. */
  values: Record<string, unknown>;
}

const USES = ['field', 'time', 'none', 'known'] as const;
const CHOICES = ['encoding', 'time', 'dates', 'columns'] as const;

/** A column of a CSV, and what becomes of it. */
export class PreviewedColumnDto {
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
export class ReadingNoteDto {
  /** The parameter that answers it. */
  @ApiProperty({ enum: CHOICES })
  about: (typeof CHOICES)[number];
  /** Whether only you can answer it. */
  question: boolean;
  /** A sentence about it. */
  message: string;
}

/** How a file is read: as you chose, as it says, or as we guess; `notes` name the guesses. */
export class ReadingDto {
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
export class ImportPreviewDto {
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
