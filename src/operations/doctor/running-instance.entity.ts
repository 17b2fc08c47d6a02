import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** Describes a process of the service to the others. */
@Entity('running_instances')
export class RunningInstance {
  @PrimaryColumn('binary', { length: 16 }) id: Buffer;
  /** The machine and the process, as operators know them. */
  @Column('varchar', { length: 100 }) name: string;
  /** The text of the file `folder.id` in its DATA_DIR. */
  @Column('varchar', { length: 32 }) folderId: string;
  /** The id of the key that it seals with. */
  @Column('binary', { length: 4 }) keyId: Buffer;
  /** When it counts as ended, unless it says before that it runs; by the clock of the database. */
  @Time() aliveUntil: Date;
}
