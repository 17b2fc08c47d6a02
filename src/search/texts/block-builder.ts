import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import { LOWEST_UUID, settledBefore, timeOf } from '../../platform/kernel/uuid.js';
import { isDuplicateRow } from '../../submissions/storage/store-errors.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import type { Bound } from '../../submissions/rows/submission-ids.js';
import { BLOCK_ROWS, GROUP_ROWS, Postings } from './postings.js';
import { SubmissionTextsRepository } from './submission-texts.repository.js';
import { TextBlocksRepository, type BlockPart } from './text-blocks.repository.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';

/** Texts that are read in a turn of the event loop: some milliseconds. */
const ROWS_AT_ONCE = 128;
/** Parts that are written down in one. */
const PARTS_AT_ONCE = 256;

/**
 * Makes blocks of texts, so that searches pass over most of them. Texts rarely come between others, as those of imported
 * submissions do; that opens the blocks from there on, which are made again later.
 */
@Injectable()
export class BlockBuilder {
  constructor(
    private readonly blocks: TextBlocksRepository,
    private readonly texts: SubmissionTextsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
  ) {}

  /** Makes all whole blocks that are lacking, unless submissions come fast, and removes those whose texts are gone or are no longer all. */
  @BackgroundTask('build blocks of texts', 5 * MINUTE_MS)
  async buildAll({ signal }: TaskRun): Promise<void> {
    for (const formId of await this.blocks.formsWithBlocks()) {
      if (signal?.aborted) return;
      await inPortions(() => this.removeOldest(formId), signal);
      await inPortions(() => this.removeAhead(formId), signal);
    }
    for (const formId of await this.blocks.formsWorthIt()) {
      if (signal?.aborted) return;
      const next = async () => (this.writer.isUnderLoad ? 0 : this.buildNext(formId));
      await inPortions(next, signal);
    }
  }

  /** Opens the blocks that these texts come into or before, in the transaction that inserts them. */
  async open(tx: EntityManager, texts: readonly { formId: number; id: Buffer }[]): Promise<void> {
    const settled = settledBefore(new Date());
    const lowest = new Map<number, Buffer>();
    for (const { formId, id } of texts) {
      const known = lowest.get(formId);
      if (timeOf(id) < settled && (!known || id.compare(known) < 0)) lowest.set(formId, id);
    }
    for (const [formId, id] of lowest) await this.blocks.in(tx).open(formId, id);
  }

  /** Has searches look into a text whatever its block says of it, in the transaction that changes it. */
  doubt(tx: EntityManager, formId: number, id: Buffer): Promise<void> {
    return this.blocks.in(tx).doubt(formId, id);
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
    const oldest = await this.blocks.oldest(formId);
    if (!oldest) return 0;
    const left = await this.texts.read(formId, LOWEST_UUID, oldest.lastId, 1);
    if (left.length > 0) return 0;
    await this.unitOfWork.run((tx) => this.blocks.in(tx).remove(formId, oldest.block));
    return 1;
  }

  /** Removes the newest block when texts may come into it, as after a clock that was ahead. @returns how many */
  private async removeAhead(formId: number): Promise<number> {
    const newest = await this.blocks.newest(formId);
    if (!newest || newest.lastId.compare(await this.texts.movedBelow()) < 0) return 0;
    await this.unitOfWork.run((tx) => this.blocks.in(tx).remove(formId, newest.block));
    return 1;
  }

  /** @returns how many submissions the block has; 0 when there are too few for one */
  private async buildNext(formId: number): Promise<number> {
    const newest = await this.blocks.newest(formId);
    const after = newest?.lastId ?? LOWEST_UUID;
    const moved = await this.texts.movedBelow();
    const within: Bound[] = [
      ['>', after],
      ['<', moved],
    ];
    const end = (await this.texts.lastOfEach(BLOCK_ROWS, [formId], 'ASC', within)).get(formId);
    if (!end) return 0;
    const postings = new Postings();
    const groups: Buffer[] = [];
    let count = 0;
    let kept = 0;
    let last = after;
    while (count < BLOCK_ROWS && !postings.isFull) {
      const limit = Math.min(ROWS_AT_ONCE, BLOCK_ROWS - count);
      const some = await this.texts.read(formId, last, end, limit);
      for (const { id, text } of some) {
        if (count % GROUP_ROWS === 0) groups.push(id);
        postings.add(count++, text);
        if (text !== null) kept++;
        last = id;
      }
      // All that is up to there, also of what is gone.
      if (some.length < limit) last = end;
      if (last.equals(end)) break;
      await nextTurn();
    }
    const [firstId] = groups;
    if (!firstId) return 0;
    const parts: BlockPart[] = [];
    for (const part of postings.parts()) {
      if (parts.push(part) % PARTS_AT_ONCE === 0) await nextTurn();
    }
    const block = { formId, block: (newest?.block ?? 0) + 1, firstId, lastId: last };
    try {
      const whole = { ...block, ids: Buffer.concat(groups) };
      await this.unitOfWork.run(async (tx) => {
        // What is left of one that was opened.
        await this.blocks.in(tx).remove(formId, whole.block);
        await this.blocks.in(tx).insert(whole, parts);
        // Asked last: who changes texts from now on looks for blocks after that, and waits for this one.
        const there = await this.texts.in(tx).count(formId, after, last);
        if (there.all !== count || there.kept !== kept) throw new TextsChanged();
      });
    } catch (error) {
      // Another instance made it at the same time, or a text came between.
      if (!isDuplicateRow(error) && !(error instanceof TextsChanged)) throw error;
      return 0;
    }
    return count;
  }
}

/** Thrown to roll back: a text came between those of a block, or one of them went or was changed. */
class TextsChanged extends Error {}
