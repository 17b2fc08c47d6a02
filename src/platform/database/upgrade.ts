import { Logger } from '@nestjs/common';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { beginBackup } from './backup/backup.js';
import { BackupFolder, reasonOf } from './backup/backup-folder.js';
import { backupName } from './backup/backup-schedule.js';
import { DatabaseRefused } from './data-source.js';
import { knownTo, migrate, migrationsDone, refuseUnreleased, timeOf } from './migrate.js';

/**
 * Brings the tables to this version. If they have data of an older one, a backup in BACKUP_DIR comes first: without files,
 * which no migration changes.
 * @returns the names of the migrations that this call ran
 * @throws DatabaseRefused when the backup fails; nothing was changed then
 */
export function upgrade(database: DataSource, config: Config): Promise<string[]> {
  return migrate(database, () => backUp(database, config));
}

/**
 * Refuses tables of a newer version: this one would store what the newer one cannot find, and leave copies of what it
 * erases. Refuses those between two releases too.
 * @throws DatabaseRefused
 */
export async function refuseNewer(database: DataSource, config: Config): Promise<void> {
  await refuseUnreleased(database);
  if (config.newerDatabase === 'allow') return;
  const newest = Math.max(...knownTo(database).map(timeOf));
  const newer = (await migrationsDone(database)).find((name) => timeOf(name) > newest);
  if (newer === undefined) return;
  throw new DatabaseRefused(
    `A newer version has used this database (its migration is ${newer}). Start that version again, or restore the backup from before the upgrade (in ${config.backupDir}) into an empty database. To start this version all the same, set NEWER_DATABASE=allow.`,
  );
}

async function backUp(database: DataSource, config: Config): Promise<void> {
  if (config.backups.beforeMigrations === 'off') return;
  if ((await migrationsDone(database)).length === 0) return;
  const folder = new BackupFolder(config.backupDir);
  const name = backupName('upgrade', new Date());
  try {
    await folder.write(name, () => beginBackup(database, null).content);
  } catch (error) {
    throw new DatabaseRefused(
      `The backup before the upgrade failed: ${reasonOf(error)} The database is as it was. To upgrade without a backup, set BACKUP_BEFORE_MIGRATIONS=off.`,
    );
  }
  const file = join(folder.path, name);
  new Logger('Database').log('Backed up before migrating', { file });
}
