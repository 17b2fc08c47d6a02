import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../accounts/access/index.js';
import type { AuditTarget } from '../accounts/audit/audit-entry.entity.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { formTarget } from '../forms/model/form-changes.js';
import { type Statement, UnitOfWork } from '../platform/database/index.js';
import { hook, Hooks, MINUTE_MS, formatUuid } from '../platform/index.js';
import { ChangesTaken, DeliveriesRepository } from './deliveries.repository.js';
import {
  type Cap,
  type DeliveryWithAttempts,
  type DeliveryFilter,
  FAILED_COUNT_MAX,
  type FailedCount,
  type FailedOf,
  failedOf,
  type DeliveriesOf,
  type NewestDeliveries,
} from './model/delivery-filter.js';
import { DeliveryNotFound, DeliveryWaits, DeliveryWorker } from './queue/delivery-worker.js';
import { Delivery, type PlannedDelivery, type DeliveryKind } from './model/delivery.entity.js';
import { Holds, OptIns } from './holds/holds.service.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import type { CounterChange } from './model/outcome.js';

/** Changes of the counts that one transaction makes. */
const CHANGES_AT_ONCE = 500;
/** Deliveries changed or removed by one transaction. */
const PORTION_ROWS = 500;
/** Age in milliseconds of a due delivery that is late: a running worker tries it within seconds. */
const LATE_MS = 10 * MINUTE_MS;
/** Deliveries that are scanned for one that fails, and for those that a client may know of. */
const SCAN_ROWS = 20;

/** The deliveries to create for a submission, or for the state of a form when `submissionId` is null. */
export interface OutboxEntry {
  formId: number;
  submissionId: Buffer | null;
  planned: PlannedDelivery[];
}

/** Returns the name of each of these destinations that exists, by the id as hex digits. */
export const NamesOfDestinations = hook<(ids: readonly Buffer[]) => Promise<Map<string, string>>>();

/** How often a visitor is asked to confirm a submission at most, and the time in between, in milliseconds. */
const ASKED_MAX = 4;
const ASK_AGAIN_MS = MINUTE_MS;

