import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Gives a submission a mark. Most have none, so storing a submission writes no row here. */
@Entity('submission_marks')
@Index('ix_submission_marks_form', ['formId', 'mark', 'submissionId'])
export class SubmissionMark {
  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;

  @PrimaryColumn('varchar', { name: 'mark', length: 64 })
  mark: string;

  @Column('int', { name: 'form_id' })
  formId: number;

  /** When it was given; null for what is from before this was kept. */
  @Column('datetime', { name: 'given_at', precision: 3, nullable: true })
  givenAt: Date | null;

  /** Name at that time of the person or token that set the mark. */
  @Column('varchar', { name: 'given_by', length: 255, nullable: true })
  givenBy: string | null;
}
