import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Stores what a search reads of a submission: little else, so that many fit a page of the database. */
@Entity('submission_texts', { withoutRowid: true })
export class SubmissionText {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Id of the submission. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  /**
   * Written by `SubmittedValues.searchText()` with the names of files, in UTF-8: bytes, so that no collation takes part. Null for a long
   * one, which is compared in the process.
   */
  @Column('blob', { name: 'text', nullable: true })
  text: Buffer | null;
}
