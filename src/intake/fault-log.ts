import { Logger } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import {
  databaseErrorCode,
  isFullDisk,
  isUnavailable,
} from '../platform/database/database.errors.js';
import { DomainError } from '../platform/kernel/errors.js';
import { MINUTE_MS } from '../platform/kernel/time/durations.js';

const PAUSE_MS = MINUTE_MS;

/**
 * Tells the log why submissions are not stored: a fault of the code each time, with its place; a database
 * or a disk that cannot be used once a minute, since every submission meets it.
 */
export class FaultLog {
  private readonly logger = new Logger('Intake');
  /** When each reason may be logged again, by `performance.now()`. */
  private readonly quietUntil = new Map<string, number>();

  constructor(private readonly config: Pick<Config, 'dataDir' | 'database'>) {}

  write(requestId: string, thrown: unknown): void {
    const reason = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
    const cause = databaseErrorCode(reason);
    const code = thrown instanceof DomainError ? thrown.code : null;
    if (code === null && !isUnavailable(thrown)) {
      this.logger.error('Submission failed', { requestId, error: thrown });
      return;
    }
    const key = `${code} ${cause}`;
    const now = performance.now();
    if (now < (this.quietUntil.get(key) ?? 0)) return;
    this.quietUntil.set(key, now + PAUSE_MS);
    const message = isFullDisk(reason)
      ? `The disk is full: ${this.diskOf(code)}`
      : 'Submissions cannot be stored';
    this.logger.error(message, { requestId, code, cause });
  }

  private diskOf(code: string | null): string {
    if (code === 'files_unavailable') return this.config.dataDir;
    const { database } = this.config;
    return database.kind === 'embedded' ? database.file : 'that of the database server';
  }
}
