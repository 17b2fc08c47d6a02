import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/time/clock.js';
import { InstanceWatch } from '../../watch/instance-watch.service.js';
import { type Check, type Outcome, minuteText } from './check.js';
import { FormCounts } from '../../search/inbox/form-counts.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { CanaryService } from '../../canary/canary.service.js';
import { Config } from '../../platform/config/config.js';
import { Akismet } from '../../spam/external/akismet.service.js';
import { Rspamd } from '../../spam/external/rspamd.service.js';

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

/** Most differences that are named; the others are only counted. */
const NAMED_MAX = 20;

/** Checks that the stored count of every form is the number of its submissions. */
@Injectable()
export class CountsCheck implements Check {
  readonly name = 'submission counts';
  readonly isSlow = true;
  readonly settings = [];

  constructor(private readonly counts: FormCounts) {}

  async run(): Promise<Outcome> {
    const { forms, wrong } = await this.counts.compare();
    if (wrong.length === 0)
      return { state: 'ok', detail: `The counts of ${forms} forms are right.` };
    const named = wrong
      .slice(0, NAMED_MAX)
      .map(({ identifier, counted, there }) => `${identifier} says ${counted} and has ${there}`);
    if (wrong.length > NAMED_MAX) named.push(`${wrong.length - NAMED_MAX} more`);
    return { state: 'failed', detail: named.join('; ') };
  }

  async mend(): Promise<void> {
    await this.counts.mend();
  }
}

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

/** Checks that the test submissions of canaries get through; what is wrong with a page is for its owner. */
@Injectable()
export class CanariesCheck implements Check {
  readonly name = 'canaries';
  readonly settings = ['CANARY', 'BASE_URL', 'WORKERS', 'SMTP_URL'];

  constructor(private readonly canaries: CanaryService) {}

  async run(): Promise<Outcome> {
    const failure = await this.canaries.failureOfService();
    if (!failure) return { state: 'ok', detail: 'No test submission was lost on its way.' };
    const { since, step, detail } = failure;
    return {
      state: 'failed',
      detail: `Test submissions have failed at the step ${step} since ${minuteText(since)}: ${detail}`,
    };
  }
}

/** Time for the answer of each filter, in milliseconds. */
const ANSWER_MS = 5_000;

/** Asks whether the spam filters that forms may ask are there. */
@Injectable()
export class SpamFiltersCheck implements Check {
  readonly name = 'spam filters';
  readonly isSlow = true;
  readonly settings = ['RSPAMD_URL', 'AKISMET_KEY', 'AKISMET_URL'];

  constructor(
    private readonly rspamd: Rspamd,
    private readonly akismet: Akismet,
    private readonly config: Config,
  ) {}

  async run(): Promise<Outcome> {
    const { rspamdUrl, akismetKey, akismetUrl } = this.config.filters;
    const asked = [
      ...(rspamdUrl === undefined ? [] : [{ url: rspamdUrl, filter: this.rspamd }]),
      ...(akismetKey === undefined ? [] : [{ url: akismetUrl, filter: this.akismet }]),
    ];
    if (asked.length === 0) {
      const detail =
        'Neither RSPAMD_URL nor AKISMET_KEY is set. Forms use no external spam filter.';
      return { state: 'ok', detail };
    }
    const wrong: string[] = [];
    for (const { url, filter } of asked) {
      try {
        await filter.verify(AbortSignal.timeout(ANSWER_MS));
      } catch (error) {
        wrong.push(`${filter.name} at ${url}: ${(error as Error).message}`);
      }
    }
    const names = asked.map(({ filter }) => filter.name).join(' and ');
    if (wrong.length === 0) return { state: 'ok', detail: `${names} can be reached.` };
    const detail = `${wrong.join(' ')} Submissions are scored without it. Check RSPAMD_URL, AKISMET_KEY and the firewall.`;
    return { state: 'failed', detail };
  }
}
