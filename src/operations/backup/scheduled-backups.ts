import { Injectable, Logger } from '@nestjs/common';
import { stat, readFile, rm, writeFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import {
  BackgroundTask,
  type TaskRun,
  Config,
  Clock,
  HOUR_MS,
  MINUTE_MS,
  askedSeldom,
  gauge,
  Measured,
} from '../../platform/index.js';
import {
  type BackupCounts,
  BackupIsWritten,
  BackupFolder,
  reasonOf,
  backupName,
  lastDue,
  nextDue,
  type StoredBackup,
} from '../../platform/database/index.js';
import { BackupService } from './backup.service.js';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

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

/** Makes the backups of BACKUP_SCHEDULE, and says when one fails or is late. */
@Injectable()
export class ScheduledBackups {
  private readonly logger = new Logger(ScheduledBackups.name);
  private readonly folder: BackupFolder;
  private readonly troubles: TroubleRecord;
  private readonly measured = askedSeldom(() => this.state());

  constructor(
    private readonly config: Config,
    private readonly backups: BackupService,
    private readonly clock: Clock,
  ) {
    this.folder = new BackupFolder(config.backupDir);
    this.troubles = new TroubleRecord(config.backupDir);
  }

  @Measured()
  async metrics() {
    const state = await this.measured();
    return [
      gauge(
        'fcs_backup_newest_timestamp_seconds',
        'Of when the newest scheduled backup is.',
        state?.newest ? state.newest.at.getTime() / 1_000 : null,
      ),
      gauge(
        'fcs_backup_trouble',
        'Whether the last scheduled backup failed or is late.',
        state?.trouble !== null ? 1 : 0,
      ),
    ];
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
      await this.troubles.write({ at: now, reason });
    }
  }

  private async store(name: string, now: Date, signal?: AbortSignal) {
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
  private async handOver(name: string, signal?: AbortSignal) {
    const { command } = this.config.backups;
    if (command === undefined) return;
    await runBackupCommand(command, this.folder.fileOf(name), signal);
  }

  private async troubleAt(now: Date, newest: StoredBackup | null) {
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

/** Longest run of BACKUP_COMMAND, in milliseconds. */
const TIMEOUT_MS = 6 * HOUR_MS;
/** Characters of its last output that an error repeats. */
const OUTPUT_LENGTH = 500;

/** Exports the first argument as BACKUP_FILE, and runs the second. */
const SCRIPT = 'export BACKUP_FILE="$1"; eval "$2"';

/**
 * Runs BACKUP_COMMAND in the shell, with the path of a backup in the variable BACKUP_FILE.
 * @throws Error with the exit code and the end of its output, unless it exits with 0
 */
async function runBackupCommand(command: string, file: string, signal?: AbortSignal) {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', file, command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    ...(signal && { signal }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-OUTPUT_LENGTH)));
  }
  const [code, killer] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return;
  const end = code === null ? `was ended by ${killer ?? 'a signal'}` : `exited with ${code}`;
  throw new Error(`BACKUP_COMMAND ${end}: ${output.trim() || 'it printed nothing'}`);
}

const TROUBLE_FILE = 'trouble.json';

/** Why the last scheduled backup failed. */
interface BackupTrouble {
  /** When it last failed. */
  at: Date;
  reason: string;
}

/** Remembers the trouble in the folder of backups, for all processes; only for this one where that cannot be written. */
class TroubleRecord {
  private own: BackupTrouble | null = null;

  constructor(private readonly folder: string) {}

  async read(): Promise<BackupTrouble | null> {
    try {
      const text = await readFile(this.file, 'utf8');
      const { at, ...rest } = JSON.parse(text) as Omit<BackupTrouble, 'at'> & { at: string };
      return { ...rest, at: new Date(at) };
    } catch {
      return this.own; // there is none, or its writer was cut off
    }
  }

  async write(trouble: BackupTrouble) {
    this.own = trouble;
    await writeFile(this.file, JSON.stringify(trouble)).catch(() => undefined);
  }

  async clear() {
    this.own = null;
    await rm(this.file, { force: true });
  }

  private get file() {
    return join(this.folder, TROUBLE_FILE);
  }
}
