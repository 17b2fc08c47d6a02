import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/clock.js';
import { countsBy } from '../platform/kernel/counters.js';
import type { Attempt } from './attempt.entity.js';
import { Capacity } from './capacity.js';
import { CallTimeouts, CallAborted, LEASE_SECONDS } from './call-timeouts.js';
import type { Delivery, DeliveryKind, DeliveryState } from './delivery.entity.js';
import { DeliveryUnderWay } from './delivery.errors.js';
import { DeliveryQueueRepository } from './delivery-queue.repository.js';
import { beginningOf, attemptResult, reachedBy, type AttemptResult } from './attempt-result.js';
import type { DeliveryChannel } from './delivery-channel.js';

/** How often the database is asked, should no one have called. */
const POLL_MS = 1_000;
/** Deliveries under way in this process at most. */
const CONCURRENCY = 50;
/** Rows looked at to find what can be started; more than one destination should be among them. */
const DUE_SCAN_ROWS = 100;
/** How a try ended whose worker did not live to say. */
const LOST = attemptResult(
  'interrupted',
  'lost',
  'The service ended meanwhile; whether it arrived is not known.',
);
/** Tries lost in a row after which a delivery is given up: it may be what ends the service. */
const LOST_MAX = 3;

/**
 * Pays what is owed. Any number of workers may run on one database; a delivery is taken by a guarded
 * update with a lease, and a try that outlives its lease is not counted. No try does but that of a
 * worker that died: it is given up well before.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  /** How tries ended: `delivered`, `deferred` to a later try, or `failed` for good. */
  readonly outcomes = countsBy('kind', 'outcome');
  private readonly channels = new Map<DeliveryKind, DeliveryChannel>();
  private readonly capacity = new Capacity();
  private readonly underWay = new Set<Promise<unknown>>();
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private calledMeanwhile = false;
  private stopped = false;
  private releasedAt = 0;

  constructor(
    private readonly queue: DeliveryQueueRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly timeouts: CallTimeouts,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Announces who pays deliveries of some kinds. */
  register(channel: DeliveryChannel): void {
    for (const kind of channel.kinds) {
      this.channels.set(kind, channel);
      for (const outcome of ['delivered', 'deferred', 'failed']) this.outcomes.of(kind, outcome);
    }
  }

  onApplicationBootstrap(): void {
    if (this.config.workers === 'off') return;
    this.timer = setInterval(() => {
      this.wake();
    }, POLL_MS);
    // Without requests to listen for, this is what keeps the process alive.
    if (this.config.workers !== 'only') this.timer.unref();
    this.wake();
  }

  /** Says that something may be owed; returns at once. */
  wake(): void {
    if (this.config.workers === 'off' || this.stopped) return;
    this.calledMeanwhile = true;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
  }

  /** Pays everything that is due, and waits for it; for tests and for an orderly end. */
  async runDue(): Promise<void> {
    for (;;) {
      const started = await this.startDue();
      if (started === 0 && this.underWay.size === 0) return;
      await Promise.all(this.underWay);
    }
  }

  /**
   * Tries one delivery now because a person asks for it.
   * @throws DeliveryUnderWay
   */
  async tryNow(delivery: Delivery): Promise<void> {
    const { id, state } = delivery;
    const [ours] = state === 'delivering' ? [] : await this.claim([id], state);
    if (!ours) throw new DeliveryUnderWay();
    await this.attempt(ours, 'manual');
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    this.timer = null; // ends a look that always finds more
    await this.looking;
    await Promise.all(this.underWay);
  }

  private async look(): Promise<void> {
    while (this.calledMeanwhile && !this.stopped) {
      this.calledMeanwhile = false;
      try {
        let started: number;
        do started = await this.startDue();
        while (started > 0 && this.timer);
      } catch (error) {
        this.logger.warn('Deliveries could not be looked for', { error });
      }
    }
  }

  /** Starts what is due and can be started. @returns how many were */
  private async startDue(): Promise<number> {
    const now = this.clock.now();
    const free = CONCURRENCY - this.underWay.size;
    if (free <= 0) return 0;
    await this.takeBackAbandoned(now);
    const due = await this.queue.due(now, DUE_SCAN_ROWS, this.capacity.busy(now));
    const startable = this.capacity.select(due, free, now);
    if (startable.length === 0) return 0;
    const ours = await this.claim(
      startable.map(({ id }) => id),
      'pending',
    );
    for (const delivery of ours) {
      const { accountId = 0 } = startable.find(({ id }) => id.equals(delivery.id)) ?? {};
      this.start(delivery, accountId);
    }
    return startable.length;
  }

  /**
   * Frees what a killed worker was at, with a trace of its try. Looked for as often as the database
   * is polled, not on every call.
   */
  private async takeBackAbandoned(now: Date): Promise<void> {
    const passed = now.getTime() - this.releasedAt;
    if (Math.abs(passed) < POLL_MS) return;
    const due = new Date(this.releasedAt + POLL_MS);
    this.releasedAt = now.getTime();
    for (const delivery of await this.queue.abandoned(DUE_SCAN_ROWS)) {
      const durationMs = LEASE_SECONDS * 1_000;
      const begun = (delivery.leaseUntil?.getTime() ?? 0) - durationMs;
      const attempt = { trigger: 'scheduled', at: new Date(begun), durationMs } as const;
      const isLast = (await this.queue.lostInARow(delivery.id, LOST_MAX)) >= LOST_MAX - 1;
      await this.record(delivery, isLast ? { ...LOST, verdict: 'refused' } : LOST, attempt, now);
    }
    // The clock was set back: what was due by then must not have to become due again.
    if (passed < 0) {
      await this.unitOfWork.run((tx) => this.queue.in(tx).bringForward(due, now));
    }
  }

  private async claim(ids: Buffer[], state: DeliveryState): Promise<Delivery[]> {
    const token = randomBytes(16);
    return this.unitOfWork.run((tx) => this.queue.in(tx).claim(ids, state, token));
  }

  private start(delivery: Delivery, accountId: number): void {
    const { destination } = delivery;
    this.capacity.accounts.begin(accountId, destination);
    const done = this.attempt(delivery, 'scheduled')
      .catch((error: unknown) => {
        this.logger.warn('A try could not be noted; it will be made again', { error });
      })
      .finally(() => {
        this.underWay.delete(done);
        this.capacity.accounts.end(accountId, destination);
        this.wake();
      });
    this.underWay.add(done);
  }

  private async attempt(delivery: Delivery, trigger: Attempt['trigger']): Promise<void> {
    const { destination } = delivery;
    const at = this.clock.now();
    const begin = performance.now();
    this.capacity.destinations.begin(destination);
    const result = await this.timeouts.run((signal) => this.send(delivery, signal));
    const now = this.clock.now();
    this.capacity.destinations.end(destination, reachedBy(result), now);
    const durationMs = Math.round(performance.now() - begin);
    const noted = await this.record(delivery, result, { trigger, at, durationMs }, now);
    if (!noted || result.verdict === 'interrupted') return;
    const { kind, state } = delivery;
    this.outcomes.of(kind, state === 'pending' ? 'deferred' : state).add();
    await this.channels.get(kind)?.onSettled?.(delivery, result, now);
  }

  /** False when the lease was lost, and someone else is at it. */
  private record(
    delivery: Delivery,
    ended: AttemptResult,
    attempt: Pick<Attempt, 'trigger' | 'at' | 'durationMs'>,
    now: Date,
  ): Promise<boolean> {
    const { id: deliveryId, leaseToken } = delivery;
    if (!leaseToken) return Promise.resolve(false);
    const { outcome, code, answer } = ended;
    const row = { ...attempt, deliveryId, outcome, code, answer: answer && beginningOf(answer) };
    delivery.settle(ended, attempt.trigger === 'scheduled', now);
    return this.unitOfWork.run((tx) => this.queue.in(tx).settle(delivery, leaseToken, row));
  }

  private async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const channel = this.channels.get(delivery.kind);
    if (!channel)
      return attemptResult('deferred', 'not_possible', 'Nobody pays deliveries of this kind.');
    try {
      const found = await channel.send(delivery, signal);
      if (found.verdict !== 'deferred' || !(signal.reason instanceof CallAborted)) return found;
      const { reason, message } = signal.reason;
      return attemptResult(reason === 'interrupted' ? reason : 'deferred', reason, message);
    } catch (error) {
      this.logger.error('A try failed for a reason of our own', { error });
      return attemptResult('deferred', 'failed', 'An error on our side; see the log.');
    }
  }
}
