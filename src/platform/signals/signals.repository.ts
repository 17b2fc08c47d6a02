import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseTime, isEmbedded } from '../database/engine.js';
import { ReadManager } from '../database/transactional-repository.js';
import { inPortions } from '../background/portions.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { inSlices } from '../kernel/slices.js';

/** Rows that one statement writes or removes. */
const ROWS_AT_ONCE = 500;
/** Age at which a signal is removed, in seconds; instances read those of the last seconds alone. */
const KEPT_SECONDS = 600;

/** A change of one subject. */
export interface Change {
  topic: string;
  subjectId: number;
}

/** Shares signals among the instances on one database server. */
@Injectable()
export class SignalsRepository {
  constructor(
    private readonly source: ReadManager,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether other instances may be there; the embedded database has one process. */
  get isShared(): boolean {
    return !isEmbedded(this.source.manager.dataSource);
  }

  /** Tells the other instances of changes, which stand for those of the same subjects before. */
  async give(changes: readonly Change[]): Promise<void> {
    // In one order, so that two instances do not wait for each other.
    const sorted = [...changes].sort(
      (a, b) => a.topic.localeCompare(b.topic) || a.subjectId - b.subjectId,
    );
    for (const some of inSlices(sorted, ROWS_AT_ONCE)) {
      await this.unitOfWork.run((tx) => this.write(tx, some));
    }
  }

  /**
   * Returns the changes of the last seconds.
   * @returns each with a text that is another one when it was given again
   */
  async lately(seconds: number): Promise<(Change & { given: string })[]> {
    const { manager } = this.source;
    const rows = await manager.query<{ topic: string; subject_id: number; given: string }[]>(
      `SELECT topic, subject_id, CAST(given_at AS CHAR) AS given FROM signals
        WHERE given_at > ${databaseTime(manager.dataSource, -seconds)}`,
    );
    return rows.map(({ topic, subject_id, given }) => ({ topic, subjectId: subject_id, given }));
  }

  /** Removes signals that no instance reads any more. @returns how many */
  forgetOld(signal?: AbortSignal): Promise<number> {
    return inPortions(
      () =>
        this.unitOfWork.run(async (tx) => {
          const time = databaseTime(tx.dataSource, -KEPT_SECONDS);
          const old = await tx.query<{ topic: string; subject_id: number }[]>(
            `SELECT topic, subject_id FROM signals WHERE given_at < ${time} LIMIT ${ROWS_AT_ONCE}`,
          );
          for (const { topic, subject_id } of old) {
            await tx.query(
              `DELETE FROM signals WHERE topic = ? AND subject_id = ? AND given_at < ${time}`,
              [topic, subject_id],
            );
          }
          return old.length;
        }),
      signal,
    );
  }

  private async write(tx: EntityManager, changes: readonly Change[]): Promise<void> {
    const now = databaseTime(tx.dataSource);
    await tx.query(
      `INSERT INTO signals (topic, subject_id, given_at)
        VALUES ${changes.map(() => `(?, ?, ${now})`).join(', ')}
        ON DUPLICATE KEY UPDATE given_at = ${now}`,
      changes.flatMap(({ topic, subjectId }) => [topic, subjectId]),
    );
  }
}
