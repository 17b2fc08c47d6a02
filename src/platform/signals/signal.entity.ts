import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Time } from '../database/columns.js';

/** Says to all instances when something last changed, and never what. */
@Entity('signals')
@Index('ix_signals_time', ['givenAt'])
export class Signal {
  @PrimaryColumn('varchar', { name: 'topic', length: 16 })
  topic: string;

  /** Id of what has changed; its topic says of which kind. */
  @PrimaryColumn('int', { name: 'subject_id' })
  subjectId: number;

  /** By the clock of the database. */
  @Time('given_at')
  givenAt: Date;
}
