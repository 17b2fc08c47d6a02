import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/columns.js';

/** Says since when a submission is in the trash. */
@Entity('trashed_submissions')
@Index('ix_trashed_submissions_time', ['trashedAt'])
export class TrashedSubmission {
  @UuidKey('submission_id')
  submissionId: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Time('trashed_at')
  trashedAt: Date;
}
