import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Stores that a submission came once more within seconds, with the same content from the same sender. */
@Entity('submission_repeats')
@Index('ix_submission_repeats_submission', ['submissionId', 'id'])
export class SubmissionRepeat {
  /** A UUID version 7: its time is when it came. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  /** The one that came first. */
  @Column('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;
}
