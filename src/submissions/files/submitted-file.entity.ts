import { Column, Entity, Index } from 'typeorm';
import { Uuid, UuidKey } from '../../platform/database/index.js';

/** Describes a file of a submission. Its bytes are on disk, under its id. */
@Entity('files')
@Index('ix_files_submission', ['submissionId', 'position'])
@Index('ix_files_form', ['formId', 'submissionId'])
export class SubmittedFile {
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  @Uuid() submissionId: Buffer;
  /** Place among the files of the submission, from 0. */
  @Column('int') position: number;
  /** Name of the form's field. */
  @Column('text') field: string;
  /** Name on the visitor's machine; never used as a path. */
  @Column('text') name: string;
  /** Media type that the browser sent; never trusted. */
  @Column('varchar', { length: 255 }) mediaType: string;
  /** In bytes. */
  @Column('int') size: number;
  @Column('binary', { length: 32 }) sha256: Buffer;
}
