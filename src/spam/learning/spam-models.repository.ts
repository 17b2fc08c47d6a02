import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { onConflictSql } from '../../platform/database/engine.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { placeholders } from '../../platform/database/statement.js';
import type { ModelChange } from './ledger.js';
import type { LearntCount } from './likeness.js';
import { ALL_FORMS, SpamModel, SpamWord } from './spam-model.entity.js';
import { inSlices } from '../../platform/kernel/slices.js';

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

  /** Adds to the counts of a model, and to those of its words; other workers may do so at the same time. */
  async add({ id }: SpamModel, { total, words }: ModelChange): Promise<void> {
    await this.source.manager.query(
      'UPDATE spam_models SET spam = spam + ?, ham = ham + ? WHERE id = ?',
      [total.spam, total.ham, id],
    );
    await this.addWords(id, words);
  }

  /** Returns what these models know of words, summed up, by the digest. */
  async countsOf(
    modelIds: readonly number[],
    digests: readonly Buffer[],
  ): Promise<Map<string, LearntCount>> {
    const rows = await this.source.manager.query<
      { digest: Buffer; spam: number | string; ham: number | string }[]
    >(
      `SELECT digest, SUM(spam) AS spam, SUM(ham) AS ham FROM spam_words
        WHERE model_id IN (${placeholders(modelIds)}) AND digest IN (${placeholders(digests)})
        GROUP BY digest`,
      [...modelIds, ...digests],
    );
    return new Map(
      rows.map(({ digest, spam, ham }) => [
        digest.toString('latin1'),
        { spam: Number(spam), ham: Number(ham) },
      ]),
    );
  }

  /** Takes the models of an account, or those for a form, out of use; `sweep` removes them. */
  async abandon(whose: { accountId: number } | { formId: number }): Promise<void> {
    await this.models.update(whose, { accountId: null });
  }

  /**
   * Removes some of what abandoned models have learnt.
   * @returns how many rows; 0 when none are left
   */
  async sweep(): Promise<number> {
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
  private async addWords(
    modelId: number,
    changes: ReadonlyMap<string, LearntCount>,
  ): Promise<void> {
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
          await this.source.manager.delete(SpamWord, {
            modelId,
            digest: In(some),
            spam: 0,
            ham: 0,
          });
        }
      }
    }
  }

  private async upsert(modelId: number, digests: Buffer[], change: LearntCount): Promise<void> {
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
