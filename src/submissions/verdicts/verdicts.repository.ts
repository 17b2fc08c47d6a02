import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import type { Band } from '../../spam/verdict.js';
import { keyOf } from '../byte-pieces.js';
import type { Bound, Order } from '../submission-ids.js';
import { SubmissionVerdict } from './submission-verdict.entity.js';

/** Reads and changes verdicts. The transaction that stores a submission writes them. */
@Injectable()
export class VerdictsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): VerdictsRepository {
    return new VerdictsRepository({ manager: tx });
  }

  /** Returns the verdicts of those of these submissions that have one, by the id as Latin-1. */
  async of(submissionIds: readonly Buffer[]): Promise<Map<string, SubmissionVerdict>> {
    if (submissionIds.length === 0) return new Map();
    const rows = await this.source.manager.find(SubmissionVerdict, {
      where: { submissionId: In([...submissionIds]) },
    });
    return new Map(rows.map((row) => [keyOf(row.submissionId), row]));
  }

  /** Finds the ids of submissions of this band, in this order, within the bound. */
  async idsInOrder(
    formId: number,
    band: Band,
    order: Order,
    [side, id]: Bound,
    limit: number,
  ): Promise<Buffer[]> {
    const rows = await this.source.manager.query<{ submission_id: Buffer }[]>(
      `SELECT submission_id FROM submission_verdicts WHERE form_id = ? AND band = ?
        AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, band, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  async save(row: SubmissionVerdict): Promise<void> {
    await this.source.manager.save(row);
  }

  async forget(submissionIds: readonly Buffer[]): Promise<void> {
    await this.source.manager.delete(SubmissionVerdict, { submissionId: In([...submissionIds]) });
  }
}
