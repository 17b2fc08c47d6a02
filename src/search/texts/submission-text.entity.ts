import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Uuid, UuidKey } from '../../platform/database/index.js';

/** Stores what a search reads of a submission: little else, so that many fit a page of the database. */
@Entity('submission_texts', { withoutRowid: true })
export class SubmissionText {
  @PrimaryColumn('int') formId: number;
  /** Id of the submission. */
  @UuidKey() id: Buffer;
  /**
   * Written by `SubmittedValues.searchText()` with the names of files, in UTF-8: bytes, so that no collation takes part. Null for a long
   * one, which is compared in the process.
   */
  @Column('blob', { nullable: true }) text: Buffer | null;
}

/** Says which texts are in one block: all that a form had between two ids. */
@Entity('text_blocks')
export class TextBlock {
  @PrimaryColumn('int') formId: number;
  /** Number of the block in its form, from 1, in the order of time. */
  @PrimaryColumn('int') block: number;
  @Uuid() firstId: Buffer;
  @Uuid() lastId: Buffer;
  /** The first id of each group of texts in their order, 16 bytes each; the submission may be gone. */
  @Column('mediumblob') ids: Buffer;
}

/** Says of one block which of its texts may have certain trigrams; the key keeps a part's rows together. */
@Entity('text_postings', { withoutRowid: true })
export class TextPostings {
  @PrimaryColumn('int') formId: number;
  /** Which of the trigrams, by `partsFor()`. */
  @PrimaryColumn('int') part: number;
  @PrimaryColumn('int') block: number;
  /** Written by `Postings.parts()`. */
  @Column('blob') lists: Buffer;
}

/** Says how far the texts of all submissions are moved; a single row. */
@Entity('text_progress')
export class TextProgress {
  @PrimaryColumn('int') id: number;
  /** Each submission with a lower id has its text in `submission_texts`. */
  @Uuid() movedBelow: Buffer;
}
