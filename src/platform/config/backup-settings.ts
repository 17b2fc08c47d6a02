import { IsIn, IsOptional, Matches } from 'class-validator';
import { Setting, WholeNumber } from './setting.decorator.js';

const TIMES = /^\s*(?:[01]\d|2[0-3]):[0-5]\d(?:\s*,\s*(?:[01]\d|2[0-3]):[0-5]\d)*\s*$/;

/** Holds when backups are made, where they are kept, and for how long. */
export class BackupSettings {
  /** Times of the day in UTC, or `off`; unset: each night for the embedded database. */
  @Setting('BACKUP_SCHEDULE')
  @IsOptional()
  @Matches(new RegExp(`^off$|${TIMES.source}`), {
    message: 'must be off, or times of the day in UTC, such as 03:00 or 03:00,15:00',
  })
  readonly schedule?: string;

  @Setting('BACKUP_DIR')
  @IsOptional()
  readonly givenDir?: string;

  /** How many days keep their last backup. */
  @Setting('BACKUP_KEEP_DAYS')
  @WholeNumber(1, 3_650, 'days', 7)
  readonly keepDays: number = 7;

  /** How many weeks keep their last backup. */
  @Setting('BACKUP_KEEP_WEEKS')
  @WholeNumber(0, 520, 'weeks', 4)
  readonly keepWeeks: number = 4;

  /** A command of the shell that is run after each scheduled backup, with the file in BACKUP_FILE. */
  @Setting('BACKUP_COMMAND')
  @IsOptional()
  readonly command?: string;

  /** Whether the database is backed up before pending migrations change it. */
  @Setting('BACKUP_BEFORE_MIGRATIONS')
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  readonly beforeMigrations: 'on' | 'off' = 'on';
}
