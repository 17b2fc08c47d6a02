import { Injectable } from '@nestjs/common';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { Check, Outcome } from './check.js';

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
