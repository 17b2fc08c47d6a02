import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { FormsService } from '../forms/forms.service.js';
import { inPortions } from '../platform/kernel/portions.js';
import { CaptchaTroubles } from '../spam/captcha/captcha-troubles.service.js';
import { SpamLessons } from '../spam/learning/spam-lessons.service.js';
import { SpamLists } from '../spam/lists/spam-lists.service.js';
import { ErasureService } from './erasure.service.js';
import { ExportFiles } from './jobs/export-files.js';
import { EVERYTHING, type SubmissionFilter } from './submission-filter.js';
import { StatisticsService } from './statistics/statistics.service.js';
import { TextMover } from './texts/text-mover.js';
import { TriageService } from './triage/triage.service.js';
import { DAY_MS } from '../platform/kernel/durations.js';

/**
 * How long after its deletion a form is purged, in seconds. Until then another instance may serve it from its
 * cache, or a transaction may be running. Longer than a request may take.
 */
const STRAGGLERS_SECONDS = 60;

/** Removes submissions of deleted forms and expired ones, in small transactions. A restart continues. */
@Injectable()
export class SubmissionPurger {
  constructor(
    private readonly forms: FormsService,
    private readonly erasure: ErasureService,
    private readonly triage: TriageService,
    private readonly texts: TextMover,
    private readonly statistics: StatisticsService,
    private readonly lessons: SpamLessons,
    private readonly lists: SpamLists,
    private readonly troubles: CaptchaTroubles,
    private readonly exports: ExportFiles,
    private readonly config: Config,
  ) {}

  /**
   * Removes the submissions of deleted forms.
   * @param forget removes what else belongs to a form, before it is marked as purged
   * @param signal stops it between two transactions
   * @returns how many submissions were removed
   */
  async purgeDeletedForms(
    forget: (formId: number) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<number> {
    const requestSeconds = Math.ceil(this.config.http.bodyTimeoutMs / 1000);
    let removed = 0;
    for (const { id } of await this.forms.listUnpurged()) {
      removed += await this.removeAll(id, EVERYTHING, signal);
      if (signal?.aborted) break;
      await this.texts.forgetForm(id, signal);
      await this.exports.forgetForm(id);
      await this.triage.forgetForm(id);
      const isDone = await this.statistics.forgetForm(id, signal);
      await this.lessons.forgetForm(id);
      await this.lists.forgetForm(id);
      await this.troubles.forgetForm(id);
      await forget(id);
      if (signal?.aborted) break;
      if (isDone) await this.forms.markPurged(id, requestSeconds + STRAGGLERS_SECONDS);
    }
    return removed;
  }

  /**
   * Removes submissions that are older than their form keeps them.
   * @param signal stops it between two transactions
   * @returns how many were removed
   */
  async applyRetention(now: Date, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (const { id, retentionDays } of await this.forms.listWithRetention()) {
      if (retentionDays === null) continue;
      const to = new Date(now.getTime() - retentionDays * DAY_MS);
      removed += await this.removeAll(id, { ...EVERYTHING, to }, signal);
    }
    return removed;
  }

  private removeAll(
    formId: number,
    filter: SubmissionFilter,
    signal?: AbortSignal,
  ): Promise<number> {
    return inPortions((rows) => this.erasure.removeOldest(formId, filter, rows), signal);
  }
}
