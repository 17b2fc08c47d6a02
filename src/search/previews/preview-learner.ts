import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import type { Answer } from '../../submissions/model/preview.js';
import { tellingFields } from './telling-fields.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';

/** Newest submissions of a form that are learnt from. */
const NEWEST = 50;

/** Learns which fields of forms tell most, where nobody has chosen what their rows show. */
@Injectable()
export class PreviewLearner {
  constructor(
    private readonly queries: FormQueries,
    private readonly forms: FormsService,
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /**
   * Learns from each form that has got enough submissions since it was learnt from last.
   * @returns from how many
   */
  @BackgroundTask('learn what rows show', 5 * MINUTE_MS)
  async learnAll({ signal }: TaskRun): Promise<number> {
    let learnt = 0;
    for await (const form of this.queries.due()) {
      if (signal?.aborted) break;
      await this.forms.learn(form, tellingFields(await this.newest(form.id)));
      learnt++;
    }
    return learnt;
  }

  private async newest(formId: number): Promise<Answer[][]> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const window = { page: 1, perPage: NEWEST, before: null, after: null };
    const { ids } = await this.ids.page(formId, filter, window, NEWEST);
    const found: Answer[][] = [];
    for await (const some of this.submissions.load(formId, ids)) {
      found.push(...some.map(({ values }) => values.lines()));
    }
    return found;
  }
}
