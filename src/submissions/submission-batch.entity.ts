import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The submissions of one committed transaction whose values are not indexed yet. One row for many
 * submissions keeps the index, whose entries fall all over the table, out of the visitor's way.
 */
@Entity('submission_batches')
export class SubmissionBatch {
  @PrimaryGeneratedColumn({ name: 'id' })
  id: number;

  /** Ids of the submissions, 16 bytes each. */
  @Column('mediumblob', { name: 'submission_ids' })
  submissionIds: Buffer;
}
