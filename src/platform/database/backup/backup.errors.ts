import { ConflictError } from '../../kernel/errors.js';

/** The input is no backup, or not a complete one. Nothing was restored. */
export class BackupDamaged extends ConflictError {
  constructor(reason: string) {
    super(
      'backup_damaged',
      `This backup cannot be restored: ${reason}. Nothing was restored. Use another copy of it.`,
    );
  }
}

/** Another process is writing a backup under this name. */
export class BackupIsWritten extends ConflictError {
  constructor(file: string) {
    super(
      'backup_is_written',
      `Another process is writing ${file}. Wait for it, or choose another name.`,
    );
  }
}

/** The backup has migrations that this version of the program does not know. */
export class BackupTooNew extends ConflictError {
  constructor(migration: string) {
    super(
      'backup_too_new',
      `The backup comes from a newer version, with the migration ${migration}. Restore it with that version.`,
    );
  }
}

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
export class DatabaseTooNew extends ConflictError {
  constructor(migration: string) {
    super(
      'database_too_new',
      `The database is newer than the backup, by the migration ${migration}. Restore into a database without tables; restoring migrates it.`,
    );
  }
}

export class DatabaseNotEmpty extends ConflictError {
  constructor(table: string) {
    super(
      'database_not_empty',
      `The database is not empty: ${table} has rows. Restore into a new database on which the service has never started.`,
    );
  }
}

/** A backup was restored into a scratch database, and something differs. */
export class BackupDiffers extends ConflictError {
  constructor(what: string) {
    super(
      'backup_differs',
      `The backup was restored into a scratch database, and ${what} differs from the file. Report this, and keep other backups.`,
    );
  }
}
