import { Injectable } from '@nestjs/common';
import { histogramsBy } from '../../kernel/counters.js';

const DURATION_BOUNDS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
/** Methods that get a label of their own; all others share one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts answered requests by method, route and status, never by address. */
@Injectable()
export class RequestMetrics {
  readonly durations = histogramsBy(DURATION_BOUNDS_SECONDS, 'method', 'route', 'status');

  /**
   * Counts an answered request.
   * @param route as it was declared, such as `/f/:identifier`; null when none matched
   * @param status null when the client left before the answer
   */
  record(method: string, route: string | null, status: number | null, ms: number): void {
    const known = METHODS.has(method) ? method : 'other';
    const family = status === null ? 'aborted' : `${Math.floor(status / 100)}xx`;
    this.durations.of(known, route ?? 'none', family).observe(ms / 1_000);
  }
}
