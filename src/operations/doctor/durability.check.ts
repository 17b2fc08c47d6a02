import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Check, Finding } from './check.js';

/** SQLite's number for a commit that is on disk before it is answered. */
const SYNCHRONOUS_FULL = 2;

/** Whether what the database has committed survives a power failure. */
@Injectable()
export class DurabilityCheck implements Check {
  readonly name = 'durability';

  constructor(private readonly database: DataSource) {}

  run(): Promise<Omit<Finding, 'name'>> {
    const embedded = this.database.options.type === 'better-sqlite3';
    return embedded ? this.lookAtFile() : this.lookAtServer();
  }

  private async lookAtFile(): Promise<Omit<Finding, 'name'>> {
    const [mode] = await this.database.query<{ journal_mode: string }[]>('PRAGMA journal_mode');
    const [sync] = await this.database.query<{ synchronous: number }[]>('PRAGMA synchronous');
    const durable = mode?.journal_mode === 'wal' && (sync?.synchronous ?? 0) >= SYNCHRONOUS_FULL;
    const detail = `journal_mode=${mode?.journal_mode ?? '?'} synchronous=${sync?.synchronous ?? '?'}`;
    return durable
      ? { state: 'ok', detail }
      : { state: 'failed', detail: `${detail}; commits may be lost when the power fails` };
  }

  private async lookAtServer(): Promise<Omit<Finding, 'name'>> {
    const [row] = await this.database.query<{ flush: number; binlog: number; sync: number }[]>(
      'SELECT @@innodb_flush_log_at_trx_commit AS `flush`, @@log_bin AS `binlog`, @@sync_binlog AS `sync`',
    );
    const { flush, binlog, sync } = row ?? {};
    const detail = `innodb_flush_log_at_trx_commit=${Number(flush)} log_bin=${Number(binlog)} sync_binlog=${Number(sync)}`;
    if (Number(flush) !== 1) {
      return { state: 'warning', detail: `${detail}; set innodb_flush_log_at_trx_commit=1` };
    }
    if (Number(binlog) === 1 && Number(sync) !== 1) {
      return { state: 'warning', detail: `${detail}; set sync_binlog=1` };
    }
    return { state: 'ok', detail };
  }
}
