import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { selectRows } from '../../platform/database/select-rows.js';
import {
  changeRows,
  insertStatement,
  placeholders,
  sqlDate,
  type Statement,
} from '../../platform/database/statement.js';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { OptIn } from '../model/opt-in.entity.js';
import type { OptInState } from '../model/opt-in-states.js';

const COLUMNS = [
  'submission_id',
  'form_id',
  'state',
  'email',
  'asked_at',
  'confirmed_at',
  'by_hand',
];
const BY_STATE = '/*! FORCE INDEX (ix_opt_ins_form) */';

/** A submission whose visitor is asked. */
export interface Asked {
  formId: number;
  submissionId: Buffer;
  email: string;
}

/** Reads and changes which submissions wait for their visitors. */
@Injectable()
export class OptInsRepository extends TransactionalRepository {
  inserts(asked: readonly Asked[], now: Date): Statement[] {
    const rows = asked.map(({ submissionId, formId, email }) => [
      ...[submissionId, formId, 'waiting', email, sqlDate(now), null, 0],
    ]);
    return insertStatement('opt_ins', COLUMNS, rows);
  }

  listAmong(submissionIds: readonly Buffer[]): Promise<OptIn[]> {
    if (submissionIds.length === 0) return Promise.resolve([]);
    return this.source.manager.findBy(OptIn, { submissionId: In([...submissionIds]) });
  }

  /** @returns whether it waited */
  async confirm(submissionId: Buffer, byHand: boolean, now: Date): Promise<boolean> {
    const changed = await changeRows(
      this.source.manager,
      `UPDATE opt_ins SET state = 'confirmed', confirmed_at = ?, by_hand = ?
        WHERE submission_id = ? AND state = 'waiting'`,
      [sqlDate(now), byHand ? 1 : 0, submissionId],
    );
    return changed > 0;
  }

  /** Finds the ids of submissions in this state, in this order, within the bound. */
  async idsInOrder(
    formId: number,
    state: OptInState,
    order: 'ASC' | 'DESC',
    [side, id]: readonly [side: string, id: Buffer],
    limit: number,
  ): Promise<Buffer[]> {
    const rows = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM opt_ins ${BY_STATE} WHERE form_id = ? AND state = ?
        AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, state, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  /** Tells whether a form has ever asked a visitor. */
  async hasAny(formId: number): Promise<boolean> {
    return this.source.manager.existsBy(OptIn, { formId });
  }

  async forget(submissionIds: readonly Buffer[]): Promise<void> {
    await this.source.manager.query(
      `DELETE FROM opt_ins WHERE submission_id IN (${placeholders(submissionIds)})`,
      [...submissionIds],
    );
  }
}
