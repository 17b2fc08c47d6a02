import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { Check, Outcome } from './check.js';

/** Checks for due deliveries that no worker attempts. */
@Injectable()
export class DeliveriesCheck implements Check {
  readonly name = 'deliveries';
  readonly settings = ['WORKERS'];

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<Outcome> {
    const stuck = await this.deliveries.countLate(this.clock.now());
    if (stuck === 0) return { state: 'ok', detail: 'No delivery is late.' };
    return {
      state: 'failed',
      detail: `${stuck} deliveries are more than ten minutes late. Start a process with WORKERS=on or WORKERS=only, or look at what the mail server says.`,
    };
  }
}
