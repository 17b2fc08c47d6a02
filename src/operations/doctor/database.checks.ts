import { Injectable } from '@nestjs/common';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { Check, Outcome } from './check.js';
import { Config } from '../../platform/config/config.js';
import { TextMover } from '../../search/texts/text-mover.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';

/** SQLite's number for commits that are flushed to disk (`PRAGMA synchronous`). */
const SYNCHRONOUS_FULL = 2;

/** Checks that commits of the database survive a power failure. */
@Injectable()
export class DurabilityCheck implements Check {
  readonly name = 'durability';

  constructor(private readonly database: DatabaseStatus) {}

  get settings(): string[] {
    return this.database.isEmbedded ? [] : ['innodb_flush_log_at_trx_commit', 'sync_binlog'];
  }

  run(): Promise<Outcome> {
    const embedded = this.database.isEmbedded;
    return embedded ? this.lookAtFile() : this.lookAtServer();
  }

  private async lookAtFile(): Promise<Outcome> {
    const found = await this.database.settings('journal_mode', 'synchronous');
    const { journal_mode: mode, synchronous } = found;
    const durable = mode === 'wal' && Number(synchronous) >= SYNCHRONOUS_FULL;
    const detail = `journal_mode=${mode} synchronous=${synchronous}`;
    return durable
      ? { state: 'ok', detail: survives(detail) }
      : { state: 'failed', detail: `${detail}. A power failure can lose committed data.` };
  }

  private async lookAtServer(): Promise<Outcome> {
    const {
      innodb_flush_log_at_trx_commit: flush,
      log_bin: binlog,
      sync_binlog: sync,
    } = await this.database.settings('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog');
    const detail = `innodb_flush_log_at_trx_commit=${Number(flush)} log_bin=${Number(binlog)} sync_binlog=${Number(sync)}`;
    if (Number(flush) !== 1) {
      return { state: 'warning', detail: `${detail}; set innodb_flush_log_at_trx_commit=1` };
    }
    if (Number(binlog) === 1 && Number(sync) !== 1) {
      return { state: 'warning', detail: `${detail}; set sync_binlog=1` };
    }
    return { state: 'ok', detail: survives(detail) };
  }
}

function survives(settings: string): string {
  return `Stored submissions survive a power failure (${settings}).`;
}

const MEBIBYTE = 1024 ** 2;
/** Growth of a submission in a statement: escaping may double it in JSON, and again in SQL. */
const GROWTH = 4;
/**
 * Longest column of the database in bytes (MEDIUMTEXT): longer submissions are refused whatever the server
 * takes.
 */
const NEEDED_MAX_BYTES = 16 * MEBIBYTE;

/** Checks that the database server takes the largest submission that this service takes. */
@Injectable()
export class PacketCheck implements Check {
  readonly name = 'packet size';
  readonly settings = ['max_allowed_packet', 'MAX_BODY_BYTES'];

  constructor(
    private readonly database: DatabaseStatus,
    private readonly config: Config,
  ) {}

  async run(): Promise<Outcome> {
    if (this.database.isEmbedded) {
      return { state: 'ok', detail: 'The embedded database accepts statements of any length.' };
    }
    const { max_allowed_packet: bytes } = await this.database.settings('max_allowed_packet');
    return judgePacket(Number(bytes), this.config.intake.maxBodyBytes);
  }
}

/**
 * @param bytes `max_allowed_packet` of the server
 * @param maxBodyBytes of a submission, without files
 */
export function judgePacket(bytes: number, maxBodyBytes: number): Outcome {
  const needed = Math.min(maxBodyBytes * GROWTH, NEEDED_MAX_BYTES);
  const detail = `max_allowed_packet=${bytes} MAX_BODY_BYTES=${maxBodyBytes}`;
  if (bytes >= needed) return { state: 'ok', detail };
  return {
    state: 'warning',
    detail: `${detail}. Long submissions are refused with 413. Set max_allowed_packet to ${needed} or more on the server, or lower MAX_BODY_BYTES here.`,
  };
}

/**
 * Largest difference in milliseconds. Beyond the shortest retry, 5 s, instances disagree on which delivery
 * is due.
 */
const CLOCK_TOLERANCE_MS = 5_000;

/** Checks that this machine and the database server agree on the time, and that it was not later before. */
@Injectable()
export class ClockCheck implements Check {
  readonly name = 'clock';
  readonly settings = [];

  constructor(
    private readonly database: DatabaseStatus,
    private readonly texts: TextMover,
  ) {}

  async run(): Promise<Outcome> {
    const aheadMs = await this.texts.aheadMs();
    if (aheadMs > 0) return wasAhead(aheadMs);
    if (this.database.isEmbedded) {
      return { state: 'ok', detail: 'The embedded database uses the clock of this machine.' };
    }
    const before = Date.now();
    const theirs = await this.database.serverTime();
    const after = Date.now();
    return judgeClock(theirs - (before + after) / 2);
  }
}

function wasAhead(aheadMs: number): Outcome {
  const hours = (aheadMs / HOUR_MS).toFixed(1);
  const detail = `The search index has texts from ${hours} h in the future: the clock was ahead, or is behind. Set it by NTP. While the service runs, searches are complete again within minutes.`;
  return { state: 'failed', detail };
}

/** @param aheadMs how far the database server's clock is ahead of ours */
export function judgeClock(aheadMs: number): Outcome {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const detail = `The database server is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS
    ? { state: 'ok', detail: `${detail}.` }
    : { state: 'failed', detail: `${detail}. Set both clocks by NTP.` };
}
