import { Entity, PrimaryColumn, Index } from 'typeorm';
import { GoesWith, Uuid, UuidKey } from '../../platform/database/index.js';

/** Says up to which submission of a form somebody has read everything, but for the exceptions. */
@Entity('read_positions')
@GoesWith<ReadPosition>('formId')
export class ReadPosition {
  @PrimaryColumn('int') formId: number;
  /** Written by `readerOf()`. */
  @PrimaryColumn('varchar', { length: 32 }) reader: string;
  /** Id of a submission, or one made at a moment. */
  @Uuid() readUpTo: Buffer;
}

/** Names a submission that is read although it is newer than the position, or unread although it is not. */
@Entity('read_exceptions')
@GoesWith<ReadException>('submissionId')
@Index('ix_read_exceptions_submission', ['submissionId'])
export class ReadException {
  @PrimaryColumn('int') formId: number;
  /** Written by `readerOf()`. */
  @PrimaryColumn('varchar', { length: 32 }) reader: string;
  @UuidKey() submissionId: Buffer;
}
