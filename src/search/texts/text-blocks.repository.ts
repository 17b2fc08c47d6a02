import { Injectable } from '@nestjs/common';
import {
  TransactionalRepository,
  insertStatement,
  placeholders,
  runStatements,
  forUpdateSql,
} from '../../platform/database/index.js';
import { BLOCK_ROWS, UNKNOWN_PART, withUnknown } from './postings.js';
import { TextBlock } from './submission-text.entity.js';
import { inSlices } from '../../platform/index.js';

/** Rows that one statement inserts or removes, a quarter of a kilobyte each. */
const ROWS_AT_ONCE = 256;
/** Parts that one statement removes, of all blocks of a form. */
const PARTS_AT_ONCE = 16;

const ID_BYTES = 16;

/** Columns that are written by hand. */
const BLOCK_COLUMNS = ['form_id', 'block', 'first_id', 'last_id', 'ids'];
const POSTINGS_COLUMNS = ['form_id', 'part', 'block', 'lists'];

/** A block without the ids of its submissions. */
export type BlockRange = Pick<TextBlock, 'block' | 'firstId' | 'lastId'>;

/** A part of a block, and what is stored of it. */
export type BlockPart = readonly [part: number, lists: Buffer];

/** Reads and writes blocks of texts and their postings. */
@Injectable()
export class TextBlocksRepository extends TransactionalRepository {
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
    const rows = await this.source.manager.query<{ form_id: number }[]>('SELECT DISTINCT form_id FROM text_blocks');
    return rows.map(({ form_id }) => form_id);
  }

  /** Finds all blocks of a form, oldest first. */
  async ranges(formId: number): Promise<BlockRange[]> {
    // There may be thousands: entities of them take some milliseconds.
    const rows = await this.source.manager.query<{ block: number; first_id: Buffer; last_id: Buffer }[]>(
      'SELECT block, first_id, last_id FROM text_blocks WHERE form_id = ? ORDER BY block',
      [formId],
    );
    return rows.map(({ block, first_id, last_id }) => {
      return { block, firstId: first_id, lastId: last_id };
    });
  }

  /** Finds the oldest block of a form. */
  oldest(formId: number): Promise<BlockRange | null> {
    return this.first(formId, 'ASC');
  }

  /** Finds the newest block of a form. */
  newest(formId: number): Promise<BlockRange | null> {
    return this.first(formId, 'DESC');
  }

  /** Reads the first id of each group of some blocks, by the number of the block. */
  async idsOf(formId: number, blocks: readonly number[]): Promise<Map<number, Buffer>> {
    if (blocks.length === 0) return new Map();
    const rows = await this.source.manager.query<{ block: number; ids: Buffer }[]>(
      `SELECT block, ids FROM text_blocks WHERE form_id = ? AND block IN (${placeholders(blocks)})`,
      [formId, ...blocks],
    );
    return new Map(rows.map(({ block, ids }) => [block, ids]));
  }

  /** Reads these parts of some blocks in a row, by the number of the block. */
  async parts(
    formId: number,
    parts: readonly number[],
    from: number,
    to: number,
  ): Promise<Map<number, Map<number, Buffer>>> {
    const rows = await this.source.manager.query<{ part: number; block: number; lists: Buffer }[]>(
      `SELECT part, block, lists FROM text_postings WHERE form_id = ?
        AND part IN (${placeholders(parts)}) AND block >= ? AND block <= ?`,
      [formId, ...parts, from, to],
    );
    const found = new Map<number, Map<number, Buffer>>();
    for (const { part, block, lists } of rows) {
      const known = found.get(block);
      if (known) known.set(part, lists);
      else found.set(block, new Map([[part, lists]]));
    }
    return found;
  }

  /** Inserts a block with its parts. */
  async insert({ formId, block, firstId, lastId, ids }: TextBlock, parts: readonly BlockPart[]) {
    const { manager } = this.source;
    const row = [formId, block, firstId, lastId, ids];
    await runStatements(manager, insertStatement('text_blocks', BLOCK_COLUMNS, [row]));
    for (const some of inSlices(parts, ROWS_AT_ONCE)) {
      const rows = some.map(([part, lists]) => [formId, part, block, lists]);
      await runStatements(manager, insertStatement('text_postings', POSTINGS_COLUMNS, rows));
    }
  }

  /** Has searches look at all texts from an id on; the parts of the blocks stay until those are made again. */
  async open(formId: number, id: Buffer) {
    await this.source.manager.query('DELETE FROM text_blocks WHERE form_id = ? AND last_id >= ?', [formId, id]);
  }

  /** Notes that the group of a submission may have anything; nothing without a block of it. */
  async doubt(formId: number, id: Buffer) {
    const { manager } = this.source;
    const lock = forUpdateSql(manager.dataSource);
    const [row] = await manager.query<{ block: number }[]>(
      `SELECT block FROM \`text_blocks\` WHERE form_id = ? AND last_id >= ? ORDER BY block LIMIT 1${lock}`,
      [formId, id],
    );
    if (!row) return;
    const where = 'form_id = ? AND part = ? AND block = ?';
    const key = [formId, UNKNOWN_PART, row.block];
    const [part] = await manager.query<{ lists: Buffer }[]>(
      `SELECT lists FROM \`text_postings\` WHERE ${where}${lock}`,
      key,
    );
    const ids = (await this.idsOf(formId, [row.block])).get(row.block);
    if (!part || !ids) return;
    const lists = withUnknown(part.lists, groupOf(ids, id));
    await manager.query(`UPDATE text_postings SET lists = ? WHERE ${where}`, [lists, ...key]);
  }

  /** Removes a block with its parts. */
  async remove(formId: number, block: number) {
    const { manager } = this.source;
    for (let from = 0; from <= UNKNOWN_PART; from += ROWS_AT_ONCE) {
      const parts = Array.from({ length: ROWS_AT_ONCE }, (_, index) => from + index);
      await manager.query(
        `DELETE FROM text_postings WHERE form_id = ? AND part IN (${placeholders(parts)}) AND block = ?`,
        [formId, ...parts, block],
      );
    }
    await manager.getRepository(TextBlock).delete({ formId, block });
  }

  /** Removes some parts of a form, then its blocks. @returns how many; 0 when none are left */
  async removeSome(formId: number) {
    const { manager } = this.source;
    const [row] = await manager.query<{ part: number | null }[]>(
      'SELECT MIN(part) AS part FROM text_postings WHERE form_id = ?',
      [formId],
    );
    const part = row?.part ?? null;
    if (part === null) {
      const { affected } = await manager.getRepository(TextBlock).delete({ formId });
      return affected ?? 0;
    }
    await manager.query('DELETE FROM text_postings WHERE form_id = ? AND part >= ? AND part < ?', [
      formId,
      part,
      part + PARTS_AT_ONCE,
    ]);
    return PARTS_AT_ONCE;
  }

  private first(formId: number, order: 'ASC' | 'DESC'): Promise<BlockRange | null> {
    return this.source.manager
      .getRepository(TextBlock)
      .findOne({ select: { block: true, firstId: true, lastId: true }, where: { formId }, order: { block: order } });
  }
}

/** Returns the number of the group that has a submission. @param ids the first ids of the groups of its block */
function groupOf(ids: Buffer, id: Buffer) {
  let group = 0;
  const firstOf = (at: number) => ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES);
  while ((group + 1) * ID_BYTES < ids.length && id.compare(firstOf(group + 1)) >= 0) group++;
  return group;
}
