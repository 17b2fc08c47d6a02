import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { Check, Outcome } from './check.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';

/**
 * Age in milliseconds of a due delivery that shows that no worker runs: a running one tries it within
 * seconds.
 */
const STUCK_MS = 10 * MINUTE_MS;

/** Checks for due deliveries that no worker attempts. */
@Injectable()
export class DeliveriesCheck implements Check {
  readonly name = 'deliveries';
  readonly settings = ['WORKERS'];

  constructor(private readonly deliveries: DeliveriesService) {}

  async run(): Promise<Outcome> {
    const stuck = await this.deliveries.countStuck(new Date(Date.now() - STUCK_MS));
    if (stuck === 0) return { state: 'ok', detail: 'Nothing that is due waits.' };
    return {
      state: 'failed',
      detail: `${stuck} deliveries have been due or left half-way for over ten minutes: either no process with WORKERS=on or only runs, or their receiver is away, as the warnings of their forms say`,
    };
  }
}
