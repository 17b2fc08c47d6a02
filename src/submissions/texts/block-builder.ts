import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/kernel/portions.js';
import { isDuplicateRow } from '../storage/store-errors.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { BLOCK_ROWS, SliceMatrix } from './slices.js';
import { LOWEST_UUID } from '../../platform/kernel/uuid.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';
import { TextBlocksRepository } from './text-blocks.repository.js';

/** Texts that are read at a time. */
const ROWS_AT_ONCE = 256;

/** Makes blocks of texts that no further text can come between, so that searches pass over most of them. */
@Injectable()
export class BlockBuilder {
  constructor(
    private readonly blocks: TextBlocksRepository,
    private readonly texts: SubmissionTextsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /** Makes all whole blocks that are lacking, unless submissions come fast, and removes those whose texts are gone. @param signal stops it between two of them */
  async buildAll(signal?: AbortSignal): Promise<void> {
    for (const formId of await this.blocks.formsWithBlocks()) {
      if (signal?.aborted) return;
      await inPortions(() => this.removeOldest(formId), signal);
    }
    for (const formId of await this.blocks.formsWorthIt()) {
      if (signal?.aborted) return;
      const next = async () => (this.writer.isUnderLoad ? 0 : this.buildNext(formId));
      await inPortions(next, signal);
    }
  }

  /** Removes the blocks of a deleted form, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
    await inPortions(
      () => this.unitOfWork.run((tx) => this.blocks.in(tx).removeSome(formId)),
      signal,
    );
  }

  /** Removes the oldest block when all of its texts are gone, as retention leaves it. @returns how many */
  private async removeOldest(formId: number): Promise<number> {
    const [oldest] = await this.blocks.ranges(formId);
    if (!oldest) return 0;
    const left = await this.texts.read(formId, LOWEST_UUID, oldest.lastId, 1);
    if (left.length > 0) return 0;
    await this.unitOfWork.run((tx) => this.blocks.in(tx).remove(formId, oldest.block));
    return 1;
  }

  /** @returns how many submissions the block has; 0 when there are too few for one */
  private async buildNext(formId: number): Promise<number> {
    const newest = await this.blocks.newest(formId);
    const after = newest?.lastId ?? LOWEST_UUID;
    const moved = await this.texts.movedBelow();
    const end = await this.texts.lastOf(BLOCK_ROWS, formId, 'ASC', [
      ['>', after],
      ['<', moved],
    ]);
    if (!end) return 0;
    const matrix = new SliceMatrix();
    const ids: Buffer[] = [];
    while (ids.length < BLOCK_ROWS) {
      const from = ids.at(-1) ?? after;
      const limit = Math.min(ROWS_AT_ONCE, BLOCK_ROWS - ids.length);
      const some = await this.texts.read(formId, from, end, limit);
      for (const { id, text } of some) {
        matrix.add(ids.length, text);
        ids.push(id);
      }
      if (some.length < limit) break;
      await nextTurn();
    }
    const [firstId] = ids;
    // All that is up to `end`, but for a full block, which ends where it is full.
    const lastId = ids.length < BLOCK_ROWS ? end : ids.at(-1);
    if (!firstId || !lastId) return 0;
    const block = { formId, block: (newest?.block ?? 0) + 1, firstId, lastId };
    try {
      const whole = { ...block, ids: Buffer.concat(ids) };
      await this.unitOfWork.run((tx) => this.blocks.in(tx).insert(whole, matrix));
    } catch (error) {
      // Another instance made it at the same time.
      if (!isDuplicateRow(error)) throw error;
      return 0;
    }
    return ids.length;
  }
}
