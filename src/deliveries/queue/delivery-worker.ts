import { DiscoveryService } from '@nestjs/core';
import {
  Injectable,
  type OnModuleInit,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Delivery, DeliveryKind, Attempt, DeliveryState } from '../model/delivery.entity.js';
import { type AttemptResult, beginningOf, attemptResult, CALLS } from '../model/outcome.js';
import { ConflictError, NotFoundError, fact, Config, countersBy, Signals, formatUuid } from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { Capacity, type DueDelivery, DeliveryQueueRepository } from './delivery-queue.repository.js';
import { CallTimeouts, CallAborted, LEASE_SECONDS } from './call-timeouts.js';

/** Sends deliveries of some kinds. */
export interface DeliveryChannel {
  /**
   * Makes one attempt. An error that it throws counts as a fault of ours, and the attempt is repeated.
   * @param signal aborts the attempt at once
   */
  send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult>;
  /** Reacts to the result of an attempt, after it was stored. */
  onSettled?(delivery: Delivery, result: AttemptResult, now: Date): Promise<void>;
}

/** Marks a provider as the channel of these kinds. */
export const Channel = DiscoveryService.createDecorator<readonly DeliveryKind[]>();

export class DeliveryNotFound extends fact(NotFoundError, 'delivery_not_found', 'Delivery not found.') {}

/** A worker has claimed the delivery and is attempting it now. */
class DeliveryUnderWay extends fact(
  ConflictError,
  'delivery_under_way',
  'This delivery is being sent right now. Try again in a moment.',
) {}

/** The visitor of the submission has not confirmed it yet. */
export class DeliveryWaits extends fact(
  ConflictError,
  'not_confirmed',
  'The visitor has not confirmed this submission. Confirm it yourself to send everything.',
) {}

/** Poll interval in milliseconds; `wake()` looks at once. */
const POLL_MS = 1_000;
/** Most deliveries under way in this process; a mail has its attachments in memory meanwhile. */
const CONCURRENCY = 50;
/** Rows scanned per look: a look can fill the worker even when every other row has to wait. */
const DUE_SCAN_ROWS = 2 * CONCURRENCY;

/**
 * Sends due deliveries. Workers on one database claim rows by a guarded update with a 60 s lease. A call is
 * aborted after 45 s, so only a dead worker's lease can expire.
 */
