import { Injectable } from '@nestjs/common';
import { SealedRows } from '../../platform/secrets/sealed-rows.js';
import type { Check, Outcome } from './check.js';

/** Counts stored secrets that an old key holds, or that no key opens. */
@Injectable()
export class SecretsCheck implements Check {
  readonly name = 'secrets';
  readonly settings = ['SECRET_KEY'];

  constructor(private readonly rows: SealedRows) {}

  async run(): Promise<Outcome> {
    const { current, old, unreadable } = await this.rows.count();
    if (unreadable > 0) {
      const detail = `No key reads ${unreadable} of ${current + old + unreadable} stored secrets, and what needs them waits. Add the key that sealed them to SECRET_KEY, or put secret.key in DATA_DIR back.`;
      return { state: 'failed', detail };
    }
    if (old > 0) {
      const detail = `An old key holds ${old} of ${current + old} stored secrets. They are sealed anew within two minutes of a start. Keep that key in SECRET_KEY until then.`;
      return { state: 'warning', detail };
    }
    if (current === 0) return { state: 'ok', detail: 'No secret is stored.' };
    return { state: 'ok', detail: `The first key holds all ${current} stored secrets.` };
  }
}
