import { Column, Entity, Index } from 'typeorm';
import { GoesWith, Time, UuidKey } from '../../platform/database/index.js';
import { Verdict, type Band, type SpamPart } from '../../spam/evidence/verdict.js';

/** Stores the verdict on a submission about which there is something to say; most have no row. */
@Entity('submission_verdicts')
@GoesWith<SubmissionVerdict>('submissionId')
@Index('ix_submission_verdicts_form', ['formId', 'band', 'submissionId'])
@Index('ix_submission_verdicts_hold', ['heldUntil'])
export class SubmissionVerdict {
  @UuidKey() submissionId: Buffer;
  @Column('int') formId: number;
  @Column('varchar', { length: 8 }) band: Band;
  /** Written by `encodeParts()`. */
  @Column('mediumtext') parts: string;
  /** Verdict of the signals, once somebody or the end of its hold made something else of it. */
  @Column('varchar', { length: 8, nullable: true }) judged: Band | null;
  /** When what it causes goes out by itself; null unless it is held, and then: only when a person says so. */
  @Time({ nullable: true }) heldUntil: Date | null;

  static of(formId: number, submissionId: Buffer, { band, parts, before }: Verdict): SubmissionVerdict {
    const row = { formId, submissionId, band, parts: encodeParts(parts), judged: before };
    return Object.assign(new SubmissionVerdict(), { ...row, heldUntil: null });
  }

  get verdict(): Verdict {
    return Verdict.stored(this.band, decodeParts(this.parts), this.judged);
  }
}

/** Returns the text that is stored: a JSON array of `[name, points, reason, share]`, the last null for none. */
export function encodeParts(parts: readonly SpamPart[]) {
  return JSON.stringify(parts.map(({ name, points, reason, share = null }) => [name, points, reason, share]));
}

function decodeParts(text: string): SpamPart[] {
  const rows = JSON.parse(text) as [string, number, string, (number | null)?][];
  return rows.map(([name, points, reason, share]) => ({
    ...{ name, points, reason },
    ...(share != null && { share }),
  }));
}
