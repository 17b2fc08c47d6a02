import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../../platform/database/index.js';

/** Result of the last scan of a file. `unscanned`: nothing yet, or nothing at all. */
export type ScanState = 'unscanned' | 'clean' | 'infected';

/** Longest stored name of a virus, in characters. */
export const VIRUS_MAX = 255;

/** Says what the scan for viruses found in a file. A file from before scans were on has none. */
@Entity('file_scans')
@Index('ix_file_scans_due', ['dueAt'])
export class FileScan {
  @UuidKey() fileId: Buffer;
  @Column('varchar', { length: 16 }) state: ScanState;
  /** Its name by clamd; null unless it is infected. */
  @Column('varchar', { length: VIRUS_MAX, nullable: true }) virus: string | null;
  /** When it is scanned again; null for never. */
  @Time({ nullable: true }) dueAt: Date | null;
  /** When somebody who may do that let it be opened all the same; null: nobody did. */
  @Time({ nullable: true }) unlockedAt: Date | null;

  /** Tells whether nobody can open the file. */
  get isLocked() {
    return this.state === 'infected' && this.unlockedAt === null;
  }
}
