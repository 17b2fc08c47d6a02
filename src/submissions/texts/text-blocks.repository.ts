import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { insertStatement, placeholders, runStatements } from '../../platform/database/statement.js';
import { BLOCK_ROWS, SLICES, type SliceMatrix } from './slices.js';
import { TextBlock } from './text-block.entity.js';

/** Rows that one statement inserts, half a kilobyte each. */
const ROWS_AT_ONCE = 256;
/** Slices that one statement removes, of all blocks of a form. */
const SLICES_AT_ONCE = 16;

/** Columns that are written by hand. */
const BLOCK_COLUMNS = ['form_id', 'block', 'first_id', 'last_id', 'ids'];
const SLICE_COLUMNS = ['form_id', 'slice', 'block', 'bits'];

/** A block without the ids of its submissions. */
export type BlockRange = Pick<TextBlock, 'block' | 'firstId' | 'lastId'>;

/** Reads and writes blocks of texts and their slices. */
@Injectable()
export class TextBlocksRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): TextBlocksRepository {
    return new TextBlocksRepository({ manager: tx });
  }

  /** Finds the forms that have enough submissions for a block. */
  async formsWorthIt(): Promise<number[]> {
    const rows = await this.source.manager.query<{ id: number }[]>(
      'SELECT id FROM forms WHERE deleted_at IS NULL AND submission_count >= ?',
      [BLOCK_ROWS],
    );
    return rows.map(({ id }) => id);
  }

  /** Finds the forms that have blocks. */
  async formsWithBlocks(): Promise<number[]> {
    const rows = await this.source.manager.query<{ form_id: number }[]>(
      'SELECT DISTINCT form_id FROM text_blocks',
    );
    return rows.map(({ form_id }) => form_id);
  }

  /** Finds all blocks of a form, oldest first. */
  ranges(formId: number): Promise<BlockRange[]> {
    return this.source.manager.getRepository(TextBlock).find({
      select: { block: true, firstId: true, lastId: true },
      where: { formId },
      order: { block: 'ASC' },
    });
  }

  /** Finds the newest block of a form. */
  newest(formId: number): Promise<BlockRange | null> {
    return this.source.manager.getRepository(TextBlock).findOne({
      select: { block: true, firstId: true, lastId: true },
      where: { formId },
      order: { block: 'DESC' },
    });
  }

  /** Reads the ids of the submissions of a block. */
  async idsOf(formId: number, block: number): Promise<Buffer> {
    const found = await this.source.manager
      .getRepository(TextBlock)
      .findOne({ select: { ids: true }, where: { formId, block } });
    return found?.ids ?? Buffer.alloc(0);
  }

  /** Reads these slices of some blocks in a row, by the number of the block. */
  async slices(
    formId: number,
    slices: readonly number[],
    from: number,
    to: number,
  ): Promise<Map<number, Buffer[]>> {
    const rows = await this.source.manager.query<{ block: number; bits: Buffer }[]>(
      `SELECT block, bits FROM text_slices WHERE form_id = ? AND slice IN (${placeholders(slices)})
        AND block >= ? AND block <= ?`,
      [formId, ...slices, from, to],
    );
    const found = new Map<number, Buffer[]>();
    for (const { block, bits } of rows) {
      const known = found.get(block);
      if (known) known.push(bits);
      else found.set(block, [bits]);
    }
    return found;
  }

  /** Inserts a block with its slices. */
  async insert({ formId, block, firstId, lastId, ids }: TextBlock, matrix: SliceMatrix) {
    const { manager } = this.source;
    const row = [formId, block, firstId, lastId, ids];
    await runStatements(manager, insertStatement('text_blocks', BLOCK_COLUMNS, [row]));
    for (let from = 0; from < SLICES; from += ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => [
        ...[formId, from + index, block],
        matrix.slice(from + index),
      ]);
      await runStatements(manager, insertStatement('text_slices', SLICE_COLUMNS, rows));
    }
  }

  /** Removes a block with its slices. */
  async remove(formId: number, block: number): Promise<void> {
    const { manager } = this.source;
    for (let from = 0; from < SLICES; from += ROWS_AT_ONCE) {
      const slices = Array.from({ length: ROWS_AT_ONCE }, (_, index) => from + index);
      await manager.query(
        `DELETE FROM text_slices WHERE form_id = ? AND slice IN (${placeholders(slices)}) AND block = ?`,
        [formId, ...slices, block],
      );
    }
    await manager.getRepository(TextBlock).delete({ formId, block });
  }

  /** Removes some slices of a form, then its blocks. @returns how many; 0 when none are left */
  async removeSome(formId: number): Promise<number> {
    const { manager } = this.source;
    const [row] = await manager.query<{ slice: number | null }[]>(
      'SELECT MIN(slice) AS slice FROM text_slices WHERE form_id = ?',
      [formId],
    );
    const slice = row?.slice ?? null;
    if (slice === null) {
      const { affected } = await manager.getRepository(TextBlock).delete({ formId });
      return affected ?? 0;
    }
    await manager.query('DELETE FROM text_slices WHERE form_id = ? AND slice >= ? AND slice < ?', [
      formId,
      slice,
      slice + SLICES_AT_ONCE,
    ]);
    return SLICES_AT_ONCE;
  }
}