@Injectable()
export class DeliveryWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  /** Counts attempts by result: `delivered`, `deferred` to a later attempt, or `failed` for good. */
  readonly outcomes = countersBy('kind', 'outcome');
  private readonly channels = new Map<DeliveryKind, DeliveryChannel>();
  private readonly capacity = new Capacity();
  /** Whether one is under way that may be what ends the process. */
  private isSuspectUnderWay = false;
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
    private readonly signals: Signals,
    private readonly config: Config,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Finds the channels. */
  onModuleInit() {
    for (const provider of this.discovery.getProviders({ metadataKey: Channel.KEY })) {
      for (const kind of this.discovery.getMetadataByDecorator(Channel, provider) ?? []) {
        this.channels.set(kind, provider.instance as DeliveryChannel);
        for (const outcome of ['delivered', 'deferred', 'failed', 'obsolete']) this.outcomes.of(kind, outcome);
      }
    }
  }

  onApplicationBootstrap() {
    if (this.config.deliveries.workers === 'off') return;
    this.timer = setInterval(() => {
      this.wake();
    }, POLL_MS);
    // A process without an HTTP server would end if this timer did not keep it alive.
    if (this.config.deliveries.workers !== 'only') this.timer.unref();
    this.wake();
  }

  /** Looks for due deliveries soon; returns at once. */
  wake() {
    if (this.config.deliveries.workers === 'off' || this.stopped) return;
    this.calledMeanwhile = true;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
  }

  /** Sends everything that is due and waits for it. For tests. */
  async runDue() {
    for (;;) {
      const started = await this.startDue();
      if (started === 0 && this.underWay.size === 0) return;
      await Promise.all(this.underWay);
    }
  }

  /**
   * Attempts one delivery now because a person asks for it, and waits for the result.
   * @throws DeliveryUnderWay
   */
  async tryNow(delivery: Delivery, accountId: number) {
    const { id, state } = delivery;
    const [ours] = state === 'delivering' ? [] : await this.claim([id], state);
    if (!ours) throw new DeliveryUnderWay();
    await this.attempt(ours, accountId, 'manual');
  }

  async beforeApplicationShutdown() {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    this.timer = null; // stops the `do … while` in look()
    await this.looking;
    await Promise.all(this.underWay);
  }

  private async look() {
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

  /** Starts due deliveries within the limits. Returns how many it tried to claim. */
  private async startDue() {
    const now = this.unitOfWork.now();
    const free = CONCURRENCY - this.underWay.size;
    if (free <= 0) return 0;
    await this.takeBackAbandoned(now);
    const due = await this.queue.due(now, DUE_SCAN_ROWS, this.capacity.busy(now));
    const selected = this.capacity.select(due, free, now);
    const { startable, suspect } = await this.withoutSuspects(selected);
    if (startable.length === 0) return 0;
    const ids = startable.map(({ id }) => id);
    const ours = await this.claim(ids, 'pending');
    for (const delivery of ours) {
      const { accountId = 0 } = startable.find(({ id }) => id.equals(delivery.id)) ?? {};
      this.start(delivery, accountId, suspect?.equals(delivery.id) ?? false);
    }
    return startable.length;
  }

  /**
   * Lets deliveries that are one loss short of failing be tried one at a time: one of them may be what ends the process,
   * and would fail those that are under way with it.
   */
  private async withoutSuspects(deliveries: DueDelivery[]) {
    const ids = deliveries.map(({ id }) => id);
    const suspects = await this.queue.lostAtLeast(LOST_MAX - 1, ids);
    const suspect = this.isSuspectUnderWay ? undefined : suspects[0];
    const left = suspects.filter((id) => id !== suspect);
    const startable = deliveries.filter(({ id }) => !left.some((other) => other.equals(id)));
    return { startable, suspect };
  }

  /**
   * Records a lost attempt for each delivery whose worker died, so that it is due again. Runs once per poll
   * interval, not on every `wake()`.
   */
  private async takeBackAbandoned(now: Date) {
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
    // The clock was set back: deliveries that were due by then must not wait to become due again.
    if (passed < 0) {
      await this.unitOfWork.run((tx) => this.queue.in(tx).bringForward(due, now));
    }
  }

  private async claim(ids: Buffer[], state: DeliveryState) {
    const token = randomBytes(16);
    return this.unitOfWork.run((tx) => this.queue.in(tx).claim(ids, state, token));
  }

  private start(delivery: Delivery, accountId: number, isSuspect: boolean) {
    if (isSuspect) this.isSuspectUnderWay = true;
    const giveBack = this.capacity.share(delivery, accountId);
    const done = this.attempt(delivery, accountId, 'scheduled')
      .catch((error: unknown) => {
        const message = 'An attempt failed to end: without a stored result it is repeated';
        this.logger.warn(message, { error });
      })
      .finally(() => {
        this.underWay.delete(done);
        if (isSuspect) this.isSuspectUnderWay = false;
        giveBack();
        this.wake();
      });
    this.underWay.add(done);
  }

  private async attempt(delivery: Delivery, accountId: number, trigger: Attempt['trigger']) {
    const at = this.unitOfWork.now();
    const begin = performance.now();
    const end = this.capacity.begin(delivery, accountId);
    const result = await this.timeouts.run((signal) => this.send(delivery, signal));
    const now = this.unitOfWork.now();
    end(result, now);
    const durationMs = Math.round(performance.now() - begin);
    const stored = await this.record(delivery, result, { trigger, at, durationMs }, now);
    if (!stored || result.verdict === 'interrupted') return;
    const { kind, state } = delivery;
    this.outcomes.of(kind, state === 'pending' ? 'deferred' : state).add();
    await this.channels.get(kind)?.onSettled?.(delivery, result, now);
  }

  /** Stores the result. Returns false when the lease was lost, so that another worker has the delivery. */
  private async record(
    delivery: Delivery,
    ended: AttemptResult,
    attempt: Pick<Attempt, 'trigger' | 'at' | 'durationMs'>,
    now: Date,
  ) {
    const { id: deliveryId, leaseToken: token, nextAttemptAt: dueAt } = delivery;
    if (!token) return false;
    const answer = ended.answer && beginningOf(ended.answer);
    const row = { ...attempt, deliveryId, outcome: ended.outcome, code: ended.code, answer };
    const changes = delivery.settle(ended, attempt.trigger === 'scheduled', now);
    const stored = await this.unitOfWork.run((tx) =>
      this.queue.in(tx).settle(delivery, { token, dueAt }, row, changes),
    );
    if (stored) this.signals.give(FORM_TOPICS.changed, delivery.formId);
    const failure = stored ? failureLine(delivery, ended) : null;
    if (failure) this.logger.log('Not delivered', failure);
    return stored;
  }

  private async send(delivery: Delivery, signal: AbortSignal) {
    const channel = this.channels.get(delivery.kind);
    if (!channel)
      return attemptResult('deferred', 'not_possible', 'This instance cannot send deliveries of this kind.');
    try {
      const found = await channel.send(delivery, signal);
      if (found.verdict !== 'deferred' || !(signal.reason instanceof CallAborted)) return found;
      const { reason, message } = signal.reason;
      const verdict = reason === 'interrupted' ? reason : 'deferred';
      const ended = attemptResult(verdict, reason, message);
      return found.isApart ? { ...ended, isApart: true } : ended;
    } catch (error) {
      this.logger.error('An attempt failed through an error of the service', { error });
      return attemptResult('deferred', 'failed', 'An error on our side. See the log.');
    }
  }
}

/**
 * Returns the fields of a log line about a failed attempt: the receiver, but no recipient. Null for one
 * that delivered, and for one that an orderly end broke off.
 */
function failureLine(
  { id, submissionId, kind, recipientKey, nextAttemptAt }: Delivery,
  { outcome, code, verdict }: AttemptResult,
): object | null {
  if (verdict === 'delivered' || outcome === 'interrupted') return null;
  return {
    deliveryId: formatUuid(id),
    submissionId: submissionId && formatUuid(submissionId),
    kind,
    to: CALLS.includes(kind) ? recipientKey : 'smtp',
    outcome,
    code,
    nextAttemptAt,
  };
}

/** Recorded for an attempt whose lease expired. */
const LOST = attemptResult(
  'interrupted',
  'lost',
  'The service stopped during the attempt. It may or may not have been delivered.',
);
/** Lost attempts in a row after which a delivery fails: the last one was tried alone, so it is what ends the process. */
const LOST_MAX = 2;
