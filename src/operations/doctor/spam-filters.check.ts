import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Akismet } from '../../spam/external/akismet.service.js';
import { Rspamd } from '../../spam/external/rspamd.service.js';
import type { Check, Outcome } from './check.js';

/** Time for the answer of each filter, in milliseconds. */
const ANSWER_MS = 5_000;

/** Asks whether the spam filters that forms may ask are there. */
@Injectable()
export class SpamFiltersCheck implements Check {
  readonly name = 'spam filters';
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
