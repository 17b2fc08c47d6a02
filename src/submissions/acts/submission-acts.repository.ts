import { Injectable } from '@nestjs/common';
import { onConflictSql, TransactionalRepository, placeholders } from '../../platform/database/index.js';
import { SubmissionAct } from './submission-act.entity.js';
import { inSlices } from '../../platform/index.js';

/** Rows of one statement, each of ten values. */
const ROWS_AT_ONCE = 500;

/** Keeps who did what to submissions. */
@Injectable()
export class SubmissionActsRepository extends TransactionalRepository {
  /** Returns what was done to a submission, oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionAct[]> {
    return this.manager.find(SubmissionAct, { where: { submissionId }, order: { id: 'ASC' } });
  }

  async insert(acts: readonly SubmissionAct[]) {
    for (const some of inSlices(acts, ROWS_AT_ONCE)) {
      await this.manager.insert(SubmissionAct, some);
    }
  }

  /** Keeps that somebody looked, unless that is known of them, or of so many others. */
  async insertLook(look: SubmissionAct, max: number) {
    const { manager } = this.source;
    const known = onConflictSql(manager.dataSource, ['submission_id', 'seen_by']);
    const looked = await manager.query<unknown[]>(
      'SELECT seen_by FROM submission_acts WHERE submission_id = ? AND seen_by IS NOT NULL LIMIT ?',
      [look.submissionId, max],
    );
    if (looked.length >= max) return;
    const { id, submissionId, formId, kind, detail, actorKind, actorId, actorName } = look;
    const values = [submissionId, id, formId, kind, detail, actorKind, actorId, actorName];
    await manager.query(
      `INSERT INTO submission_acts (submission_id, id, form_id, kind, detail, actor_kind, actor_id,
          actor_name, client_id, seen_by)
        VALUES (${placeholders(values)}, ?, ?) ${known}`,
      [...values, look.clientId, look.seenBy],
    );
  }

  /** Removes the oldest acts of any of these submissions that have more than so many, looks aside. */
  async trim(submissionIds: readonly Buffer[], max: number) {
    const full = await this.manager.query<{ submission_id: Buffer }[]>(
      `SELECT submission_id FROM submission_acts
        WHERE submission_id IN (${placeholders(submissionIds)}) AND seen_by IS NULL
        GROUP BY submission_id HAVING COUNT(*) > ?`,
      [...submissionIds, max],
    );
    for (const { submission_id: submissionId } of full) {
      const [oldest] = await this.manager.query<{ id: Buffer }[]>(
        `SELECT id FROM submission_acts WHERE submission_id = ? AND seen_by IS NULL
          ORDER BY id DESC LIMIT 1 OFFSET ?`,
        [submissionId, max],
      );
      await this.manager.query('DELETE FROM submission_acts WHERE submission_id = ? AND id <= ? AND seen_by IS NULL', [
        submissionId,
        oldest?.id,
      ]);
    }
  }

  /** Leaves out what the oldest edits of a submission changed, beyond so many bytes; the last one keeps its changes. */
  async trimChanges(submissionId: Buffer, maxBytes: number) {
    const edits = await this.manager.query<{ id: Buffer; bytes: number | string }[]>(
      `SELECT id, OCTET_LENGTH(changes) AS bytes FROM submission_acts
        WHERE submission_id = ? AND kind = 'edited' ORDER BY id DESC`,
      [submissionId],
    );
    let bytes = 0;
    const last = edits.find((edit, at) => (bytes += Number(edit.bytes)) > maxBytes && at > 0);
    if (!last) return;
    await this.manager.query(
      `UPDATE submission_acts SET changes = '[]'
        WHERE submission_id = ? AND kind = 'edited' AND id <= ? AND changes <> '[]'`,
      [submissionId, last.id],
    );
  }

  private get manager() {
    return this.source.manager;
  }
}
