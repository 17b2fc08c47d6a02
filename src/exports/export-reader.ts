import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSlices } from '../platform/kernel/slices.js';
import { Turns } from '../platform/kernel/turns.js';
import { inPieces } from '../submissions/rows/byte-pieces.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { isInIndex, type SubmissionFilter } from '../submissions/filter/submission-filter.js';
import type { Bound } from '../submissions/rows/submission-ids.js';
import { ExportRowsRepository, type ExportRow } from './export-rows.repository.js';

/** Submissions that are written while visitors wait. */
const PIECE_ROWS = 200;
/**
 * Submissions that one statement reads: the embedded database answers while everybody waits, and a server takes as
 * long for the statement as for a hundred rows of it. With twice as many, rows wait for so long that V8 takes them for old,
 * and the memory of an export of a workbook grows twice as much.
 */
const STATEMENT_ROWS = { embedded: PIECE_ROWS, server: 500 };
/** Longest values, in bytes, that are read without a look at their sizes first: a statement gives at most 4 MiB of them. */
const SMALL_BYTES = 4 * 1024;
/** Most bytes of longer values held in memory at a time; a single submission may have more. */
const PIECE_BYTES = 1024 * 1024;

/** Statements of exports that run at once in this process: the rest of the database is for visitors. */
const RUNNING_MAX = 2;

/** A row whose values were read. */
export type ReadRow = ExportRow & { payload: string };

/** Reads what a filter means in one form, newest first, in pieces of a limited size; others get a turn after each. */
@Injectable()
export class ExportReader {
  private readonly turns = new Turns(RUNNING_MAX);

  constructor(
    private readonly rows: ExportRowsRepository,
    private readonly finder: SubmissionFinder,
  ) {}

  /** @param end the id to begin at; what is newer is left out */
  async *read(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<ReadRow[]> {
    const limit = STATEMENT_ROWS[this.rows.isEmbedded ? 'embedded' : 'server'];
    const found = isInIndex(filter)
      ? this.newest(formId, filter, end, limit)
      : this.searched(formId, filter, end, limit);
    // While a piece is written the server reads the next.
    for await (const rows of readAhead(this.turns.through(found))) {
      // A search may find nothing for long; whoever waits has to be asked whether they still do.
      if (rows.length === 0) yield [];
      for (const piece of inSlices(rows, PIECE_ROWS)) {
        if (piece.every(hasValues)) yield piece;
        else yield* this.longer(formId, piece);
        await nextTurn();
      }
    }
  }

  /** Reads what the index of lists answers. Values that are long are missing. */
  private async *newest(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    limit: number,
  ): AsyncGenerator<ExportRow[]> {
    for (let bound: Bound = ['<=', end]; ;) {
      const some = await this.rows.newest(formId, filter, bound, limit, SMALL_BYTES);
      const last = some.at(-1);
      if (!last) return;
      yield some;
      bound = ['<', last.id];
    }
  }

  /** Reads what has to be searched. Values that are long are missing. */
  private async *searched(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    limit: number,
  ): AsyncGenerator<ExportRow[]> {
    for await (const ids of this.finder.upTo(formId, filter, end)) {
      if (ids.length === 0) yield [];
      for (const some of inSlices(ids, limit)) {
        yield await this.rows.among(formId, some, SMALL_BYTES);
      }
    }
  }

  /** Reads rows once more, with their values, however long. */
  private async *longer(formId: number, rows: ExportRow[]): AsyncGenerator<ReadRow[]> {
    const ids = rows.map(({ id }) => id);
    for (const piece of inPieces(ids, await this.rows.sizes(ids), PIECE_BYTES)) {
      const some = await this.rows.among(formId, piece, Number.MAX_SAFE_INTEGER);
      yield some.filter(hasValues);
      await nextTurn();
    }
  }
}

function hasValues(row: ExportRow): row is ReadRow {
  return row.payload !== null;
}

/** Reads one piece ahead: a database server works on it while the one before is used. */
async function* readAhead<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    for (let next = pieces.next(); ;) {
      const read = await next;
      if (read.done === true) return;
      next = pieces.next();
      // Seen when it is its turn; until then nobody listens to it.
      next.catch(() => undefined);
      yield read.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}