/** Keeps the outbox, and the history of attempts. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly hooks: Hooks,
    private readonly failed: FailedDeliveriesRepository,
    private readonly holds: Holds,
    private readonly optIns: OptIns,
    private readonly worker: DeliveryWorker,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the INSERTs that enqueue these deliveries. Run them in the transaction of the submission, and
   * call `wakeWorker()` after its commit. A submission whose visitor is asked waits from then on.
   */
  outboxInserts(entries: OutboxEntry[]): Statement[] {
    const now = this.unitOfWork.now();
    const deliveries = entries.flatMap(({ formId, submissionId, planned }) =>
      planned.map((plan) => Delivery.create(formId, submissionId, plan, now)),
    );
    const asked = deliveries.flatMap(({ formId, submissionId, kind, recipient: email }) =>
      kind === 'opt_in' && submissionId ? [{ formId, submissionId, email }] : [],
    );
    return [...this.deliveries.inserts(deliveries), ...this.optIns.inserts(asked)];
  }

  /** Makes the worker of this process look for due deliveries at once. */
  wakeWorker() {
    this.worker.wake();
  }

  /** Counts the outbox of all instances, and returns since when its longest due delivery is due. */
  async backlog(now: Date): Promise<{ pending: number; oldestDueAt: Date | null }> {
    const oldestDueAt = await this.deliveries.oldestDue(now);
    return { pending: await this.deliveries.countUnfinished(), oldestDueAt };
  }

  /** Counts deliveries that are late: mails that were due LATE_MS ago and not begun, and attempts lost before that. */
  countLate(now: Date) {
    return this.deliveries.countStuck(new Date(now.getTime() - LATE_MS));
  }

  /** Counts the mails about submissions that wait after a try that failed, or are late, up to a thousand. */
  countMailsWaiting(now: Date) {
    return this.deliveries.countMailsWaiting(new Date(now.getTime() - LATE_MS));
  }

  /** Returns what somebody may know of the deliveries of a submission that is in their scope. */
  async listFor(scope: Pick<Scope, 'clientId'>, id: Buffer): Promise<DeliveryWithAttempts[]> {
    const all = await this.deliveries.listFor([id]);
    return this.withAttempts(all.filter((delivery) => delivery.isShownTo(scope)));
  }

  /** Counts the deliveries of submissions by their kind. */
  countByKind(scope: Pick<Scope, 'clientId'>, submissionIds: Buffer[]): Promise<Map<DeliveryKind, number>> {
    return this.deliveries.countByKind(scope, submissionIds);
  }

  /**
   * Returns the last deliveries of a kind that were delivered or failed, newest first. Of a client's, those among the
   * last few that it may know of.
   */
  async lastSettled(
    scope: Pick<Scope, 'clientId'>,
    formId: number,
    kind: DeliveryKind,
    limit: number,
  ): Promise<DeliveryWithAttempts[]> {
    const rows = scope.clientId === null ? limit : Math.max(limit, SCAN_ROWS);
    const of = { formId, kinds: [kind] };
    const states = ['delivered', 'failed'] as const;
    const last = await this.deliveries.newest({ of, states, before: null, limit: rows });
    const shown = last.filter((delivery) => delivery.isShownTo(scope));
    return this.withAttempts(shown.slice(0, limit));
  }

  /** Returns the newest deliveries that are asked for, newest first. */
  async newest(asked: NewestDeliveries): Promise<DeliveryWithAttempts[]> {
    return this.withAttempts(await this.deliveries.newest(asked));
  }

  /**
   * Returns the pending delivery of a kind that has waited longest after at least `attempts` failed attempts.
   * Null when there is none, or when another one was delivered since its last attempt.
   */
  async failingNow(
    scope: Pick<Scope, 'clientId'>,
    formId: number,
    kind: DeliveryKind,
    attempts: number,
  ): Promise<DeliveryWithAttempts | null> {
    const waiting = await this.deliveries.oldestPending(formId, kind, SCAN_ROWS);
    const failing = waiting
      .filter((delivery) => delivery.scheduledAttempts >= attempts && delivery.isShownTo(scope))
      .slice(0, 1);
    const [found] = await this.withAttempts(failing);
    const [last] = await this.lastSettled(scope, formId, kind, 1);
    const since = last?.delivery.state === 'delivered' ? (last.delivery.settledAt ?? 0) : 0;
    const triedAt = found?.attempts.at(-1)?.at ?? 0;
    return found && triedAt >= since ? found : null;
  }

  /** Tells whether deliveries of its kind that did not fail reached a cap before this one. */
  async isOverCap(delivery: Delivery, caps: { toRecipient: Cap; ofForm: Cap }) {
    return (
      (await this.deliveries.reachedBefore(delivery, 'recipientKey', caps.toRecipient)) ||
      (await this.deliveries.reachedBefore(delivery, 'formId', caps.ofForm))
    );
  }

  /**
   * Attempts a delivery now, whatever its state, and waits for the result.
   * @throws DeliveryNotFound, DeliveryUnderWay, DeliveryWaits
   */
  async tryNow(principal: Principal, form: Form, submissionId: Buffer, id: Buffer): Promise<DeliveryWithAttempts> {
    const delivery = await this.get(form.id, submissionId, id);
    if (!delivery.isShownTo(principal)) throw new DeliveryNotFound();
    const isAsking = delivery.kind === 'opt_in';
    if (!isAsking && (await this.optIns.waitingAmong([submissionId])).length > 0) throw new DeliveryWaits();
    await this.audit.recordAloneBy(principal, {
      action: 'delivery.retried',
      target: { kind: 'delivery', id: formatUuid(id), name: form.name },
      details: { kind: delivery.kind },
    });
    await this.worker.tryNow(delivery, form.accountId);
    const [found] = await this.withAttempts([await this.get(form.id, submissionId, id)]);
    if (!found) throw new DeliveryNotFound();
    return found;
  }

  /**
   * Asks the visitor of a submission once more, unless that was done lately, too often, or comes by itself.
   * @returns whether the mail was tried, or is being sent
   */
  async askAgain({ id, accountId }: Form, submissionId: Buffer): Promise<boolean> {
    const made = await this.madeFor(submissionId);
    const asking = made.filter(({ kind, formId }) => kind === 'opt_in' && formId === id);
    const [found] = await this.withAttempts(asking);
    if (!found || found.attempts.length >= ASKED_MAX) return false;
    const { delivery, attempts } = found;
    // As for a double click.
    if (delivery.state === 'delivering') return true;
    const last = attempts.at(-1)?.at ?? delivery.createdAt;
    const isOver = delivery.state === 'delivered' || delivery.state === 'failed';
    if (!isOver || this.unitOfWork.now().getTime() - last.getTime() < ASK_AGAIN_MS) return false;
    await this.worker.tryNow(delivery, accountId);
    return true;
  }

  /** Counts the failed deliveries of a form that `redeliver` would attempt again. */
  async countFailed(scope: Pick<Scope, 'clientId'>, form: Form, filter: DeliveryFilter): Promise<FailedCount> {
    const of = failedOf(scope, form, filter);
    const count = await this.failed.count(of, FAILED_COUNT_MAX);
    return { count, ...(await this.failed.spanOf(of)) };
  }

  /** Counts the failed deliveries that `retry` would schedule, up to 500. */
  countFailedOf(of: DeliveriesOf) {
    return this.failed.count(of, PORTION_ROWS);
  }

  /**
   * Schedules failed deliveries of a form again.
   * @returns how many
   */
  redeliver(principal: Principal, form: Form, filter: DeliveryFilter) {
    return this.retry(principal, this.failedByNow(principal, form, filter), formTarget(form));
  }

  /**
   * Schedules failed deliveries again, from the start of the schedule; for what is spam or held now, once released.
   * @param target of what the audit log says of it
   * @returns how many
   */
  async retry(principal: Principal, of: FailedOf, target: AuditTarget) {
    const action = 'deliveries.retried';
    const count = await this.inPortions(of, async (tx, ids) => {
      await this.audit.recordBy(tx, principal, { action, target, details: { count: ids.length } });
      return this.holds.revive(tx, ids);
    });
    this.wakeWorker();
    return count;
  }

  /**
   * Removes failed deliveries of a form.
   * @returns how many
   */
  discardFailed(principal: Principal, form: Form, filter: DeliveryFilter) {
    const about = { action: 'deliveries.discarded', target: formTarget(form) } as const;
    return this.inPortions(this.failedByNow(principal, form, filter), async (tx, ids) => {
      await this.audit.recordBy(tx, principal, { ...about, details: { count: ids.length } });
      await this.deliveries.in(tx).remove(ids);
      return ids.length;
    });
  }

  /** Ends the deliveries of a destination that is deleted: what failed is over, and what waits as soon as it is tried. */
  async endOf(destinationId: Buffer) {
    await this.inPortions({ destinationId }, (tx, ids) => this.deliveries.in(tx).giveUp(ids));
    const now = this.unitOfWork.now();
    await this.unitOfWork.run((tx) => this.deliveries.in(tx).hasten(destinationId, now));
    this.wakeWorker();
  }

  private async get(formId: number, submissionId: Buffer, id: Buffer) {
    const delivery = await this.deliveries.find(formId, submissionId, id);
    if (!delivery) throw new DeliveryNotFound();
    return delivery;
  }

  /** Returns the failed deliveries of a form that fit a filter; what fails from now on is none of them. */
  private failedByNow(scope: Pick<Scope, 'clientId'>, form: Form, filter: DeliveryFilter): FailedOf {
    const failed = { from: filter.givenUpFrom ?? new Date(0), to: this.unitOfWork.now() };
    return { ...failedOf(scope, form, filter), failed };
  }

  /** Does something with failed deliveries, some at a time. @returns the sum of what `work` returns */
  private async inPortions(of: FailedOf, work: (tx: EntityManager, ids: Buffer[]) => Promise<number>) {
    let sum = 0;
    for await (const ids of this.failed.portionsOf(of, PORTION_ROWS)) {
      sum += await this.unitOfWork.run((tx) => work(tx, ids));
    }
    return sum;
  }

  private async withAttempts(deliveries: Delivery[]) {
    const found = await this.deliveries.withAttempts(deliveries);
    const ids = deliveries.flatMap(({ destinationId }) => destinationId ?? []);
    if (ids.length === 0) return found;
    const names = await this.hooks.ask(NamesOfDestinations, ids);
    return found.map((each) => {
      const { destinationId } = each.delivery;
      return { ...each, destinationName: names.get(destinationId?.toString('hex') ?? '') ?? null };
    });
  }

  /** Returns all deliveries of a submission. @param tx the transaction that asks */
  madeFor(submissionId: Buffer, tx?: EntityManager): Promise<Delivery[]> {
    return this.deliveries.in(tx).listFor([submissionId]);
  }

  /**
   * Adds some of what was settled to the counts, each once.
   * @param add makes the changes, in the transaction that it is given
   * @returns how many there were
   */
  async countSome(add: (tx: EntityManager, changes: readonly CounterChange[]) => Promise<void>) {
    try {
      return await this.unitOfWork.run(async (tx) => {
        const taken = await this.deliveries.in(tx).takeChanges(CHANGES_AT_ONCE);
        // Last, since other instances wait for the rows of an account.
        if (taken.length > 0) await add(tx, taken);
        return taken.length;
      });
    } catch (error) {
      // Another instance counts now; the next run finds what it leaves.
      if (error instanceof ChangesTaken) return 0;
      throw error;
    }
  }

  /** Returns which of these submissions have a delivery that failed and is shown, by the id as Latin-1. */
  failedAmong(scope: Pick<Scope, 'clientId'>, submissionIds: readonly Buffer[]): Promise<Set<string>> {
    return this.failed.among(scope, submissionIds);
  }

  /**
   * Returns of which of these kinds each of these forms has deliveries that wait or failed, by the form; without forms
   * where all went well.
   */
  openAmong(formIds: readonly number[], kinds: readonly DeliveryKind[]): Promise<Map<number, DeliveryKind[]>> {
    return this.failed.openAmong(formIds, kinds);
  }

  /** Returns the submissions of a form that have one; null when there are more than `max`. */
  submissionsWithFailed(formId: number, max: number): Promise<Buffer[] | null> {
    return this.failed.submissionsOf(formId, max);
  }
}
