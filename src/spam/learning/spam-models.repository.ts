import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { TransactionalRepository, placeholders, onConflictSql } from '../../platform/database/index.js';
import { SpamLesson, type SpamKind, ALL_FORMS, SpamModel, SpamWord } from './spam-model.entity.js';
import type { ModelChange } from './ledger.js';
import type { LearntCount } from './likeness.js';
import { inSlices } from '../../platform/index.js';

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
  ) {
    const submissionId = In([...ids]);
    const known = await this.lessons.find({ select: { submissionId: true }, where: { submissionId } });
    await this.lessons.update({ submissionId }, { formId, pending: true, ...(said !== null && { said }) });
    const isKnown = new Set(known.map((lesson) => lesson.submissionId.toString('latin1')));
    const rows = ids
      .filter((id) => !isKnown.has(id.toString('latin1')))
      .map((id) => ({ submissionId: id, accountId, formId, said, pending: true }));
    if (rows.length > 0) await this.lessons.insert(rows);
  }

  /** Makes these lessons pending, if they exist. */
  async renew(ids: readonly Buffer[]) {
    await this.lessons.update({ submissionId: In([...ids]) }, { pending: true });
  }

  /** Returns pending lessons of one account, newest submissions first. */
  async pending(limit: number): Promise<SpamLesson[]> {
    const order = { submissionId: 'DESC' } as const;
    const next = await this.lessons.findOne({ where: { pending: true }, order });
    if (!next) return [];
    const where = { pending: true, accountId: next.accountId };
    return this.lessons.find({ where, order, take: limit });
  }

  /**
   * Takes any of these lessons that are still pending, so that no other worker does; who marks their submissions
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
  oldest(accountId: number, modelId: number, taught: SpamKind, limit: number): Promise<SpamLesson[]> {
    return this.lessons.find({ where: { accountId, modelId, taught }, order: { submissionId: 'ASC' }, take: limit });
  }

  async save({ submissionId, modelId, taught, words }: SpamLesson) {
    await this.lessons.update({ submissionId }, { modelId, taught, words });
  }

  /** @returns whether it was there, and still taught the same */
  async remove({ submissionId, modelId, taught }: SpamLesson) {
    const same = { modelId: modelId ?? IsNull(), taught: taught ?? IsNull() };
    const { affected } = await this.lessons.delete({ submissionId, ...same });
    return affected === 1;
  }

  async removeOf(accountId: number) {
    await this.lessons.delete({ accountId });
  }
}

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 500;
/** Words of an abandoned model that one transaction removes. */
const SWEPT_ROWS = 1_000;
const KEY = ['model_id', 'digest'];

/** Reads and writes models and their words. Digests are Latin-1 where they are keys of maps. */
@Injectable()
export class SpamModelsRepository extends TransactionalRepository {
  private readonly models = this.rowsOf(SpamModel);

  /** Returns the models of an account; with forms, those that their submissions are judged by. */
  listFor(accountId: number, formIds?: readonly number[]): Promise<SpamModel[]> {
    const forms = formIds === undefined ? {} : { formId: In([ALL_FORMS, ...formIds]) };
    return this.models.findBy({ accountId, ...forms });
  }

  async create(accountId: number, formId: number): Promise<SpamModel> {
    return this.models.save(this.models.create({ accountId, formId, spam: 0, ham: 0 }));
  }

  /** Adds to the counts of a model and of its words; other workers may do so at the same time. */
  async add({ id }: SpamModel, { total, words }: ModelChange) {
    await this.source.manager.query('UPDATE spam_models SET spam = spam + ?, ham = ham + ? WHERE id = ?', [
      total.spam,
      total.ham,
      id,
    ]);
    await this.addWords(id, words);
  }

  /** Returns what these models know of words, summed up, by the digest. */
  async countsOf(modelIds: readonly number[], digests: readonly Buffer[]): Promise<Map<string, LearntCount>> {
    const rows = await this.source.manager.query<{ digest: Buffer; spam: number | string; ham: number | string }[]>(
      `SELECT digest, SUM(spam) AS spam, SUM(ham) AS ham FROM spam_words
        WHERE model_id IN (${placeholders(modelIds)}) AND digest IN (${placeholders(digests)})
        GROUP BY digest`,
      [...modelIds, ...digests],
    );
    return new Map(
      rows.map(({ digest, spam, ham }) => [digest.toString('latin1'), { spam: Number(spam), ham: Number(ham) }]),
    );
  }

  /** Takes the models of an account, or those for a form, out of use; `sweep` removes them. */
  async abandon(whose: { accountId: number } | { formId: number }) {
    await this.models.update(whose, { accountId: null });
  }

  /**
   * Removes some of what abandoned models have learnt.
   * @returns how many rows; 0 when none are left
   */
  async sweep() {
    const [model] = await this.source.manager.query<{ id: number }[]>(
      'SELECT id FROM spam_models WHERE account_id IS NULL LIMIT 1',
    );
    if (!model) return 0;
    const words = await this.source.manager.query<{ digest: Buffer }[]>(
      'SELECT digest FROM spam_words WHERE model_id = ? LIMIT ?',
      [model.id, SWEPT_ROWS],
    );
    if (words.length === 0) await this.models.delete({ id: model.id });
    else {
      const digest = In(words.map((word) => word.digest));
      await this.source.manager.delete(SpamWord, { modelId: model.id, digest });
    }
    return words.length + 1;
  }

  /** Adds to the counts of words, in one order for all workers, and removes words that are in no submission. */
  private async addWords(modelId: number, changes: ReadonlyMap<string, LearntCount>) {
    const groups = new Map<string, { change: LearntCount; digests: Buffer[] }>();
    for (const [digest, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (change.spam === 0 && change.ham === 0) continue;
      const key = `${change.spam} ${change.ham}`;
      const group = groups.get(key) ?? { change, digests: [] };
      group.digests.push(Buffer.from(digest, 'latin1'));
      groups.set(key, group);
    }
    for (const { change, digests } of groups.values()) {
      for (const some of inSlices(digests, ROWS_AT_ONCE)) {
        await this.upsert(modelId, some, change);
        if (change.spam < 0 || change.ham < 0) {
          await this.source.manager.delete(SpamWord, { modelId, digest: In(some), spam: 0, ham: 0 });
        }
      }
    }
  }

  private async upsert(modelId: number, digests: Buffer[], change: LearntCount) {
    const { manager } = this.source;
    const { spam, ham } = change;
    const rows = digests.map((digest) => [modelId, digest, spam, ham]);
    await manager.query(
      `INSERT INTO spam_words (${KEY.join(',')}, spam, ham) VALUES
        ${rows.map((row) => `(${placeholders(row)})`).join(',')}
        ${onConflictSql(manager.dataSource, KEY, 'spam = spam + ?, ham = ham + ?')}`,
      [...rows.flat(), spam, ham],
    );
  }
}
