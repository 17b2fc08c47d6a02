import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../config/config.js';
import { FormsService } from '../forms/forms.service.js';
import type { SubmissionFilter } from './submission-filter.js';
import { SubmissionsService } from './submissions.service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How much longer than a request may take a form may still get submissions after its deletion: another
 * instance may serve it from its cache for a moment, and a transaction may be under way.
 */
const STRAGGLERS_SECONDS = 60;
const ALL: SubmissionFilter = { spam: null, trash: null, from: null, to: null, query: null };

/** Removes what is to go in the background, in small transactions; a restart takes it up again. */
@Injectable()
export class SubmissionPurger {
  constructor(
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
    private readonly config: Config,
  ) {}

  /**
   * Removes the submissions of deleted forms.
   * @returns how many were removed
   */
  async purgeDeletedForms(): Promise<number> {
    const requestSeconds = Math.ceil(this.config.bodyTimeoutMs / 1000);
    let removed = 0;
    for (const { id } of await this.forms.listUnpurged()) {
      removed += await this.removeAll(id, ALL);
      await this.forms.notePurged(id, requestSeconds + STRAGGLERS_SECONDS);
    }
    return removed;
  }

  /**
   * Removes submissions that are older than their form keeps them.
   * @returns how many were removed
   */
  async applyRetention(now: Date): Promise<number> {
    let removed = 0;
    for (const { id, retentionDays } of await this.forms.listWithRetention()) {
      if (retentionDays === null) continue;
      const to = new Date(now.getTime() - retentionDays * DAY_MS);
      removed += await this.removeAll(id, { ...ALL, to });
    }
    return removed;
  }

  private async removeAll(formId: number, filter: SubmissionFilter): Promise<number> {
    let removed = 0;
    for (;;) {
      const some = await this.submissions.removeOldest(formId, filter);
      if (some === 0) return removed;
      removed += some;
      // The embedded database answers at once: without a pause nobody else would get a turn.
      await nextTurn();
    }
  }
}
