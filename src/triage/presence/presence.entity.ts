import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GoesWith, Time, Uuid } from '../../platform/database/index.js';

/** Says which submission a person has open; a row for each person at most. */
@Entity('presences')
@GoesWith<Presence>('submissionId')
@Index('ix_presences_submission', ['submissionId'])
export class Presence {
  @PrimaryColumn('int') personId: number;
  /** The client whose people they look with; null for members of the account. */
  @Column('int', { nullable: true }) clientId: number | null;
  @Uuid() submissionId: Buffer;
  /** When it counts as left, unless the page says before that it is open still; by the clock of the database. */
  @Time() openUntil: Date;
}
