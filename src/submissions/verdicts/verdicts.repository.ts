import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { selectEntities, selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import type { KeptBack } from '../../deliveries/model/kept-back.js';
import type { Band, Verdict } from '../../spam/evidence/verdict.js';
import { keyOf } from '../rows/byte-pieces.js';
import { BY_FOLDER, type Bound, type Order } from '../rows/submission-ids.js';
import { encodeParts, SubmissionVerdict } from './submission-verdict.entity.js';

const BANDS: readonly Band[] = ['clean', 'held', 'spam'];

/** MySQL would go through the submissions of the forms, of which few are held. */
const HELD_FIRST = '/*! STRAIGHT_JOIN */';
const BY_BAND = '/*! FORCE INDEX (ix_submission_verdicts_form) */';

/** Reads and changes verdicts. The transaction that stores a submission writes them. */
@Injectable()
export class VerdictsRepository extends TransactionalRepository {
  /** Returns the verdicts of those of these submissions that have one, by the id as Latin-1. */
  async of(submissionIds: readonly Buffer[]): Promise<Map<string, SubmissionVerdict>> {
    const rows = await selectEntities(this.source, SubmissionVerdict, {
      submissionId: submissionIds,
    });
    return new Map(rows.map((row) => [keyOf(row.submissionId), row]));
  }

  /** Returns which of these submissions are held, by the id as Latin-1. */
  async heldAmong(submissionIds: readonly Buffer[]): Promise<Set<string>> {
    if (submissionIds.length === 0) return new Set();
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT submission_id AS id FROM submission_verdicts
        WHERE submission_id IN (${placeholders(submissionIds)}) AND band = 'held'`,
      submissionIds,
    );
    return new Set(rows.map(({ id }) => keyOf(id)));
  }

  /** Returns those of these submissions that are spam, and those that are held. */
  async keptBack(submissionIds: readonly Buffer[]): Promise<KeptBack> {
    if (submissionIds.length === 0) return { spam: [], held: [] };
    const rows = await selectRows<{ id: Buffer }>(
      this.source,
      `SELECT id FROM submissions WHERE id IN (${placeholders(submissionIds)}) AND spam = 1`,
      submissionIds,
    );
    const verdicts = [...(await this.of(submissionIds)).values()];
    const held = verdicts.filter(({ band }) => band === 'held');
    return {
      spam: rows.map(({ id }) => id),
      held: held.map(({ submissionId: id, heldUntil: until }) => ({ id, until })),
    };
  }

  /** Counts what is held in these forms and not in the trash, up to `max`. */
  async countHeld(formIds: readonly number[], max: number): Promise<number> {
    if (formIds.length === 0) return 0;
    const [row] = await selectRows<{ n: number | string }>(
      this.source,
      `SELECT COUNT(*) AS n FROM (SELECT ${HELD_FIRST} v.submission_id FROM submission_verdicts AS v
        ${BY_BAND} JOIN submissions AS s ON s.id = v.submission_id
        WHERE v.form_id IN (${placeholders(formIds)}) AND v.band = 'held'
          AND s.trash = 0 AND s.spam = 0 LIMIT ?) AS held`,
      [...formIds, max],
    );
    return Number(row?.n);
  }

  /** Finds the ids of submissions of this band, in this order, within the bound. */
  async idsInOrder(
    formId: number,
    band: Band,
    order: Order,
    [side, id]: Bound,
    limit: number,
  ): Promise<Buffer[]> {
    const rows = await selectRows<{ submission_id: Buffer }>(
      this.source,
      `SELECT submission_id FROM submission_verdicts ${BY_FOLDER} WHERE form_id = ? AND band = ?
        AND submission_id ${side} ? ORDER BY submission_id ${order} LIMIT ?`,
      [formId, band, id, limit],
    );
    return rows.map((row) => row.submission_id);
  }

  /**
   * Finds verdicts on submissions of a form, the newest submission first.
   * @param from lowest id
   * @param before the id above the highest
   */
  async between(
    formId: number,
    from: Buffer,
    before: Buffer,
    limit: number,
  ): Promise<SubmissionVerdict[]> {
    // The index has the ids of each band in order.
    const columns = 'submission_id, band, parts, judged';
    const selects = BANDS.map(
      (band) => `SELECT ${columns} FROM (SELECT ${columns} FROM submission_verdicts ${BY_FOLDER}
        WHERE form_id = ? AND band = '${band}' AND submission_id >= ? AND submission_id < ?
        ORDER BY submission_id DESC LIMIT ?) AS of_${band}`,
    );
    const rows = await selectRows<{
      submission_id: Buffer;
      band: Band;
      parts: string;
      judged: Band | null;
    }>(this.source, `${selects.join(' UNION ALL ')} ORDER BY submission_id DESC LIMIT ?`, [
      ...BANDS.flatMap(() => [formId, from, before, limit]),
      limit,
    ]);
    return rows.map(({ submission_id: submissionId, band, parts, judged }) =>
      Object.assign(new SubmissionVerdict(), { formId, submissionId, band, parts, judged }),
    );
  }

  /** Returns verdicts whose hold is over. */
  holdsOverAt(now: Date, limit: number): Promise<SubmissionVerdict[]> {
    return this.source.manager.find(SubmissionVerdict, {
      where: { heldUntil: LessThanOrEqual(now) },
      order: { heldUntil: 'ASC' },
      take: limit,
    });
  }

  /** Stores what became of one whose hold is over, unless somebody decided meanwhile. */
  async endHold({ submissionId, heldUntil }: SubmissionVerdict, after: Verdict): Promise<void> {
    const { band, parts, before } = after;
    await this.source.manager.update(
      SubmissionVerdict,
      { submissionId, heldUntil: heldUntil ?? IsNull() },
      { band, parts: encodeParts(parts), judged: before, heldUntil: null },
    );
  }

  async save(row: SubmissionVerdict): Promise<void> {
    await this.source.manager.save(row);
  }

  /** Stores a verdict that signals made; what is held already keeps the end of its hold. */
  async renew(row: SubmissionVerdict, heldUntil: Date | null): Promise<void> {
    const { submissionId, band } = row;
    const known = await this.source.manager.findOneBy(SubmissionVerdict, { submissionId });
    const isHeldAlready = band === 'held' && known?.band === 'held';
    await this.save(Object.assign(row, { heldUntil: isHeldAlready ? known.heldUntil : heldUntil }));
  }

  async forget(submissionIds: readonly Buffer[]): Promise<void> {
    await this.source.manager.delete(SubmissionVerdict, { submissionId: In([...submissionIds]) });
  }
}
