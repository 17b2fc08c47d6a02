import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { sampleSubmission } from '../../submissions/model/sample-submission.js';
import { SubmissionPages } from './submission-pages.service.js';

/** Where a sample says that it comes from. */
const ORIGIN = 'https://example.com';

/** A submission to show what a form makes of it. */
export interface Example {
  full: SubmissionInFull;
  isSample: boolean;
}

/** Finds submissions to show what a form makes of them. */
@Injectable()
export class ExamplesService {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly pages: SubmissionPages,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the newest submission of a form, neither spam nor in the trash; a sample where there is none, or
   * where the principal may not see submissions. A look by a client is recorded.
   * @param form as it is to be shown, whose scope was checked already
   */
  async of(principal: Principal, form: Form): Promise<Example> {
    const newest = principal.may('see') ? await this.newest(principal, form) : null;
    const sample = { submission: sampleSubmission(form.id, this.clock.now(), ORIGIN), files: [] };
    return { full: { ...(newest ?? sample), form }, isSample: newest === null };
  }

  private async newest(
    principal: Principal,
    { identifier }: Form,
  ): Promise<SubmissionInFull | null> {
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const position = { page: 1, perPage: 1, before: null, after: null };
    const { ids } = await this.pages.list(principal, identifier, filter, position);
    const [id] = ids;
    return id ? this.submissions.show(principal, identifier, id) : null;
  }
}
