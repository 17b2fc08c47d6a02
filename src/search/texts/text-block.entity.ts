import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Says which texts are in one block: all that a form had between two ids. */
@Entity('text_blocks')
export class TextBlock {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Number of the block in its form, from 1, in the order of time. */
  @PrimaryColumn('int', { name: 'block' })
  block: number;

  @Column('binary', { name: 'first_id', length: 16 })
  firstId: Buffer;

  @Column('binary', { name: 'last_id', length: 16 })
  lastId: Buffer;

  /** The first id of each group of texts in their order, 16 bytes each; the submission may be gone. */
  @Column('mediumblob', { name: 'ids' })
  ids: Buffer;
}
