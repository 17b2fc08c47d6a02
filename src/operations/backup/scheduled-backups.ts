import { Injectable, Logger } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { OperatorPost } from '../../people/members/operator-post.service.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { HOUR_MS, MINUTE_MS } from '../../platform/kernel/time/durations.js';
import { runBackupCommand } from './backup-command.js';
import type { BackupCounts } from '../../platform/database/backup/backup-format.js';
import { BackupIsWritten } from '../../platform/database/backup/backup.errors.js';
import { BackupFolder, reasonOf } from '../../platform/database/backup/backup-folder.js';
import { backupMail } from './backup-mail.js';
import {
  backupName,
  lastDue,
  nextDue,
  type StoredBackup,
} from '../../platform/database/backup/backup-schedule.js';
import { BackupService } from './backup.service.js';
import { TroubleRecord } from './backup-trouble.js';

/** How often it is looked whether a backup is due, in milliseconds. */
const LOOK_EVERY_MS = MINUTE_MS;
/** How long after a failure it is tried again, in milliseconds. */
const RETRY_MS = HOUR_MS;
/** How long after its time a missing backup is late, in milliseconds. */
const LATE_MS = 2 * HOUR_MS;

/** The backups of this service as operators see them. */
export interface BackupState {
  isScheduled: boolean;
  folder: string;
  /** The newest complete one and its size in bytes; null for none. */
  newest: (StoredBackup & { bytes: number }) | null;
  nextAt: Date | null;
  /** Why there is no backup of the last due time, in a sentence; null if all is well. */
  trouble: string | null;
}

/** Makes the backups of BACKUP_SCHEDULE, and tells operators when one fails or is late. */
@Injectable()
export class ScheduledBackups {
  private readonly logger = new Logger(ScheduledBackups.name);
  private readonly folder: BackupFolder;
  private readonly troubles: TroubleRecord;

  constructor(
    private readonly config: Config,
    private readonly backups: BackupService,
    private readonly post: OperatorPost,
    private readonly clock: Clock,
  ) {
    this.folder = new BackupFolder(config.backupDir);
    this.troubles = new TroubleRecord(config.backupDir);
  }

  async state(): Promise<BackupState> {
    const now = this.clock.now();
    const { backupTimes: times } = this.config;
    const newest = (await this.folder.list()).findLast(({ at }) => at <= now) ?? null;
    return {
      isScheduled: times.length > 0,
      folder: this.folder.path,
      newest: newest && { ...newest, bytes: await this.folder.sizeOf(newest.name) },
      nextAt: nextDue(times, now),
      trouble: await this.troubleAt(now, newest),
    };
  }

  /** Makes the backup that is due, if no process has made it. */
  @BackgroundTask('back up', LOOK_EVERY_MS)
  async run({ now, signal }: TaskRun): Promise<void> {
    const due = lastDue(this.config.backupTimes, now);
    if (due === null) return;
    const name = backupName('backup', due);
    const trouble = await this.troubles.read();
    const stored = await this.folder.list().catch(() => []);
    const isStored = stored.some((backup) => backup.name === name);
    if (isStored && trouble === null) return;
    if (trouble && now.getTime() - trouble.at.getTime() < RETRY_MS) return;
    try {
      if (!isStored) await this.store(name, now, signal);
      await this.handOver(name, signal);
      await this.troubles.clear();
    } catch (error) {
      if (signal?.aborted || error instanceof BackupIsWritten) return;
      const reason = reasonOf(error);
      this.logger.error('The backup failed', { folder: this.folder.path, reason });
      await this.troubles.write({ at: now, reason, isTold: trouble?.isTold ?? false });
    }
  }

  /** Mails operators once about each time of trouble. */
  @BackgroundTask('mail about backups', 10 * MINUTE_MS)
  async tell({ now }: TaskRun): Promise<void> {
    const { trouble, newest, folder } = await this.state();
    if (trouble === null) return;
    const known = await this.troubles.read();
    if (known?.isTold) return;
    this.logger.warn('There is trouble with backups', { trouble });
    const mail = backupMail({ trouble, newest, folder }, this.config.baseUrl);
    const isTold = await this.post.send(`backup-${now.getTime()}`, mail);
    if (!isTold) return;
    await this.troubles.write({
      at: known?.at ?? now,
      reason: known?.reason ?? trouble,
      isTold: true,
    });
  }

  private async store(name: string, now: Date, signal?: AbortSignal): Promise<void> {
    const { keepDays: days, keepWeeks: weeks } = this.config.backups;
    let counts: BackupCounts | undefined;
    await this.folder.write(name, () => {
      const backup = this.backups.begin();
      counts = backup.counts;
      return signal ? addAbortSignal(signal, backup.content) : backup.content;
    });
    const bytes = await this.folder.sizeOf(name);
    const removed = await this.folder.prune({ days, weeks }, now);
    this.logger.log('Backed up', { file: this.folder.fileOf(name), bytes, ...counts, removed });
  }

  /** Runs BACKUP_COMMAND on a backup. */
  private async handOver(name: string, signal?: AbortSignal): Promise<void> {
    const { command } = this.config.backups;
    if (command === undefined) return;
    await runBackupCommand(command, this.folder.fileOf(name), signal);
  }

  private async troubleAt(now: Date, newest: StoredBackup | null): Promise<string | null> {
    const due = lastDue(this.config.backupTimes, now);
    if (due === null) return null;
    const known = await this.troubles.read();
    if (known) return known.reason;
    if (newest !== null && newest.at >= due) return null;
    // A new service has missed nothing.
    const { birthtimeMs } = await stat(this.config.dataDir);
    if (now.getTime() - Math.max(due.getTime(), birthtimeMs) <= LATE_MS) return null;
    return `The backup of ${due.toISOString()} is late. Check that a process with WORKERS on or only runs.`;
  }
}
