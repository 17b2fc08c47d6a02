import { ConflictError } from '../../platform/kernel/errors.js';

/** The input is no backup, or not a complete one. Nothing was restored. */
export class BackupDamaged extends ConflictError {
  constructor(reason: string) {
    super(
      'backup_damaged',
      `This is not a complete backup: ${reason}. Nothing was restored; take another copy of it.`,
    );
  }
}

/** The tables are older than this version of the program. */
export class DatabaseNotCurrent extends ConflictError {
  constructor() {
    super(
      'database_not_current',
      'The database has migrations to run; back up with the version that has been using it, or run migrate first.',
    );
  }
}

/** The backup has migrations that this version of the program does not know. */
export class BackupTooNew extends ConflictError {
  constructor(migration: string) {
    super(
      'backup_too_new',
      `The backup is of a newer version, with the migration ${migration}; restore it with that version.`,
    );
  }
}

/** The database has migrations that the backup lacks. */
export class DatabaseTooNew extends ConflictError {
  constructor(migration: string) {
    super(
      'database_too_new',
      `The database is migrated past the backup, by ${migration}; restore into a database without tables, which is then migrated.`,
    );
  }
}

export class DatabaseNotEmpty extends ConflictError {
  constructor(table: string) {
    super(
      'database_not_empty',
      `The database is not empty: there are rows in ${table}. Restore into a new database; one that the service was started on has an account already.`,
    );
  }
}
