import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Says how far the texts of all submissions are moved; a single row. */
@Entity('text_progress')
export class TextProgress {
  @PrimaryColumn('int', { name: 'id' })
  id: number;

  /** Each submission with a lower id has its text in `submission_texts`. */
  @Column('binary', { name: 'moved_below', length: 16 })
  movedBelow: Buffer;
}
