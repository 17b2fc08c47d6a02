import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Uuid, UuidKey } from '../../platform/database/columns.js';

/** Stores what a search reads of a submission: little else, so that many fit a page of the database. */
@Entity('submission_texts', { withoutRowid: true })
export class SubmissionText {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Id of the submission. */
  @UuidKey('id')
  id: Buffer;

  /**
   * Written by `SubmittedValues.searchText()` with the names of files, in UTF-8: bytes, so that no collation takes part. Null for a long
   * one, which is compared in the process.
   */
  @Column('blob', { name: 'text', nullable: true })
  text: Buffer | null;
}

/** Says which texts are in one block: all that a form had between two ids. */
@Entity('text_blocks')
export class TextBlock {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Number of the block in its form, from 1, in the order of time. */
  @PrimaryColumn('int', { name: 'block' })
  block: number;

  @Uuid('first_id')
  firstId: Buffer;

  @Uuid('last_id')
  lastId: Buffer;

  /** The first id of each group of texts in their order, 16 bytes each; the submission may be gone. */
  @Column('mediumblob', { name: 'ids' })
  ids: Buffer;
}

/** Says of one block which of its texts may have certain trigrams; the key keeps those of a part together. */
@Entity('text_postings', { withoutRowid: true })
export class TextPostings {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Which of the trigrams, by `partsFor()`. */
  @PrimaryColumn('int', { name: 'part' })
  part: number;

  @PrimaryColumn('int', { name: 'block' })
  block: number;

  /** Written by `Postings.parts()`. */
  @Column('blob', { name: 'lists' })
  lists: Buffer;
}

/** Says how far the texts of all submissions are moved; a single row. */
@Entity('text_progress')
export class TextProgress {
  @PrimaryColumn('int', { name: 'id' })
  id: number;

  /** Each submission with a lower id has its text in `submission_texts`. */
  @Uuid('moved_below')
  movedBelow: Buffer;
}
