import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Config } from '../../platform/config/config.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { PoolUse } from '../../platform/database/pool.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { DeliveryWorker } from '../../deliveries/delivery-worker.js';
import { RequestMetrics } from '../../platform/http/request-metrics.js';
import { Intake } from '../../intake/intake.js';
import { logOutput } from '../../platform/logging/log-output.js';
import { diskSpaceAt, type DiskSpace } from '../../platform/kernel/disk-space.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import { PrometheusBridge } from './prometheus-bridge.js';
import { memoizeFor } from './memoize-for.js';

/** However often metrics are read, the database and the disk are asked no more often than this. */
const ASKED_EVERY_MS = 5_000;

/** The outbox of all instances. */
interface Outbox {
  pending: number;
  /** How long the delivery that is due the longest has been due; 0 when none is due. */
  oldestDueSeconds: number;
}

/**
 * Tells what this process counts, in the text format of Prometheus. The catalogue of all metrics
 * but those of Node itself, which prom-client adds.
 */
@Injectable()
export class Metrics {
  readonly mediaType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly logger = new Logger(Metrics.name);
  private registry: Registry | null = null;
  private readonly outbox = memoizeFor(ASKED_EVERY_MS, () => this.askOutbox());
  private readonly disk = memoizeFor(ASKED_EVERY_MS, () => this.askDisk());

  constructor(
    private readonly config: Config,
    private readonly intake: Intake,
    private readonly writer: SubmissionWriter,
    private readonly worker: DeliveryWorker,
    private readonly deliveries: DeliveriesService,
    private readonly requestMetrics: RequestMetrics,
    private readonly database: DatabaseStatus,
  ) {}

  /** All metrics with their values now. The first call begins to measure Node itself. */
  text(): Promise<string> {
    this.registry ??= this.build();
    return this.registry.metrics();
  }

  private build(): Registry {
    const registry = new Registry();
    const readings = new PrometheusBridge(registry);
    collectDefaultMetrics({ register: registry });
    this.addSubmissions(readings);
    this.addDeliveries(readings);
    this.addDatabase(readings);
    readings.histogram(
      'fcs_http_request_duration_seconds',
      'Requests by method, route and class of status, and how long their answers took.',
      this.requestMetrics.durations,
    );
    readings.gauge(
      'fcs_log_lines_lost',
      'Log lines since the start that could not be written.',
      () => logOutput.lost,
    );
    readings.gauge(
      'fcs_data_size_bytes',
      'Size of the file system of DATA_DIR.',
      async () => (await this.disk())?.size ?? null,
    );
    readings.gauge(
      'fcs_data_free_bytes',
      'What is free on the file system of DATA_DIR.',
      async () => (await this.disk())?.free ?? null,
    );
    return registry;
  }

  private addSubmissions(readings: PrometheusBridge): void {
    const { intake, writer } = this;
    readings.counts(
      'fcs_submissions_total',
      'Submissions that came in: stored, spam (stored too), replayed, refused (4xx), failed (5xx).',
      intake.outcomes,
    );
    readings.histogram(
      'fcs_batch_submissions',
      'Submissions of each committed transaction.',
      writer.batchSizes,
    );
    readings.histogram(
      'fcs_commit_duration_seconds',
      'How long each transaction of submissions took, commit included.',
      writer.commitTimes,
    );
    readings.gauge(
      'fcs_queue_submissions',
      'Submissions that wait to be stored.',
      () => writer.queue.items,
    );
    readings.gauge(
      'fcs_queue_bytes',
      'Size of the submissions that wait to be stored.',
      () => writer.queue.bytes,
    );
    readings.gauge(
      'fcs_queue_max_submissions',
      'Submissions that may wait to be stored.',
      () => writer.queue.maxItems,
    );
    readings.gauge(
      'fcs_queue_max_bytes',
      'Size of the submissions that may wait to be stored.',
      () => writer.queue.maxBytes,
    );
  }

  private addDeliveries(readings: PrometheusBridge): void {
    readings.counts(
      'fcs_delivery_attempts_total',
      'Tries to deliver: delivered, deferred to a later try, failed for good.',
      this.worker.outcomes,
    );
    readings.gauge(
      'fcs_deliveries_pending',
      'Deliveries that are neither made nor given up, of all instances.',
      async () => (await this.outbox())?.pending ?? null,
    );
    readings.gauge(
      'fcs_deliveries_oldest_due_seconds',
      'How long the delivery that is due the longest has been due; 0 when none is due.',
      async () => (await this.outbox())?.oldestDueSeconds ?? null,
    );
  }

  private addDatabase(readings: PrometheusBridge): void {
    readings.gauge('fcs_database_up', 'Whether the database answers.', async () =>
      (await this.outbox()) === null ? 0 : 1,
    );
    readings.gauge(
      'fcs_database_connections_in_use',
      'Connections to the database server in use; not with the embedded one.',
      async () => (await this.connections())?.inUse ?? null,
    );
    readings.gauge(
      'fcs_database_connections_idle',
      'Connections to the database server that wait for work.',
      async () => (await this.connections())?.idle ?? null,
    );
    readings.gauge(
      'fcs_database_connections_waiting',
      'Callers that wait for a connection.',
      async () => (await this.connections())?.waiting ?? null,
    );
    readings.gauge(
      'fcs_database_connections_max',
      'Connections that are kept at most.',
      async () => (await this.connections()) && this.config.databasePoolSize,
    );
  }

  /** Null with the embedded database. What is asked for the metrics themselves is not counted. */
  private async connections(): Promise<PoolUse | null> {
    await this.outbox();
    return this.database.poolUse();
  }

  /** Null when the database does not answer. */
  private async askOutbox(): Promise<Outbox | null> {
    const now = new Date();
    try {
      const { pending, oldestDueAt: dueAt } = await this.deliveries.backlog(now);
      return {
        pending,
        oldestDueSeconds: dueAt ? (now.getTime() - dueAt.getTime()) / 1_000 : 0,
      };
    } catch (error) {
      this.logger.warn('The database did not say what is in the outbox', { error });
      return null;
    }
  }

  private askDisk(): Promise<DiskSpace | null> {
    return diskSpaceAt(this.config.dataDir).catch(() => null);
  }
}
