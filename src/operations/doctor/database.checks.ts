import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseStatus, UnitOfWork } from '../../platform/database/index.js';
import {
  Config,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  keptText,
  makeUuid,
  SecretBox,
  SealedRows,
  diskSpaceAt,
  type DiskSpace,
  byteSize,
} from '../../platform/index.js';
import { TextMover } from '../../search/texts/block-builder.js';
import { RunningInstancesRepository } from './running-instances.repository.js';
import { ChecksService, type Outcome, passes, fails, warns, minuteText } from './check.js';
import { ScheduledBackups } from '../backup/scheduled-backups.js';
import { VirusScanner } from '../../submissions/files/scans/virus-scanner.js';
import { FilesService } from '../../submissions/files/files.service.js';

/** SQLite's number for commits that are flushed to disk (`PRAGMA synchronous`). */
const SYNCHRONOUS_FULL = 2;

/** Checks the database and its server. */
@Injectable()
export class DatabaseChecks {
  constructor(
    private readonly database: DatabaseStatus,
    private readonly config: Config,
    private readonly texts: TextMover,
  ) {}

  /** Checks that commits of the embedded database survive a power failure. */
  @ChecksService({ name: 'durability', settings: [] })
  async durabilityOfFile(): Promise<Outcome | null> {
    if (!this.database.isEmbedded) return null;
    const found = await this.database.settings('journal_mode', 'synchronous');
    const { journal_mode: mode, synchronous } = found;
    const durable = mode === 'wal' && Number(synchronous) >= SYNCHRONOUS_FULL;
    const detail = `journal_mode=${mode} synchronous=${synchronous}`;
    return durable ? passes(survives(detail)) : fails(`${detail}. A power failure can lose committed data.`);
  }

  /** Checks that commits of the server survive a power failure. */
  @ChecksService({ name: 'durability', settings: ['innodb_flush_log_at_trx_commit', 'sync_binlog'] })
  async durability(): Promise<Outcome | null> {
    if (this.database.isEmbedded) return null;
    const {
      innodb_flush_log_at_trx_commit: flush,
      log_bin: binlog,
      sync_binlog: sync,
    } = await this.database.settings('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog');
    const detail = `innodb_flush_log_at_trx_commit=${Number(flush)} log_bin=${Number(binlog)} sync_binlog=${Number(sync)}`;
    if (Number(flush) !== 1) {
      return warns(`${detail}; set innodb_flush_log_at_trx_commit=1`);
    }
    if (Number(binlog) === 1 && Number(sync) !== 1) {
      return warns(`${detail}; set sync_binlog=1`);
    }
    return passes(survives(detail));
  }

  /** Checks that the database server takes the largest submission that this service takes. */
  @ChecksService({ name: 'packet size', settings: ['max_allowed_packet', 'MAX_BODY_BYTES'] })
  async packet(): Promise<Outcome> {
    if (this.database.isEmbedded) {
      return passes('The embedded database accepts statements of any length.');
    }
    const { max_allowed_packet: bytes } = await this.database.settings('max_allowed_packet');
    return judgePacket(Number(bytes), this.config.intake.maxBodyBytes);
  }

  /** Checks that this machine and the database server agree on the time, and that it was not later before. */
  @ChecksService({ name: 'clock', settings: [] })
  async clock(): Promise<Outcome> {
    const aheadMs = await this.texts.aheadMs();
    if (aheadMs > 0) return wasAhead(aheadMs);
    if (this.database.isEmbedded) {
      return passes('The embedded database uses the clock of this machine.');
    }
    const before = Date.now();
    const theirs = await this.database.serverTime();
    const after = Date.now();
    return judgeClock(theirs - (before + after) / 2);
  }
}

function survives(settings: string) {
  return `Stored submissions survive a power failure (${settings}).`;
}

const MEBIBYTE = 1024 ** 2;

/** Growth of a submission in a statement: escaping may double it in JSON, and again in SQL. */
const GROWTH = 4;

/** Longest column of the database in bytes (MEDIUMTEXT): longer submissions are refused whatever the server takes. */
const NEEDED_MAX_BYTES = 16 * MEBIBYTE;

/**
 * @param bytes `max_allowed_packet` of the server
 * @param maxBodyBytes of a submission, without files
 */
export function judgePacket(bytes: number, maxBodyBytes: number): Outcome {
  const needed = Math.min(maxBodyBytes * GROWTH, NEEDED_MAX_BYTES);
  const detail = `max_allowed_packet=${bytes} MAX_BODY_BYTES=${maxBodyBytes}`;
  if (bytes >= needed) return passes(detail);
  return warns(
    `${detail}. Long submissions are refused with 413. Set max_allowed_packet to ${needed} or more on the server, or lower MAX_BODY_BYTES here.`,
  );
}

