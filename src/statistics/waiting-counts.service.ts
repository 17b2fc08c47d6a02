import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/index.js';
import { HOUR_MS, MINUTE_MS } from '../platform/index.js';
import { Counting, type Change } from './counting.service.js';

/** Most counts that wait in memory, some 10 MB; further ones are not counted. */
const WAITING_MAX = 50_000;

/** Counts in memory what comes often and matters little, and stores it once a minute. */
@Injectable()
export class WaitingCounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Counts');
  private readonly waiting = new Map<string, Change>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly counting: Counting,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Begins to store what is counted, with workers or without: each process has counts of its own. */
  onApplicationBootstrap() {
    const flush = () =>
      this.flush().catch((error: unknown) => {
        this.logger.warn('Counts could not be stored yet', { error });
      });
    this.timer = setInterval(() => void flush(), MINUTE_MS).unref();
  }

  /** Counts something of a form, now. */
  count(what: Omit<Change, 'hour' | 'amount'>) {
    this.wait({ ...what, hour: Math.floor(this.unitOfWork.now().getTime() / HOUR_MS), amount: 1 });
  }

  /** Stores what was counted since the last time; what cannot be stored stays counted. */
  async flush() {
    const all = [...this.waiting.values()];
    if (all.length === 0) return;
    this.waiting.clear();
    try {
      await this.unitOfWork.run((tx) => this.counting.add(tx, all));
    } catch (error) {
      for (const each of all) this.wait(each);
      throw error;
    }
  }

  /** Stores the rest before the database is closed. No request comes any more by then. */
  async onApplicationShutdown() {
    clearInterval(this.timer);
    await this.flush().catch((error: unknown) => {
      this.logger.warn('The last counts were not stored', { error });
    });
  }

  private wait(change: Change) {
    const key = `${change.formId} ${change.hour} ${change.name} ${change.item}`;
    const known = this.waiting.get(key);
    if (known) known.amount += change.amount;
    else if (this.waiting.size < WAITING_MAX) this.waiting.set(key, change);
  }
}
