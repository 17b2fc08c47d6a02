import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/time/clock.js';
import { InstanceWatch } from '../../watch/instance-watch.service.js';
import type { Check, Outcome } from './check.js';
import { minuteText } from './minute-text.js';

/** Checks that submissions come in as they used to, of all forms together. */
@Injectable()
export class SubmissionsCheck implements Check {
  readonly name = 'submissions';
  readonly settings = ['BASE_URL'];

  constructor(
    private readonly instance: InstanceWatch,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<Outcome> {
    const now = this.clock.now();
    const { lastAt, silentFrom } = await this.instance.look(now);
    if (lastAt === null)
      return { state: 'ok', detail: 'No form has received a submission lately.' };
    const last = `The last submission came between ${minuteText(lastAt)} and an hour later.`;
    if (silentFrom === null)
      return { state: 'ok', detail: `${last} How often they come is not known yet.` };
    if (silentFrom > now)
      return {
        state: 'ok',
        detail: `${last} Silence would be unusual from ${minuteText(silentFrom)} on.`,
      };
    return {
      state: 'failed',
      detail: `No form has received a submission since ${minuteText(lastAt)}, an improbably long silence for all of them together. Check from outside that BASE_URL answers: its DNS, its certificate, the proxy and the firewall.`,
    };
  }
}
