import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GoesWith, Time, UuidKey } from '../../platform/database/index.js';

/** Gives a submission a mark. Most have none, so storing a submission writes no row here. */
@Entity('submission_marks')
@GoesWith<SubmissionMark>('submissionId')
@Index('ix_submission_marks_form', ['formId', 'mark', 'submissionId'])
export class SubmissionMark {
  @UuidKey() submissionId: Buffer;
  @PrimaryColumn('varchar', { length: 64 }) mark: string;
  @Column('int') formId: number;
  /** When it was given; null for what is from before this was kept. */
  @Time({ nullable: true }) givenAt: Date | null;
  /** Name at that time of the person or token that set the mark. */
  @Column('varchar', { length: 255, nullable: true }) givenBy: string | null;
}
