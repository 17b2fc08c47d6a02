import type { ImportPreview } from '../import-preview.js';
import type { ImportErrorDto, RowProblemDto } from './import.dto.js';

/** A submission as it would be stored. */
export class PreviewedSubmissionDto {
  /** When it was sent, ISO 8601 in UTC. */
  created_at: string;
  spam: boolean;
  /** Its values by field, as lists of submissions show them. */
  values: Record<string, unknown>;
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
    const { total, isWhole, imported, skipped, broken, spam, expired, columns, problem } = preview;
    const shown = preview.first.map(
      (each) =>
        `{"created_at":"${each.createdAt.toISOString()}","spam":${each.spam},"values":${each.values.toJson()}}`,
    );
    const counts = { total, whole: isWhole, imported, skipped, broken, spam, expired, columns };
    const error = problem && { code: problem.code, message: problem.message };
    const rest = { broken_rows: preview.brokenRows, error };
    return `{"preview":{${within(counts)},"submissions":[${shown.join(',')}],${within(rest)}}}`;
  }
}

/** Returns what stands between the braces of an object. */
function within(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
