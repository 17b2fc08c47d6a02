import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Config, MINUTE_MS, SECOND_MS } from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { SubmissionIntake } from '../../submissions/storage/submission-intake.service.js';

const EVERY_MS = MINUTE_MS;
/** Longest wait for the monitor, in milliseconds. */
const TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Calls HEARTBEAT_URL once a minute while this process takes submissions, the database takes writes and no delivery is late:
 * a monitor that hears nothing tells the operator, as an instance that is down cannot. The address may hold a secret, so that
 * no log names it.
 */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Heartbeat.name);
  private timer: NodeJS.Timeout | undefined;
  /** Reason why the last beat was left out or not heard; null if there is none. */
  private trouble: string | null = null;

  constructor(
    private readonly config: Config,
    private readonly intake: SubmissionIntake,
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Begins in each process that takes requests. */
  onApplicationBootstrap() {
    const { http, deliveries } = this.config;
    if (http.heartbeatUrl === undefined || deliveries.workers === 'only') return;
    this.timer = setInterval(() => void this.beat(), EVERY_MS).unref();
  }

  beforeApplicationShutdown() {
    clearInterval(this.timer);
  }

  /** Calls the monitor, if all is well, and logs each trouble once. */
  async beat() {
    const unwell = await this.unwell();
    const detail = unwell === null ? await this.call() : null;
    const trouble = unwell ?? (detail === null ? null : 'HEARTBEAT_URL does not hear it.');
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    if (trouble === null) this.logger.log('The heartbeat is heard again');
    else this.logger.warn('The heartbeat is not heard', { reason: trouble, detail });
  }

  /** Tells what is not well; null if all is. */
  private async unwell(): Promise<string | null> {
    try {
      this.intake.assertRoom();
    } catch {
      return 'The queue of submissions is full.';
    }
    try {
      await this.unitOfWork.assertWritable();
      const late = await this.deliveries.countLate(this.unitOfWork.now());
      return late === 0 ? null : 'Deliveries are more than ten minutes late.';
    } catch {
      return 'The database takes no writes.';
    }
  }

  /** @returns why the monitor did not hear it; null if it did */
  private async call() {
    try {
      const { ok, status, body } = await fetch(this.config.http.heartbeatUrl ?? '', {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body?.cancel();
      return ok ? null : `status ${status}`;
    } catch (error) {
      return reasonOf(error);
    }
  }
}

/** Names an error without its message, which may have the address. */
function reasonOf(error: unknown) {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}
