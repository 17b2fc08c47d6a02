import { Injectable } from '@nestjs/common';
import { Between, In, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { firstUuidAt, timeOf } from '../platform/kernel/uuid.js';
import { Delivery, type DeliveryKind } from './delivery.entity.js';
import type { DeliveryFilter, FailedCount } from './delivery-filter.js';

/** The kinds that are told of with a submission, to whoever may see it. */
const ABOUT_IT: readonly DeliveryKind[] = ['owner_email', 'submitter_email', 'webhook'];

/** Finds the failed deliveries of forms, counts them and schedules them again. */
@Injectable()
export class FailedDeliveriesRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): FailedDeliveriesRepository {
    return new FailedDeliveriesRepository({ manager: tx });
  }

  private get deliveries(): Repository<Delivery> {
    return this.source.manager.getRepository(Delivery);
  }

  /** Returns ids of those of a form that match the filter and failed by `now`. */
  async idsOf(formId: number, filter: DeliveryFilter, now: Date, limit: number): Promise<Buffer[]> {
    const found = await this.deliveries.find({
      select: { id: true },
      where: {
        ...failed(formId, filter),
        settledAt: Between(filter.givenUpFrom ?? new Date(0), now),
      },
      take: limit,
    });
    return found.map(({ id }) => id);
  }

  /** Counts those of a form that match the filter. */
  async count(formId: number, filter: DeliveryFilter): Promise<FailedCount> {
    const where = failed(formId, filter);
    const [count, oldest, newest] = await Promise.all([
      this.deliveries.countBy(where),
      this.endOf(where, 'ASC'),
      this.endOf(where, 'DESC'),
    ]);
    return { count, oldestAt: oldest, newestAt: newest };
  }

  /** Returns which of these submissions have one, by the id as Latin-1. */
  async among(submissionIds: readonly Buffer[]): Promise<Set<string>> {
    if (submissionIds.length === 0) return new Set();
    const found = await this.deliveries.find({
      select: { id: true, submissionId: true },
      where: { submissionId: In([...submissionIds]), state: 'failed', kind: In([...ABOUT_IT]) },
    });
    return new Set(found.map(({ submissionId }) => submissionId?.toString('latin1') ?? ''));
  }

  /** Returns the submissions of a form that have one, in no order; null when more than `max` failed. */
  async submissionsOf(formId: number, max: number): Promise<Buffer[] | null> {
    const found = await this.deliveries.find({
      select: { id: true, submissionId: true },
      where: { formId, kind: In([...ABOUT_IT]), state: 'failed' },
      take: max + 1,
    });
    if (found.length > max) return null;
    return found.flatMap(({ submissionId }) => submissionId ?? []);
  }

  /** Schedules them again, from the start of the schedule. Returns how many. */
  async revive(ids: Buffer[], now: Date): Promise<number> {
    const { affected } = await this.deliveries.update(
      { id: In(ids), state: 'failed' },
      { state: 'pending', scheduledAttempts: 0, nextAttemptAt: now, settledAt: null },
    );
    return affected ?? 0;
  }

  /** Returns when the first or the last of them was created. */
  private async endOf(where: FindOptionsWhere<Delivery>, order: 'ASC' | 'DESC') {
    const [found] = await this.deliveries.find({
      select: { id: true },
      where,
      order: { id: order },
      take: 1,
    });
    return found ? timeOf(found.id) : null;
  }
}

function failed(formId: number, { kind, from, to }: DeliveryFilter): FindOptionsWhere<Delivery> {
  const range = Between(
    firstUuidAt(from ?? new Date(0)),
    to ? firstUuidAt(to) : Buffer.alloc(16, 0xff),
  );
  return { formId, state: 'failed', id: range, ...(kind && { kind }) };
}
