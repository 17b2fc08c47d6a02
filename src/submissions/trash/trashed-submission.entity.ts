import { Column, Entity, Index } from 'typeorm';
import { GoesWith, Time, UuidKey } from '../../platform/database/index.js';

/** Says since when a submission is in the trash. */
@Entity('trashed_submissions')
@GoesWith<TrashedSubmission>('submissionId')
@Index('ix_trashed_submissions_time', ['trashedAt'])
export class TrashedSubmission {
  @UuidKey() submissionId: Buffer;
  @Column('int') formId: number;
  @Time() trashedAt: Date;
}
