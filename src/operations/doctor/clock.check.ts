import { Injectable } from '@nestjs/common';
import { TextMover } from '../../search/texts/text-mover.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { Check, Outcome } from './check.js';

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