/** Largest difference in milliseconds. Beyond the shortest retry, 5 s, instances disagree on which delivery is due. */
const CLOCK_TOLERANCE_MS = 5_000;

function wasAhead(aheadMs: number) {
  const hours = (aheadMs / HOUR_MS).toFixed(1);
  return fails(
    `The search index has texts from ${hours} h in the future: the clock was ahead, or is behind. Set it by NTP. While the service runs, searches are complete again within minutes.`,
  );
}

/** @param aheadMs how far the database server's clock is ahead of ours */
export function judgeClock(aheadMs: number): Outcome {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const detail = `The database server is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS ? passes(`${detail}.`) : fails(`${detail}. Set both clocks by NTP.`);
}

const EVERY_MS = MINUTE_MS;

/** How long a process counts as running that says so no more, since it was killed. */
const ALIVE_SECONDS = 150;

/** The file in DATA_DIR that tells it from other folders, and its random bytes. */
const FOLDER_FILE = 'folder.id';

const FOLDER_BYTES = 12;

const NAMED_MAX = 5;

/** Checks that all running instances share the folder and can read each other's secrets; each tells the others of itself. */
@Injectable()
export class InstancesCheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(InstancesCheck.name);
  private readonly id = makeUuid();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: RunningInstancesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    private readonly config: Config,
    private readonly http: HttpAdapterHost,
  ) {}

  /** Begins in each process of the service, which a command is not. */
  async onApplicationBootstrap() {
    // Nest's types promise an adapter where there is none.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    if (!adapter) return;
    const tell = () =>
      (this.telling = this.tell().catch((error: unknown) => {
        this.logger.warn('This instance could not tell the others that it runs', { error });
      }));
    this.timer = setInterval(() => void tell(), EVERY_MS).unref();
    await tell();
  }

  async beforeApplicationShutdown() {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.telling;
    // Without a database, its row ends by itself.
    await this.unitOfWork.run((tx) => this.rows.in(tx).forget(this.id)).catch(() => undefined);
  }

  @ChecksService({ name: 'instances', settings: ['DATA_DIR', 'SECRET_KEY'] })
  async check(): Promise<Outcome> {
    const folderId = await this.folderId();
    const keyIds = await this.secrets.keyIds();
    const all = await this.rows.alive();
    if (all.length === 0) return passes('No instance is running.');
    const elsewhere = all.filter((other) => other.folderId !== folderId);
    const locked = all.filter((other) => keyIds.every((id) => !id.equals(other.keyId)));
    // Without SECRET_KEY the key is in the folder, so that another folder has another key.
    const isKeyThere = elsewhere.length > 0 && this.config.secrets.keys.length === 0;
    const problems: string[] = [];
    if (elsewhere.length > 0) {
      problems.push(
        `Another DATA_DIR: ${named(elsewhere)}. Files and exports that one stores are missing on the other. Let all instances share one folder.${isKeyThere ? ' The key of secrets is there too.' : ''}`,
      );
    }
    if (locked.length > 0 && !isKeyThere) {
      problems.push(
        `A key that this process lacks: ${named(locked)}. It cannot read the secrets that they store. Set the same SECRET_KEY for all instances.`,
      );
    }
    if (problems.length > 0) return fails(problems.join(' '));
    return passes(
      all.length === 1
        ? 'One instance is running.'
        : `The ${all.length} running instances share DATA_DIR, and read each other's secrets.`,
    );
  }

  private async tell() {
    const folderId = await this.folderId();
    const [keyId] = await this.secrets.keyIds();
    if (!keyId) return;
    const name = `${hostname().slice(0, 64)}, process ${process.pid}`;
    const own = { id: this.id, name, folderId, keyId };
    await this.unitOfWork.run((tx) => this.rows.in(tx).put(own, ALIVE_SECONDS));
  }

  private folderId() {
    return keptText(join(this.config.dataDir, FOLDER_FILE), FOLDER_BYTES);
  }
}

