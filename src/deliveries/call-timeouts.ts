import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** A call that is not over by then is given up. */
const CALL_MAX_MS = 45_000;
/** What is under way gets this long once the process is to end. */
const GRACE_MS = 3_000;

/** How long a claim holds; the rest is for noting how the call ended. */
export const LEASE_SECONDS = CALL_MAX_MS / 1_000 + 15;

/** Why a call is ended from here: its time is over, or the process is to end. */
export class CallAborted extends Error {
  constructor(readonly reason: 'timed_out' | 'interrupted') {
    super(
      reason === 'timed_out'
        ? 'It took too long and was given up.'
        : 'The service was stopped meanwhile.',
    );
  }
}

/** Ends calls to others: one that takes too long, and all of them soon after a stop was asked for. */
@Injectable()
export class CallTimeouts implements OnModuleDestroy {
  /** Shortened in tests. */
  callMaxMs = CALL_MAX_MS;
  private readonly underWay = new Set<AbortController>();
  private isOver = false;

  /** @param call must end soon after its signal, whose reason is an `Ended` */
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

  onModuleDestroy(): void {
    setTimeout(() => {
      this.isOver = true;
      for (const controller of this.underWay) controller.abort(new CallAborted('interrupted'));
    }, GRACE_MS).unref();
  }
}
