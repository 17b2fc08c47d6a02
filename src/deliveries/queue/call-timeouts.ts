import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/**
 * Longest time of one call in milliseconds; it is aborted then. Webhooks end earlier by themselves; a mail
 * with large attachments may need it. The lease is longer still, and delays the next attempt after a crash.
 */
const CALL_MAX_MS = 45_000;
/**
 * Time that running calls get once the process is stopping, in milliseconds. Docker ends a process after
 * 10 s, and the results must be stored before.
 */
const GRACE_MS = 3_000;

/** How long a claimed delivery is leased, in seconds: the longest call, and 15 s to store its result. */
export const LEASE_SECONDS = CALL_MAX_MS / 1_000 + 15;

/** Reason of an aborted call: it took too long, or the process is stopping. */
export class CallAborted extends Error {
  constructor(readonly reason: 'timed_out' | 'interrupted') {
    super(reason === 'timed_out' ? 'The server did not respond in time.' : 'The service stopped during the attempt.');
  }
}

/** Aborts calls that take longer than 45 s, and all calls 3 s after a shutdown began. */
@Injectable()
export class CallTimeouts implements OnModuleDestroy {
  /** Longest time of one call in milliseconds; tests shorten it. */
  callMaxMs = CALL_MAX_MS;
  private readonly underWay = new Set<AbortController>();
  private isOver = false;

  /**
   * Runs a call and returns its result. A call that rejects makes this reject with the same error.
   * @param call must end soon after its signal is aborted; the signal's reason is a `CallAborted`
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new CallAborted('timed_out'));
    }, this.callMaxMs);
    this.underWay.add(controller);
    if (this.isOver) controller.abort(new CallAborted('interrupted'));
    try {
      return await call(controller.signal);
    } finally {
      clearTimeout(timer);
      this.underWay.delete(controller);
    }
  }

  onModuleDestroy() {
    setTimeout(() => {
      this.isOver = true;
      for (const controller of this.underWay) controller.abort(new CallAborted('interrupted'));
    }, GRACE_MS).unref();
  }
}