function named(instances: readonly { name: string }[]) {
  const names = instances.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = instances.length - names.length;
  return names.join('; ') + (more > 0 ? `; ${more} more` : '');
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Free space below which the check warns, and below which it fails. Either number is enough. */
const WARN_BELOW = { bytes: 4 * GIB, percent: 10 };
const FAIL_BELOW = { bytes: GIB, percent: 2 };

/** Time for the answer of clamd, in milliseconds. */
const ANSWER_MS = 2 * SECOND_MS;
/** Waiting files that are counted. */
const COUNTED_MAX = 1_000;

/** Checks what the service keeps outside the database, and its secrets. */
@Injectable()
export class StorageChecks {
  constructor(
    private readonly config: Config,
    private readonly backups: ScheduledBackups,
    private readonly rows: SealedRows,
    private readonly scanner: VirusScanner,
    private readonly scans: FilesService,
  ) {}

  /** Checks that there is room for uploads, and for the embedded database. */
  @ChecksService({ name: 'disk space', settings: ['DATA_DIR', 'MIN_FREE_DISK'] })
  async disk(): Promise<Outcome> {
    const { dataDir, database } = this.config;
    const ofFolder = judgeSpace('DATA_DIR', await diskSpaceAt(dataDir));
    if (database.kind === 'server') return ofFolder;
    // The file may be a link to another disk.
    const ofFile = judgeSpace('The embedded database', await diskSpaceAt(database.file));
    const worst = [ofFolder, ofFile].sort((a, b) => RANK[b.state] - RANK[a.state])[0] ?? ofFolder;
    return { state: worst.state, detail: `${ofFolder.detail} ${ofFile.detail}` };
  }

  /** Counts stored secrets that an old key holds, or that no key opens. */
  @ChecksService({ name: 'secrets', settings: ['SECRET_KEY'] })
  async secrets(): Promise<Outcome> {
    const { current, old, unreadable } = await this.rows.count();
    if (unreadable > 0) {
      return fails(
        `No key reads ${unreadable} of ${current + old + unreadable} stored secrets, and what needs them waits. Add the key that sealed them to SECRET_KEY, or put secret.key in DATA_DIR back.`,
      );
    }
    if (old > 0) {
      return warns(
        `An old key holds ${old} of ${current + old} stored secrets. They are sealed anew within two minutes of a start. Keep that key in SECRET_KEY until then.`,
      );
    }
    if (current === 0) return passes('No secret is stored.');
    return passes(`The first key holds all ${current} stored secrets.`);
  }

  /** Asks whether clamd is there, and how many files wait for it. */
  @ChecksService({ name: 'virus scan', settings: ['CLAMD', 'CLAMD_MAX_BYTES'] })
  async viruses(): Promise<Outcome | null> {
    if (!this.scanner.isOn) return null;
    const count = await this.scans.countWaiting(COUNTED_MAX);
    const many = count === COUNTED_MAX ? `${count} or more` : count;
    const waiting = `${many} ${count === 1 ? 'file waits' : 'files wait'} for a scan.`;
    try {
      await this.scanner.verify(AbortSignal.timeout(ANSWER_MS));
    } catch (error) {
      return fails(
        `clamd: ${(error as Error).message} Files are stored and not scanned; ${waiting} Check CLAMD and the firewall.`,
      );
    }
    if (count === 0) return passes('clamd can be reached. No file waits for a scan.');
    return warns(`clamd can be reached. ${waiting}`);
  }

  /** Checks that the last scheduled backup was made. */
  @ChecksService({ name: 'backups', settings: ['BACKUP_SCHEDULE', 'BACKUP_DIR', 'BACKUP_COMMAND'] })
  async backup(): Promise<Outcome> {
    const { isScheduled, folder, newest, nextAt, trouble } = await this.backups.state();
    const last = newest
      ? `The last backup, of ${minuteText(newest.at)}, has ${byteSize(newest.bytes)} and is in ${folder}.`
      : `There is no backup in ${folder} yet.`;
    if (trouble !== null) return fails(`${trouble} ${last}`);
    if (!isScheduled || nextAt === null)
      return warns(`The service makes no backups by itself: BACKUP_SCHEDULE is off. ${last}`);
    return passes(`${last} The next is due at ${minuteText(nextAt)}.`);
  }
}

const RANK = { ok: 0, warning: 1, failed: 2 };

/** @param what names what is on that disk */
export function judgeSpace(what: string, { free, size }: DiskSpace): Outcome {
  const percent = (free / size) * 100;
  const isBelow = (limit: typeof WARN_BELOW) => free < limit.bytes || percent < limit.percent;
  const room = free < GIB ? `${Math.floor(free / MIB)} MiB` : `${(free / GIB).toFixed(1)} GiB`;
  const detail = `${what} has ${room} free, ${percent.toFixed(0)} %.`;
  if (!isBelow(WARN_BELOW)) return passes(detail);
  const advice = 'Enlarge the disk, delete data you do not need, or set a retention for forms.';
  return {
    state: isBelow(FAIL_BELOW) ? 'failed' : 'warning',
    detail: `${detail} ${advice} Below MIN_FREE_DISK the service refuses files.`,
  };
}
