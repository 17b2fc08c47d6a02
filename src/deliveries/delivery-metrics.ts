import { Injectable, Logger } from '@nestjs/common';
import { askedSeldom, counter, gauge, Measured } from '../platform/index.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryWorker } from './queue/delivery-worker.js';

/** Measures the outbox of all instances, and what this process delivers. */
@Injectable()
export class DeliveryMetrics {
  private readonly logger = new Logger(DeliveryMetrics.name);
  private readonly outbox = askedSeldom(() => this.askOutbox());

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly worker: DeliveryWorker,
  ) {}

  @Measured()
  async metrics() {
    const outbox = await this.outbox();
    return [
      counter(
        'fcs_delivery_attempts_total',
        'Tries to deliver: delivered, deferred to a later try, failed for good.',
        this.worker.outcomes,
      ),
      gauge(
        'fcs_deliveries_pending',
        'Deliveries that are neither made nor given up, of all instances.',
        outbox?.pending ?? null,
      ),
      gauge(
        'fcs_deliveries_oldest_due_seconds',
        'How long the delivery that is due the longest has been due; 0 when none is due.',
        outbox?.oldestDueSeconds ?? null,
      ),
      gauge('fcs_database_up', 'Whether the database answers.', outbox === null ? 0 : 1),
    ];
  }

  /** Counts what waits, and for how many seconds the longest due delivery has; null when the database does not answer. */
  private async askOutbox() {
    const now = new Date();
    try {
      const { pending, oldestDueAt: dueAt } = await this.deliveries.backlog(now);
      return { pending, oldestDueSeconds: dueAt ? (now.getTime() - dueAt.getTime()) / 1_000 : 0 };
    } catch (error) {
      this.logger.warn('The outbox could not be counted', { error });
      return null;
    }
  }
}
