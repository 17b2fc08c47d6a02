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
    if (stuck === 0) return { state: 'ok', detail: 'No delivery is late.' };
    return {
      state: 'failed',
      detail: `${stuck} deliveries are more than ten minutes late. Start a process with WORKERS=on or WORKERS=only, or look at the warnings of the forms: their receivers may be down.`,
    };
  }
}
