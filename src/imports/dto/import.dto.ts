import { ApiProperty } from '@nestjs/swagger';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { PROVIDER_NAMES } from '../formats/index.js';
import { IMPORT_STATES, type Import, type ImportState } from '../model/import.entity.js';

/** Something that is wrong with a row. */
export class RowProblemDto {
  /** The line of the file where it begins, from 1. */
  line: number;
  /** A sentence about what is wrong. */
  reason: string;
}

/** The reason why an import ended before the end of its file. */
export class ImportErrorDto {
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

export class ImportEnvelopeDto {
  import: ImportDto;

  static of(entry: Import): ImportEnvelopeDto {
    return { import: ImportDto.of(entry) };
  }
}

/** The newest imports of the form, newest first, at most 100. */
export class ImportListDto {
  imports: ImportDto[];
}
