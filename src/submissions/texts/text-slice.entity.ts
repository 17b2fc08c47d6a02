import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Says of one block which of its texts may have certain three bytes in a row; the key keeps those of a slice together. */
@Entity('text_slices', { withoutRowid: true })
export class TextSlice {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** Written by `slicesOf()`. */
  @PrimaryColumn('int', { name: 'slice' })
  slice: number;

  @PrimaryColumn('int', { name: 'block' })
  block: number;

  /** A bit for each submission of the block, in their order. */
  @Column('blob', { name: 'bits' })
  bits: Buffer;
}
