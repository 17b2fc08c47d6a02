import { Injectable } from '@nestjs/common';
import type { Form } from '../forms/model/form.entity.js';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';
import { pageOf } from '../submissions/model/page-address.js';
import { SubmissionIds } from '../submissions/rows/submission-ids.js';
import { SubmissionsService } from '../submissions/submissions.service.js';

/** The last submission of a form: when it came, and from which page. */
export interface LastSubmission {
  at: Date;
  /** Absent when the browser did not say. */
  page?: string;
}

/** Finds the last submissions of forms. */
@Injectable()
export class LastSubmissions {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsService,
  ) {}

  /** Returns the last submission of a form that is neither spam nor in the trash; null for none. */
  async of(form: Form): Promise<LastSubmission | null> {
    const ids = await this.ids.newest(form.id, { ...EVERYTHING, spam: false, trash: false }, 1);
    for await (const [full] of this.submissions.read(form, ids)) {
      if (!full) break;
      const page = pageOf(full.submission);
      return { at: full.submission.createdAt, ...(page !== '' && { page }) };
    }
    return null;
  }
}
