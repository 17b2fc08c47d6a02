import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Says since when a submission is in the trash. */
@Entity('trashed_submissions')
@Index('ix_trashed_submissions_time', ['trashedAt'])
export class TrashedSubmission {
  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Column('datetime', { name: 'trashed_at', precision: 3 })
  trashedAt: Date;
}
