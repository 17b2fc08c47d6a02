import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { cutAt } from '../../platform/index.js';
import { type Bands, type Verdict, type Band, BY_HAND } from '../../spam/evidence/verdict.js';
import { TransactionalRepository, placeholders, selectEntities, selectRows } from '../../platform/database/index.js';
import type { KeptBack } from '../../deliveries/model/outcome.js';
import { keyOf, BY_FOLDER, type Bound, type Order } from '../rows/submission-ids.js';
import { encodeParts, SubmissionVerdict } from './submission-verdict.entity.js';
import { SPAM_LEVEL_NAMES, SPAM_LEVELS, type SpamLevel, type SpamSettings } from '../../spam/judge/spam-settings.js';

/** Longest reason of a verdict, in characters. */
const REASON_MAX = 255;

/** Returns a reason as long as a verdict takes. */
export function shortReason(reason: string) {
  return cutAt(reason, REASON_MAX - 1);
}

/** Longest part of the name of a file in a reason, in characters. */
const NAME_MAX = 60;

/** A file with what its scan for viruses found. */
interface ScannedFile {
  name: string;
  scan?: { virus: string | null };
}

/** Returns a verdict that holds a submission for its infected files too; the same verdict if there are none. */
export function heldForViruses(files: readonly ScannedFile[], verdict: Verdict, bands: Bands): Verdict {
  const reasons = files.flatMap(({ name, scan }) =>
    scan?.virus == null ? [] : [`The file “${cutAt(name, NAME_MAX)}” is infected (${scan.virus}).`],
  );
  if (reasons.length === 0) return verdict;
  const known = verdict.infection;
  const reason = [...(known ? [known.reason] : []), ...reasons].join(' ');
  return verdict.infected(shortReason(reason), bands);
}

const BANDS: readonly Band[] = ['clean', 'held', 'spam'];

/** MySQL would go through the submissions of the forms, of which few are held. */
const HELD_FIRST = '/*! STRAIGHT_JOIN */';
const BY_BAND = '/*! FORCE INDEX (ix_submission_verdicts_form) */';

/** Reads and changes verdicts. The transaction that stores a submission writes them. */
@Injectable()
export class VerdictsRepository extends TransactionalRepository {
  /** Returns the verdicts that these submissions have, by the id as Latin-1. */
  async of(submissionIds: readonly Buffer[]): Promise<Map<string, SubmissionVerdict>> {
    const rows = await selectEntities(this.source, SubmissionVerdict, { submissionId: submissionIds });
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

  /** Returns which of these submissions are spam, and which are held. */
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
  async countHeld(formIds: readonly number[], max: number) {
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
  async idsInOrder(formId: number, band: Band, order: Order, [side, id]: Bound, limit: number): Promise<Buffer[]> {
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
  async between(formId: number, from: Buffer, before: Buffer, limit: number): Promise<SubmissionVerdict[]> {
    // The index has the ids of each band in order.
    const columns = 'submission_id, band, parts, judged';
    const selects = BANDS.map(
      (band) => `SELECT ${columns} FROM (SELECT ${columns} FROM submission_verdicts ${BY_FOLDER}
        WHERE form_id = ? AND band = '${band}' AND submission_id >= ? AND submission_id < ?
        ORDER BY submission_id DESC LIMIT ?) AS of_${band}`,
    );
    const rows = await selectRows<{ submission_id: Buffer; band: Band; parts: string; judged: Band | null }>(
      this.source,
      `${selects.join(' UNION ALL ')} ORDER BY submission_id DESC LIMIT ?`,
      [...BANDS.flatMap(() => [formId, from, before, limit]), limit],
    );
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
  async endHold({ submissionId, heldUntil }: SubmissionVerdict, after: Verdict) {
    const { band, parts, before } = after;
    await this.source.manager.update(
      SubmissionVerdict,
      { submissionId, heldUntil: heldUntil ?? IsNull() },
      { band, parts: encodeParts(parts), judged: before, heldUntil: null },
    );
  }

  async save(row: SubmissionVerdict) {
    await this.source.manager.save(row);
  }

  /** Stores a verdict that signals made; what is held already keeps the end of its hold. */
  async renew(row: SubmissionVerdict, heldUntil: Date | null) {
    const { submissionId, band } = row;
    const known = await this.source.manager.findOneBy(SubmissionVerdict, { submissionId });
    const isHeldAlready = band === 'held' && known?.band === 'held';
    await this.save(Object.assign(row, { heldUntil: isHeldAlready ? known.heldUntil : heldUntil }));
  }

  async forget(submissionIds: readonly Buffer[]) {
    await this.source.manager.delete(SubmissionVerdict, { submissionId: In([...submissionIds]) });
  }
}

/** Submissions that a signal caught. */
export interface SignalCount {
  name: string;
  /** Submissions in which it found something that speaks for spam. */
  found: number;
  /** Held submissions among them, and spam, before anybody decided. */
  held: number;
  spam: number;
  /** Those held or spam of which somebody said that they are no spam. */
  reversed: number;
}

/** Submissions that all signals together caught; a submission counts once. */
export interface SpamTotals extends Omit<SignalCount, 'name' | 'found'> {
  /** Submissions that were clean, and which somebody called spam. */
  missed: number;
}

/** Counts that each level would have held or called spam; a submission counts once. */
export type LevelCounts = Record<SpamLevel, { held: number; spam: number }>;

/** Counts what signals found, what people said of it, and what other levels would have made of it. */
export class SpamTally {
  private readonly counts: Map<string, SignalCount>;
  readonly totals: SpamTotals = { held: 0, spam: 0, reversed: 0, missed: 0 };
  readonly levels: LevelCounts = {
    relaxed: { held: 0, spam: 0 },
    normal: { held: 0, spam: 0 },
    strict: { held: 0, spam: 0 },
  };

  /**
   * @param names of the signals that are shown in any case
   * @param settings by which is judged what somebody decided since
   */
  constructor(
    names: readonly string[],
    private readonly settings: SpamSettings,
  ) {
    this.counts = new Map(names.map((name) => [name, nothing(name)]));
  }

  get signals(): SignalCount[] {
    return [...this.counts.values()];
  }

  add(verdict: Verdict) {
    for (const level of SPAM_LEVEL_NAMES) {
      const band = this.settings.bandBy(SPAM_LEVELS[level], verdict);
      if (band !== 'clean') this.levels[level][band]++;
    }
    const judged = verdict.judged(this.settings);
    const isReversed = judged !== 'clean' && verdict.isDecided && !verdict.isSpam;
    if (judged === 'clean' && verdict.isDecided && verdict.isSpam) this.totals.missed++;
    const speaking = verdict.parts.filter(({ name, points }) => name !== BY_HAND && points > 0);
    const counts = speaking.map(({ name }) => this.of(name));
    for (const count of counts) count.found++;
    if (judged === 'clean') return;
    for (const count of [...counts, this.totals]) {
      count[judged]++;
      if (isReversed) count.reversed++;
    }
  }

  private of(name: string) {
    const known = this.counts.get(name) ?? nothing(name);
    this.counts.set(name, known);
    return known;
  }
}

function nothing(name: string): SignalCount {
  return { name, found: 0, held: 0, spam: 0, reversed: 0 };
}
