import { Column, Entity, Index } from 'typeorm';
import { Uuid, UuidKey } from '../platform/database/columns.js';

/** Describes a file of a submission. Its bytes are on disk, under its id. */
@Entity('files')
@Index('ix_files_submission', ['submissionId', 'position'])
@Index('ix_files_form', ['formId', 'submissionId'])
export class SubmittedFile {
  @UuidKey('id')
  id: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Uuid('submission_id')
  submissionId: Buffer;

  /** Place among the files of the submission, from 0. */
  @Column('int', { name: 'position' })
  position: number;

  /** Name of the form's field. */
  @Column('text', { name: 'field' })
  field: string;

  /** Name on the visitor's machine; never used as a path. */
  @Column('text', { name: 'name' })
  name: string;

  /** Media type that the browser sent; never trusted. */
  @Column('varchar', { name: 'media_type', length: 255 })
  mediaType: string;

  /** In bytes. */
  @Column('int', { name: 'size' })
  size: number;

  @Column('binary', { name: 'sha256', length: 32 })
  sha256: Buffer;
}
