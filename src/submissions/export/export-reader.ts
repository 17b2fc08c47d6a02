import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../../platform/kernel/read-ahead.js';
import { Turns } from '../../platform/kernel/turns.js';
import { inPieces } from '../byte-pieces.js';
import { SubmissionWalk } from '../search/submission-walk.js';
import { isInIndex, type SubmissionFilter } from '../submission-filter.js';
import type { Bound } from '../submission-ids.js';
import { ExportRowsRepository, type ValuesRow, type Width } from './export-rows.repository.js';

/** Submissions that are written while visitors wait. */
const PIECE_ROWS = 200;
/**
 * Submissions that one statement reads: the embedded database answers while everybody waits, and a server takes as
 * long for the statement as for a hundred rows of it.
 */
const STATEMENT_ROWS = { embedded: PIECE_ROWS, server: 1_000 };
/** Longest values, in bytes, that are read without a look at their sizes first: a statement gives at most 4 MiB of them. */
const SMALL_BYTES = 4 * 1024;
/** Most bytes of longer values held in memory at a time; a single submission may have more. */
const PIECE_BYTES = 1024 * 1024;

/** Statements of exports that run at once in this process: the rest of the database is for visitors. */
const RUNNING_MAX = 2;

/** A row whose values were read. */
export type Read<Row extends ValuesRow> = Row & { payload: string };

/** Reads what a filter means in one form, newest first, in pieces of a limited size; others get a turn after each. */
@Injectable()
export class ExportReader {
  private readonly turns = new Turns(RUNNING_MAX);

  constructor(
    private readonly rows: ExportRowsRepository,
    private readonly walk: SubmissionWalk,
  ) {}

  /** @param end the id to begin at; what is newer is left out */
  async *read<Row extends ValuesRow>(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    width: Width,
  ): AsyncGenerator<Read<Row>[]> {
    const limit = STATEMENT_ROWS[this.rows.isEmbedded ? 'embedded' : 'server'];
    const found = isInIndex(filter)
      ? this.newest<Row>(formId, filter, end, width, limit)
      : this.sought<Row>(formId, filter, end, width, limit);
    // While a piece is written the server reads the next.
    for await (const rows of readAhead(this.turns.through(found))) {
      // A search may find nothing for long; whoever waits has to be asked whether they still do.
      if (rows.length === 0) yield [];
      for (const piece of inSlices(rows, PIECE_ROWS)) {
        if (piece.every(hasValues)) yield piece;
        else yield* this.longer(formId, piece, width);
        await nextTurn();
      }
    }
  }

  /** Reads what the index of lists answers. Values that are long are missing. */
  private async *newest<Row extends ValuesRow>(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    width: Width,
    limit: number,
  ): AsyncGenerator<Row[]> {
    for (let bound: Bound = ['<=', end]; ;) {
      const some = await this.rows.newest<Row>(formId, filter, bound, limit, SMALL_BYTES, width);
      const last = some.at(-1);
      if (!last) return;
      yield some;
      bound = ['<', last.id];
    }
  }

  /** Reads what has to be searched. Values that are long are missing. */
  private async *sought<Row extends ValuesRow>(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    width: Width,
    limit: number,
  ): AsyncGenerator<Row[]> {
    for await (const ids of this.walk.upTo(formId, filter, end)) {
      if (ids.length === 0) yield [];
      for (const some of inSlices(ids, limit)) {
        yield await this.rows.among<Row>(formId, some, SMALL_BYTES, width);
      }
    }
  }

  /** Reads rows once more, with their values, however long. */
  private async *longer<Row extends ValuesRow>(
    formId: number,
    rows: Row[],
    width: Width,
  ): AsyncGenerator<Read<Row>[]> {
    const ids = rows.map(({ id }) => id);
    for (const piece of inPieces(ids, await this.rows.sizes(ids), PIECE_BYTES)) {
      const some = await this.rows.among<Row>(formId, piece, Number.MAX_SAFE_INTEGER, width);
      yield some.filter(hasValues);
      await nextTurn();
    }
  }
}

function* inSlices<Each>(all: readonly Each[], length: number): Generator<Each[]> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}

function hasValues<Row extends ValuesRow>(row: Row): row is Read<Row> {
  return row.payload !== null;
}
