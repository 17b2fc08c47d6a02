import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Verdict, type Band, type SpamPart } from '../../spam/verdict.js';

/** Stores the verdict on a submission about which there is something to say; most have no row. */
@Entity('submission_verdicts')
@Index('ix_submission_verdicts_form', ['formId', 'band', 'submissionId'])
export class SubmissionVerdict {
  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Column('varchar', { name: 'band', length: 8 })
  band: Band;

  /** Written by `encodeParts()`. */
  @Column('mediumtext', { name: 'parts' })
  parts: string;

  static of(formId: number, submissionId: Buffer, { band, parts }: Verdict): SubmissionVerdict {
    const row = { formId, submissionId, band, parts: encodeParts(parts) };
    return Object.assign(new SubmissionVerdict(), row);
  }

  get verdict(): Verdict {
    return Verdict.stored(this.band, decodeParts(this.parts));
  }
}

/** Returns the text that is stored: a JSON array of `[name, points, reason]`. */
export function encodeParts(parts: readonly SpamPart[]): string {
  return JSON.stringify(parts.map(({ name, points, reason }) => [name, points, reason]));
}

function decodeParts(text: string): SpamPart[] {
  const rows = JSON.parse(text) as [string, number, string][];
  return rows.map(([name, points, reason]) => ({ name, points, reason }));
}
