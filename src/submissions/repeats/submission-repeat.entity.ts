import { Column, Entity, Index } from 'typeorm';
import { GoesWith, Uuid, UuidKey } from '../../platform/database/index.js';

/** Stores that a submission came once more within seconds, with the same content from the same sender. */
@Entity('submission_repeats')
@GoesWith<SubmissionRepeat>('submissionId')
@Index('ix_submission_repeats_submission', ['submissionId', 'id'])
export class SubmissionRepeat {
  /** A UUID version 7: its time is when it came. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  /** The one that came first. */
  @Uuid() submissionId: Buffer;
}
