import { Injectable, Logger } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { CanaryService } from '../../canary/canary.service.js';
import {
  counter,
  gauge,
  gauges,
  type Metric,
  histogram,
  measureNode,
  textOf,
} from './exposition.js';
import { Clock } from '../../platform/kernel/time.js';
import { WatchService } from '../../watch/watcher.js';
import { BouncesService } from '../../bounces/bounces.service.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import type { PoolUse } from '../../platform/database/driver-workarounds.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { DeliveryWorker } from '../../deliveries/queue/delivery-worker.js';
import { Certificates } from '../../platform/http/tls/acme.js';
import { VirusScanner } from '../../files/scans/virus-scanner.js';
import { RequestMetrics } from '../../platform/http/requests/requests.js';
import { Intake } from '../../intake/intake.js';
import { logOutput } from '../../platform/logging/json-logger.js';
import { diskSpaceAt, type DiskSpace } from '../../platform/kernel/byte-size.js';
import { SubmissionWriter } from '../../submissions/storage/submission-writer.js';
import { ScheduledBackups, type BackupState } from '../backup/scheduled-backups.js';
import { WATCH_STATES } from '../../watch/model/signs.js';

/**
 * Returns a function that calls `ask` at most once in `ms` milliseconds; other callers share its result.
 * @param ask must not reject, or the rejection is shared as well
 */
function memoizeFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = -Infinity;
  let answer: Promise<T> | null = null;
  return () => {
    const now = performance.now();
    if (answer === null || now - askedAt >= ms) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}

/** Shortest time between two looks at the database, in milliseconds. */
const ASKED_EVERY_MS = 5_000;

/** Renders the metrics of canaries. */
@Injectable()
export class CanaryMetrics {
  private readonly state = memoizeFor(ASKED_EVERY_MS, () =>
    this.canaries.state().catch(() => null),
  );

  constructor(private readonly canaries: CanaryService) {}

  async metrics(): Promise<Metric[]> {
    const state = await this.state();
    return [
      counter(
        'fcs_canary_runs_total',
        'Runs of canaries by this process: ok, or failed with the first step that did.',
        this.canaries.outcomes,
      ),
      gauge(
        'fcs_canary_failing',
        'Forms whose canary fails, as a second run has confirmed, of all instances.',
        state?.failing ?? null,
      ),
      gauge(
        'fcs_canary_last_run_timestamp_seconds',
        'When the last run of a canary ended, of all instances.',
        state?.lastRunAt ? state.lastRunAt.getTime() / 1_000 : null,
      ),
    ];
  }
}

/** Forms that are named at most: those that have been silent the longest. */
const FORMS_MAX = 200;

/** Renders the metrics of how forms fare. */
@Injectable()
export class WatchMetrics {
  private readonly fares = memoizeFor(ASKED_EVERY_MS, () => this.ask().catch(() => null));

  constructor(
    private readonly watches: WatchService,
    private readonly clock: Clock,
  ) {}

  async metrics(): Promise<Metric[]> {
    const fares = await this.fares();
    return [
      gauges(
        'fcs_forms',
        'Forms by state of monitoring, of all instances.',
        fares
          ? WATCH_STATES.map((state) => ({
              labels: { state },
              value: fares.states.get(state) ?? 0,
            }))
          : [],
      ),
      gauges(
        'fcs_form_silence_seconds',
        'How long a form has been silent beyond what its rhythm makes probable; of the longest ones.',
        fares?.silent ?? [],
      ),
    ];
  }

  private async ask() {
    const now = this.clock.now().getTime();
    const silent = await this.watches.silent(FORMS_MAX);
    return {
      states: await this.watches.countByState(),
      silent: silent.map(({ identifier: form, silentFrom }) => ({
        labels: { form },
        value: Math.max(now - silentFrom.getTime(), 0) / 1_000,
      })),
    };
  }
}

/** The text format of Prometheus. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The outbox of all instances. */
interface Outbox {
  pending: number;
  /** Seconds since the longest due delivery became due; 0 when none is due. */
  oldestDueSeconds: number;
}

