import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MINUTE_MS, SECOND_MS } from '../../platform/kernel/time/durations.js';
import { inPortions } from '../../platform/background/portions.js';
import { firstUuidAt, settledBefore, timeOf } from '../../platform/kernel/uuid.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { keyOf } from '../../submissions/rows/byte-pieces.js';
import { BlockBuilder } from './block-builder.js';
import { FileNamesRepository } from './file-names.repository.js';
import { SubmissionTextsRepository, type StoredPayload } from './submission-texts.repository.js';
import { BackgroundTask } from '../../platform/background/background-task.js';
import {
  Projected,
  type Edited,
  type Erased,
  type Projection,
} from '../../projections/projection.js';

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
    private readonly fileNames: FileNamesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly writer: SubmissionWriter,
    private readonly blocks: BlockBuilder,
  ) {}

  /** Reads those of these submissions that are still there, some at a time. They are locked until the transaction ends. */
  lock(tx: EntityManager, ids: readonly Buffer[]): AsyncGenerator<StoredPayload[]> {
    return this.texts.in(tx).lock(ids);
  }

  /** Makes the texts of submissions that this transaction has locked. */
  async keep(tx: EntityManager, some: readonly StoredPayload[]): Promise<void> {
    const names = await this.fileNames.in(tx).of(some);
    const rows = some.map(
      ({ formId, id, payload }) => [formId, id, textOf(payload, names.get(keyOf(id)))] as const,
    );
    await this.texts.in(tx).insert(rows);
    await this.blocks.open(tx, some);
  }

  /**
   * Forgets the text of a submission whose values are changed, in the same transaction: searches look at the values
   * themselves from then on, as they do where those are long.
   */
  async editValues(tx: EntityManager, { formId, id }: Edited): Promise<void> {
    await this.texts.in(tx).empty(formId, id);
    await this.blocks.doubt(tx, formId, id);
  }

  /** Removes the texts of submissions, in the transaction that removes those. */
  async forget(tx: EntityManager, { formId, ids }: Pick<Erased, 'formId' | 'ids'>): Promise<void> {
    if (formId !== null) await this.texts.in(tx).remove(formId, ids);
  }

  /** Removes what texts a deleted form has left, and their blocks, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
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
   * Where the clock was ahead and was set right, it goes back to now: new submissions come before those of then.
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
  async aheadMs(): Promise<number> {
    const aheadMs = timeOf(await this.texts.movedBelow()).getTime() - Date.now();
    return aheadMs > AHEAD_MS ? aheadMs : 0;
  }

  private async goBack(to: Buffer): Promise<void> {
    const from = await this.texts.movedBelow();
    if (to.compare(from) >= 0) return;
    const isFirst = await this.unitOfWork.run((tx) => this.texts.in(tx).advance(from, to));
    if (isFirst) this.logger.warn('The clock was ahead: searches look at new submissions again');
  }

  /** Looks after some submissions. @returns how many; 0 when there is nothing to do now */
  private async moveSome(end: Buffer, rows: number): Promise<number> {
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
