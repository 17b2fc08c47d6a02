import { Injectable, Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/index.js';
import {
  inPortions,
  BackgroundTask,
  type TaskRun,
  LOWEST_UUID,
  settledBefore,
  timeOf,
  firstUuidAt,
  MINUTE_MS,
  SECOND_MS,
} from '../../platform/index.js';
import { isDuplicateRow } from '../../submissions/storage/submission-inserts.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import { type Bound, keyOf } from '../../submissions/rows/submission-ids.js';
import { BLOCK_ROWS, GROUP_ROWS, Postings } from './postings.js';
import { SubmissionTextsRepository, type StoredPayload } from './submission-texts.repository.js';
import { TextBlocksRepository, type BlockPart } from './text-blocks.repository.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { Projected, type Edited, type Erased, type Projection } from '../../forms/projections.js';

/** Texts that are read in a turn of the event loop: some milliseconds. */
const ROWS_AT_ONCE = 128;
/** Parts that are written down in one. */
const PARTS_AT_ONCE = 256;

/**
 * Makes blocks of texts, so that searches pass over most of them. Texts rarely come between others, as texts of
 * imported submissions do; that opens the blocks from there on, which are made again later.
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
  async open(tx: EntityManager, texts: readonly { formId: number; id: Buffer }[]) {
    const settled = settledBefore(new Date());
    const lowest = new Map<number, Buffer>();
    for (const { formId, id } of texts) {
      const known = lowest.get(formId);
      if (timeOf(id) < settled && (!known || id.compare(known) < 0)) lowest.set(formId, id);
    }
    for (const [formId, id] of lowest) await this.blocks.in(tx).open(formId, id);
  }

  /** Has searches look into a text whatever its block says of it, in the transaction that changes it. */
  doubt(tx: EntityManager, formId: number, id: Buffer) {
    return this.blocks.in(tx).doubt(formId, id);
  }

  /** Removes the blocks of a deleted form, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal) {
    await inPortions(() => this.unitOfWork.run((tx) => this.blocks.in(tx).removeSome(formId)), signal);
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
  private async buildNext(formId: number) {
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

/** Thrown to roll back: a text came between texts of a block, or one of them went or was changed. */
class TextsChanged extends Error {}

/** Longest text that is kept for searches, in bytes: with few longer ones, a piece of a search takes no time. */
const TEXT_BYTES_MAX = 16 * 1024;
/** Submissions that are looked at for each text that one transaction may make: most have theirs. */
const LOOKED_FOR_EACH = 10;
/** How far the progress stays behind before it is worth a transaction. */
const STEP_MS = MINUTE_MS;
/** How far ahead of the clock the progress is a mistake of the clock, of now or of before. */
const AHEAD_MS = MINUTE_MS;

interface Moving {
  before?: Date;
  signal?: AbortSignal;
}

/**
 * Keeps the texts that searches read. The batch of a submission brings its text within seconds; what no batch brought,
 * such as what was stored by an older version, is found by walking through all submissions once.
 */
@Injectable()
@Projected({ tables: ['submission_texts', 'text_blocks', 'text_postings'] })
export class TextMover implements Projection {
  private readonly logger = new Logger(TextMover.name);

  constructor(
    private readonly texts: SubmissionTextsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
    private readonly blocks: BlockBuilder,
  ) {}

  /** Reads any of these submissions that still exist, some at a time. They are locked until the transaction ends. */
  lock(tx: EntityManager, ids: readonly Buffer[]): AsyncGenerator<StoredPayload[]> {
    return this.texts.in(tx).lock(ids);
  }

  /** Makes the texts of submissions that this transaction has locked. */
  async keep(tx: EntityManager, some: readonly StoredPayload[]) {
    const names = await this.texts.in(tx).of(some);
    const rows = some.map(({ formId, id, payload }) => [formId, id, textOf(payload, names.get(keyOf(id)))] as const);
    await this.texts.in(tx).insert(rows);
    await this.blocks.open(tx, some);
  }

  /**
   * Forgets the text of a submission whose values are changed, in the same transaction: searches look at the values
   * themselves from then on, as they do where those are long.
   */
  async editValues(tx: EntityManager, { formId, id }: Edited) {
    await this.texts.in(tx).empty(formId, id);
    await this.blocks.doubt(tx, formId, id);
  }

  /** Removes the texts of submissions, in the transaction that removes those. */
  async forget(tx: EntityManager, { formId, ids }: Pick<Erased, 'formId' | 'ids'>) {
    if (formId !== null) await this.texts.in(tx).remove(formId, ids);
  }

  /** Removes what texts a deleted form has left, and their blocks, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal) {
    await inPortions(
      (rows) =>
        this.unitOfWork.run(async (tx) => {
          const ids = await this.texts.in(tx).idsOf(formId, rows);
          await this.forget(tx, { formId, ids });
          return ids.length;
        }),
      signal,
    );
    await this.blocks.forgetForm(formId, signal);
  }

  /**
   * Makes the texts that submissions lack, oldest first, unless submissions come fast. A restart goes on where it was.
   * Where a fast clock was set right, it goes back to now: new submissions come before submissions from then.
   * @param before only of submissions from before then
   */
  @BackgroundTask('move texts', 10 * SECOND_MS)
  async moveAll({ before = settledBefore(new Date()), signal }: Moving): Promise<void> {
    const end = firstUuidAt(before);
    if ((await this.aheadMs()) > 0) await this.goBack(end);
    const behindMs = before.getTime() - timeOf(await this.texts.movedBelow()).getTime();
    if (behindMs >= STEP_MS) await inPortions((rows) => this.moveSome(end, rows), signal);
  }

  /** Returns how far beyond the clock searches rely on texts, so that they would miss new ones; 0 for not at all. */
  async aheadMs() {
    const aheadMs = timeOf(await this.texts.movedBelow()).getTime() - Date.now();
    return aheadMs > AHEAD_MS ? aheadMs : 0;
  }

  private async goBack(to: Buffer) {
    const from = await this.texts.movedBelow();
    if (to.compare(from) >= 0) return;
    const isFirst = await this.unitOfWork.run((tx) => this.texts.in(tx).advance(from, to));
    if (isFirst) this.logger.warn('The clock was ahead: searches look at new submissions again');
  }

  /** Looks after some submissions. @returns how many; 0 when there is nothing to do now */
  private async moveSome(end: Buffer, rows: number) {
    if (this.writer.isUnderLoad) return 0;
    const from = await this.texts.movedBelow();
    if (from.compare(end) >= 0) return 0;
    const looked = rows * LOOKED_FOR_EACH;
    const found = await this.texts.between(from, end, looked);
    const lacking = found.filter(({ hasText }) => !hasText).map(({ id }) => id);
    const portion = lacking.slice(0, rows);
    const isWhole = portion.length === lacking.length;
    const last = isWhole ? found[looked - 1]?.id : portion.at(-1);
    const isFirst = await this.unitOfWork.run(async (tx) => {
      for await (const some of this.lock(tx, portion)) await this.keep(tx, some);
      // The last one is looked at again: it is the first of the next portion.
      return this.texts.in(tx).advance(from, last ?? end);
    });
    return isFirst ? found.length : 0;
  }
}

/** Returns the text of a submission as it is kept; null for a long one. */
function textOf(payload: string, fileNames: readonly string[] = []): Buffer | null {
  const text = Buffer.from(SubmittedValues.decode(payload).searchText(fileNames));
  return text.length > TEXT_BYTES_MAX ? null : text;
}
