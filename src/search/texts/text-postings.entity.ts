import { Column, Entity, PrimaryColumn } from 'typeorm';

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
