import { Injectable } from '@nestjs/common';
import { CanaryService } from '../../canary/canary.service.js';
import type { Check, Outcome } from './check.js';
import { minuteText } from './minute-text.js';

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
