import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { diskSpaceAt, type DiskSpace } from '../../platform/kernel/disk-space.js';
import type { Check, Outcome } from './check.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Free space below which the check warns, and below which it fails. Either number is enough. */
const WARN_BELOW = { bytes: 4 * GIB, percent: 10 };
const FAIL_BELOW = { bytes: GIB, percent: 2 };

/** Checks that there is room for uploads, and for the embedded database. */
@Injectable()
export class DiskCheck implements Check {
  readonly name = 'disk space';
  readonly settings = ['DATA_DIR', 'MIN_FREE_DISK'];

  constructor(private readonly config: Config) {}

  async run(): Promise<Outcome> {
    const { dataDir, database } = this.config;
    const ofFolder = judgeSpace('DATA_DIR', await diskSpaceAt(dataDir));
    if (database.kind === 'server') return ofFolder;
    // The file may be a link to another disk.
    const ofFile = judgeSpace('The embedded database', await diskSpaceAt(database.file));
    const worst = [ofFolder, ofFile].sort((a, b) => RANK[b.state] - RANK[a.state])[0] ?? ofFolder;
    return { state: worst.state, detail: `${ofFolder.detail} ${ofFile.detail}` };
  }
}

const RANK = { ok: 0, warning: 1, failed: 2 };

/** @param what names what is on that disk */
export function judgeSpace(what: string, { free, size }: DiskSpace): Outcome {
  const percent = (free / size) * 100;
  const isBelow = (limit: typeof WARN_BELOW) => free < limit.bytes || percent < limit.percent;
  const room = free < GIB ? `${Math.floor(free / MIB)} MiB` : `${(free / GIB).toFixed(1)} GiB`;
  const detail = `${what} has ${room} free, ${percent.toFixed(0)} %.`;
  if (!isBelow(WARN_BELOW)) return { state: 'ok', detail };
  const advice = 'Enlarge the disk, delete data you do not need, or set a retention for forms.';
  return {
    state: isBelow(FAIL_BELOW) ? 'failed' : 'warning',
    detail: `${detail} ${advice} Below MIN_FREE_DISK the service refuses files.`,
  };
}
