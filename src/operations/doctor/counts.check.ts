import { Injectable } from '@nestjs/common';
import { FormCounts } from '../../search/inbox/form-counts.service.js';
import type { Check, Outcome } from './check.js';

/** Most differences that are named; the others are only counted. */
const NAMED_MAX = 20;

/** Checks that the stored count of every form is the number of its submissions. */
@Injectable()
export class CountsCheck implements Check {
  readonly name = 'submission counts';
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
