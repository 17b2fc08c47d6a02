import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { SpamLesson, type SpamKind } from './spam-lesson.entity.js';

/** Reads and writes lessons. */
@Injectable()
export class SpamLessonsRepository extends TransactionalRepository {
  private readonly lessons = this.rowsOf(SpamLesson);

  /**
   * Makes lessons of submissions pending, in the transaction that marks them: their rows are locked by it.
   * @param said null leaves what was said before
   */
  async enqueue(
    { accountId, formId }: Pick<SpamLesson, 'accountId' | 'formId'>,
    ids: readonly Buffer[],
    said: SpamKind | null,
  ): Promise<void> {
    const submissionId = In([...ids]);
    const known = await this.lessons.find({
      select: { submissionId: true },
      where: { submissionId },
    });
    await this.lessons.update(
      { submissionId },
      { formId, pending: true, ...(said !== null && { said }) },
    );
    const isKnown = new Set(known.map((lesson) => lesson.submissionId.toString('latin1')));
    const rows = ids
      .filter((id) => !isKnown.has(id.toString('latin1')))
      .map((id) => ({ submissionId: id, accountId, formId, said, pending: true }));
    if (rows.length > 0) await this.lessons.insert(rows);
  }

  /** Makes those of these lessons pending that are there. */
  async renew(ids: readonly Buffer[]): Promise<void> {
    await this.lessons.update({ submissionId: In([...ids]) }, { pending: true });
  }

  /** Returns pending lessons of one account, those of the newest submissions first. */
  async pending(limit: number): Promise<SpamLesson[]> {
    const order = { submissionId: 'DESC' } as const;
    const next = await this.lessons.findOne({ where: { pending: true }, order });
    if (!next) return [];
    const where = { pending: true, accountId: next.accountId };
    return this.lessons.find({ where, order, take: limit });
  }

  /**
   * Takes those of these lessons that are still pending, so that no other worker does; who marks their submissions
   * anew waits. Nothing is read before all are taken, since a server shows what was there at the first read.
   * @returns them as they are now
   */
  async take(lessons: readonly SpamLesson[]): Promise<SpamLesson[]> {
    const taken: Buffer[] = [];
    for (const { submissionId } of lessons) {
      const still = { submissionId, pending: true };
      const { affected } = await this.lessons.update(still, { pending: false });
      if (affected === 1) taken.push(submissionId);
    }
    const order = { submissionId: 'DESC' } as const;
    return this.lessons.find({ where: { submissionId: In(taken) }, order });
  }

  /** Returns what a model was taught of a kind, of the oldest submissions. */
  oldest(
    accountId: number,
    modelId: number,
    taught: SpamKind,
    limit: number,
  ): Promise<SpamLesson[]> {
    return this.lessons.find({
      where: { accountId, modelId, taught },
      order: { submissionId: 'ASC' },
      take: limit,
    });
  }

  async save({ submissionId, modelId, taught, words }: SpamLesson): Promise<void> {
    await this.lessons.update({ submissionId }, { modelId, taught, words });
  }

  /** @returns whether it was there, and still taught the same */
  async remove({ submissionId, modelId, taught }: SpamLesson): Promise<boolean> {
    const same = { modelId: modelId ?? IsNull(), taught: taught ?? IsNull() };
    const { affected } = await this.lessons.delete({ submissionId, ...same });
    return affected === 1;
  }

  async removeOf(accountId: number): Promise<void> {
    await this.lessons.delete({ accountId });
  }
}
