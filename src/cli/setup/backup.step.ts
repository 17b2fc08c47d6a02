import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { BackupFolder, reasonOf } from '../../platform/database/backup/backup-folder.js';
import { Refused } from '../kit/cli.errors.js';
import type { Change, Draft } from './draft.js';
import { changeOf, type SetupOptions, type Step } from './step.js';
import type { Terminal } from './terminal.js';

const OFF = 'off';
const NONE = 'none';
const NIGHT = '03:00';
/** A file that is written to see whether the folder takes backups, and removed. */
const TRIAL = 'setup-trial';

/** Asks when and where backups are made, and writes there. */
export const backupStep: Step = {
  title: 'Backups',

  read: ({ backupDir, backupSchedule, backupCommand }: SetupOptions) =>
    changeOf({
      BACKUP_DIR: backupDir,
      BACKUP_SCHEDULE: backupSchedule,
      BACKUP_COMMAND: backupCommand,
    }),

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const { backupDir, backupTimes } = draft.config;
    const folder = await terminal.ask('Folder for backups; another disk is better', backupDir);
    const schedule = await terminal.ask(
      `Times of the day in UTC, or ${OFF}`,
      draft.value('BACKUP_SCHEDULE') ?? NIGHT,
    );
    const command = await terminal.ask(
      `Command that copies each backup, "$BACKUP_FILE", elsewhere, or ${NONE}`,
      draft.value('BACKUP_COMMAND') ?? NONE,
    );
    return {
      ...(folder !== backupDir && { BACKUP_DIR: folder }),
      ...(schedule !== backupTimes.join(',') && { BACKUP_SCHEDULE: schedule }),
      BACKUP_COMMAND: command === NONE ? null : command,
    };
  },

  async attempt({ config }: Draft): Promise<string> {
    const { backupDir, backupTimes, backups } = config;
    if (backups.command !== undefined) tryCommand(backups.command);
    if (backupTimes.length === 0)
      return 'The service makes no backups by itself: BACKUP_SCHEDULE is off.';
    const folder = new BackupFolder(backupDir);
    try {
      await folder.write(TRIAL, () => Readable.from(['']));
      await rm(folder.fileOf(TRIAL));
    } catch (error) {
      throw new Refused(reasonOf(error), { cause: error });
    }
    return `The service makes a backup at ${backupTimes.join(' and ')} UTC in ${backupDir}.`;
  },
};

/** Reads a command without running it. @throws Refused when the shell does not understand it */
function tryCommand(command: string): void {
  const { status, stderr } = spawnSync('/bin/sh', ['-n', '-c', command], { encoding: 'utf8' });
  if (status !== 0)
    throw new Refused(`The shell does not understand BACKUP_COMMAND: ${stderr.trim()}.`);
}
