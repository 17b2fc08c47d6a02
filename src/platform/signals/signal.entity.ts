import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Time } from '../database/columns.js';

/** Says to all instances when something last changed, and never what. */
@Entity('signals')
@Index('ix_signals_time', ['givenAt'])
export class Signal {
  @PrimaryColumn('varchar', { length: 16 }) topic: string;
  /** Id of what has changed; its topic says of which kind. */
  @PrimaryColumn('int') subjectId: number;
  /** By the clock of the database. */
  @Time() givenAt: Date;
}