/** Renders all metrics of this process, and of Node itself, in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly mediaType = MEDIA_TYPE;
  private readonly logger = new Logger(Metrics.name);
  private node: Promise<Registry> | null = null;
  private readonly outbox = memoizeFor(ASKED_EVERY_MS, () => this.askOutbox());
  private readonly backup = memoizeFor(ASKED_EVERY_MS, () => this.askBackups());
  private readonly disk = memoizeFor(ASKED_EVERY_MS, () => this.askDisk());

  constructor(
    private readonly config: Config,
    private readonly intake: Intake,
    private readonly writer: SubmissionWriter,
    private readonly worker: DeliveryWorker,
    private readonly bounces: BouncesService,
    private readonly deliveries: DeliveriesService,
    private readonly requestMetrics: RequestMetrics,
    private readonly certificates: Certificates,
    private readonly scanner: VirusScanner,
    private readonly database: DatabaseStatus,
    private readonly backups: ScheduledBackups,
    private readonly canaries: CanaryMetrics,
    private readonly watches: WatchMetrics,
  ) {}

  /** Returns all metrics with their values now. The first call begins to measure Node itself. */
  async text(): Promise<string> {
    const node = await (this.node ??= measureNode());
    const own = [
      ...this.ofSubmission(),
      ...(await this.ofDelivery()),
      ...(await this.ofConnection()),
      histogram(
        'fcs_http_request_duration_seconds',
        'Requests by method, route and class of status, and how long their answers took.',
        this.requestMetrics.durations,
      ),
      gauge(
        'fcs_log_lines_lost',
        'Log lines since the start that could not be written.',
        logOutput.lost,
      ),
      ...(await this.ofDisk()),
      ...(await this.ofBackup()),
      ...(await this.watches.metrics()),
      ...(await this.canaries.metrics()),
      this.ofCertificate(),
    ];
    return `${await textOf(own)}\n${await node.metrics()}`;
  }

  private ofSubmission(): Metric[] {
    const { intake, writer } = this;
    return [
      counter(
        'fcs_submissions_total',
        'Submissions that came in: stored, spam (stored too), replayed, refused (4xx), failed (5xx).',
        intake.outcomes,
      ),
      counter(
        'fcs_virus_scans_total',
        'Files given to clamd: clean, infected, failed (not scanned).',
        this.scanner.results,
      ),
      histogram(
        'fcs_batch_submissions',
        'Submissions of each committed transaction.',
        writer.batchSizes,
      ),
      histogram(
        'fcs_commit_duration_seconds',
        'How long each transaction of submissions took, commit included.',
        writer.commitTimes,
      ),
      gauge('fcs_queue_submissions', 'Submissions that wait to be stored.', writer.queue.items),
      gauge(
        'fcs_queue_bytes',
        'Size of the submissions that wait to be stored.',
        writer.queue.bytes,
      ),
      gauge(
        'fcs_queue_max_submissions',
        'Submissions that may wait to be stored.',
        writer.queue.maxItems,
      ),
      gauge(
        'fcs_queue_max_bytes',
        'Size of the submissions that may wait to be stored.',
        writer.queue.maxBytes,
      ),
    ];
  }

  private async ofDelivery(): Promise<Metric[]> {
    const outbox = await this.outbox();
    return [
      counter(
        'fcs_delivery_attempts_total',
        'Tries to deliver: delivered, deferred to a later try, failed for good.',
        this.worker.outcomes,
      ),
      counter(
        'fcs_mail_reports_total',
        'Reports about mails after a server had accepted them, by this process: permanent, failed, delayed, complaint.',
        this.bounces.taken,
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

  /**
   * Returns the metrics of the pools, read while no query of the metrics runs. The embedded database has
   * none.
   */
  private async ofConnection(): Promise<Metric[]> {
    await this.outbox();
    const uses = [...this.database.poolUses()];
    const connections = (name: string, help: string, key: keyof PoolUse) =>
      gauges(
        `fcs_database_connections_${name}`,
        help,
        uses.map(([pool, use]) => ({ labels: { pool }, value: use[key] })),
      );
    return [
      connections(
        'in_use',
        'Connections to the database server in use, by pool; not with the embedded one.',
        'inUse',
      ),
      connections('idle', 'Connections to the database server that wait for work.', 'idle'),
      connections('waiting', 'Callers that wait for a connection.', 'waiting'),
      connections('max', 'Connections that are kept at most.', 'max'),
    ];
  }

  private ofCertificate(): Metric {
    const { facts } = this.certificates;
    return gauge(
      'fcs_certificate_expires_seconds',
      'How long the certificate that this process serves is still valid; only with TLS_CERT or ACME_DOMAIN.',
      facts && (facts.validTo.getTime() - Date.now()) / 1_000,
    );
  }

  private async ofDisk(): Promise<Metric[]> {
    const disk = await this.disk();
    return [
      gauge('fcs_data_size_bytes', 'Size of the file system of DATA_DIR.', disk?.size ?? null),
      gauge(
        'fcs_data_free_bytes',
        'What is free on the file system of DATA_DIR.',
        disk?.free ?? null,
      ),
    ];
  }

  private async ofBackup(): Promise<Metric[]> {
    const state = await this.backup();
    return [
      gauge(
        'fcs_backup_newest_timestamp_seconds',
        'Of when the newest scheduled backup is.',
        state?.newest ? state.newest.at.getTime() / 1_000 : null,
      ),
      gauge(
        'fcs_backup_trouble',
        'Whether the last scheduled backup failed or is late.',
        state?.trouble !== null ? 1 : 0,
      ),
    ];
  }

  /** Reads the outbox; null when the database does not answer. */
  private async askOutbox(): Promise<Outbox | null> {
    const now = new Date();
    try {
      const { pending, oldestDueAt: dueAt } = await this.deliveries.backlog(now);
      return { pending, oldestDueSeconds: dueAt ? (now.getTime() - dueAt.getTime()) / 1_000 : 0 };
    } catch (error) {
      this.logger.warn('The outbox could not be counted', { error });
      return null;
    }
  }

  private askBackups(): Promise<BackupState | null> {
    return this.backups.state().catch(() => null);
  }

  private askDisk(): Promise<DiskSpace | null> {
    return diskSpaceAt(this.config.dataDir).catch(() => null);
  }
}
