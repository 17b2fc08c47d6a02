import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { diskSpaceAt, type DiskSpace, byteSize } from '../../platform/kernel/byte-size.js';
import { ChecksService, type Outcome, minuteText, passes, fails, warns } from './check.js';
import { ScheduledBackups } from '../backup/scheduled-backups.js';
import { SealedRows } from '../../platform/secrets/secret-box.js';
import { VirusScanner } from '../../submissions/files/scans/virus-scanner.js';
import { FilesService } from '../../submissions/files/files.service.js';
import { SECOND_MS } from '../../platform/kernel/time.js';

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
