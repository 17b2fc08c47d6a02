import { Injectable } from '@nestjs/common';
import { databaseTime, onConflictSql, TransactionalRepository } from '../../platform/database/index.js';
import { Presence } from './presence.entity.js';

/** Keeps who has which submission open. */
@Injectable()
export class PresencesRepository extends TransactionalRepository {
  /** Tells whether a person has this submission open already. */
  async has(personId: number, submissionId: Buffer) {
    const rows = await this.source.manager.query<unknown[]>(
      `SELECT 1 FROM presences WHERE person_id = ? AND submission_id = ? AND open_until > ${this.now()}`,
      [personId, submissionId],
    );
    return rows.length > 0;
  }

  /** Keeps that a person has a submission open, for so many seconds, in place of what they had open before. */
  async put({ personId, clientId, submissionId }: Omit<Presence, 'openUntil'>, seconds: number) {
    const { manager } = this.source;
    const until = databaseTime(manager.dataSource, seconds);
    const change = `client_id = ?, submission_id = ?, open_until = ${until}`;
    await manager.query(
      `INSERT INTO presences (person_id, client_id, submission_id, open_until)
        VALUES (?, ?, ?, ${until})
        ${onConflictSql(manager.dataSource, ['person_id'], change)}`,
      [personId, clientId, submissionId, clientId, submissionId],
    );
  }

  /** Forgets that a person has this submission open. @returns whether they had */
  async remove(personId: number, submissionId: Buffer) {
    const rows = this.source.manager.getRepository(Presence);
    const { affected } = await rows.delete({ personId, submissionId });
    return (affected ?? 0) > 0;
  }

  /** Returns who has a submission open, and with whom they look. */
  of(submissionId: Buffer): Promise<Pick<Presence, 'personId' | 'clientId'>[]> {
    return this.source.manager.query<Pick<Presence, 'personId' | 'clientId'>[]>(
      `SELECT person_id AS personId, client_id AS clientId FROM presences
        WHERE submission_id = ? AND open_until > ${this.now()} ORDER BY person_id`,
      [submissionId],
    );
  }

  /** Removes what has counted as left for long. */
  async forgetOld() {
    await this.source.manager.query(`DELETE FROM presences WHERE open_until < ${this.now()}`);
  }

  private now() {
    return databaseTime(this.source.manager.dataSource);
  }
}
