import { Entity, Index, PrimaryColumn } from 'typeorm';

/** Names a submission that is read although it is newer than the position, or unread although it is not. */
@Entity('read_exceptions')
@Index('ix_read_exceptions_submission', ['submissionId'])
export class ReadException {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Written by `readerOf()`. */
  @PrimaryColumn('varchar', { name: 'reader', length: 32 })
  reader: string;

  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;
}
