import { ConflictError, fact } from '../../kernel/errors.js';

/** The input is no backup, or not a complete one. Nothing was restored. */
export class BackupDamaged extends fact(
  ConflictError,
  'backup_damaged',
  (reason: string) =>
    `This backup cannot be restored: ${reason}. Nothing was restored. Use another copy of it.`,
) {}

/** Another process is writing a backup under this name. */
export class BackupIsWritten extends fact(
  ConflictError,
  'backup_is_written',
  (file: string) => `Another process is writing ${file}. Wait for it, or choose another name.`,
) {}

/** The backup has migrations that this version of the program does not know. */
export class BackupTooNew extends fact(
  ConflictError,
  'backup_too_new',
  (migration: string) =>
    `The backup comes from a newer version, with the migration ${migration}. Restore it with that version.`,
) {}

/** The backup has a part of the migrations of a release. */
export class BackupUnreleased extends ConflictError {
  constructor(migration: string) {
    super(
      'backup_unreleased',
      `The backup was made between two releases (its migration is ${migration}). Restore it with the version that made it.`,
    );
  }
}

/** The database has migrations that the backup lacks. */
export class DatabaseTooNew extends fact(
  ConflictError,
  'database_too_new',
  (migration: string) =>
    `The database is newer than the backup, by the migration ${migration}. Restore into a database without tables; restoring migrates it.`,
) {}

export class DatabaseNotEmpty extends fact(
  ConflictError,
  'database_not_empty',
  (table: string) =>
    `The database is not empty: ${table} has rows. Restore into a new database on which the service has never started.`,
) {}

/** A backup was restored into a scratch database, and something differs. */
export class BackupDiffers extends fact(
  ConflictError,
  'backup_differs',
  (what: string) =>
    `The backup was restored into a scratch database, and ${what} differs from the file. Report this, and keep other backups.`,
) {}
