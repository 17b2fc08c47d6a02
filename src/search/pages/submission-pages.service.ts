import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal } from '../../accounts/access/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { type PagePosition, type SubmissionFilter, RECEIVED } from '../../submissions/filter/submission-filter.js';
import { SubmissionsService, type SubmissionInFull } from '../../submissions/submissions.service.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { SubmissionFinder, type FoundPage } from '../finder/submission-finder.js';
import { Clock } from '../../platform/index.js';
import { sampleSubmission } from '../../submissions/model/sample-submission.js';

/** A page of submissions, newest first, and the number on all pages. */
export interface SubmissionPage extends FoundPage {
  form: Form;
  /** The `ids` that are on hold. */
  held: Buffer[];
  /** Reads the submissions of the page, some at a time. */
  submissions: () => AsyncGenerator<SubmissionInFull[]>;
}

/** The ten newest. */
export const NEWEST = { page: 1, perPage: 10, before: null, after: null };

/** Lists the submissions of a form that a filter means. */
@Injectable()
export class SubmissionPages {
  constructor(
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly verdicts: VerdictsService,
    private readonly finder: SubmissionFinder,
    private readonly clock: Clock,
  ) {}

  /**
   * @param unwanted breaks a search off, with its reason
   * @throws FormNotFound, SearchUnderWay, SearchesBusy
   */
  async list(
    principal: Principal,
    identifier: string,
    filter: SubmissionFilter,
    position: PagePosition,
    unwanted?: AbortSignal,
  ): Promise<SubmissionPage> {
    const form = await this.forms.get(principal, identifier);
    const page = await this.finder.page(principal, form.id, filter, position, unwanted);
    const among = await this.verdicts.heldAmong(page.ids);
    const held = page.ids.filter((id) => among.has(keyOf(id)));
    return { ...page, form, held, submissions: () => this.submissions.read(form, page.ids) };
  }

  /** Returns the newest submissions of a form that are not spam, newest first. @throws FormNotFound */
  async newest(principal: Principal, identifier: string): Promise<SubmissionInFull[]> {
    const page = await this.list(principal, identifier, RECEIVED, NEWEST);
    const found: SubmissionInFull[] = [];
    for await (const some of page.submissions()) found.push(...some);
    return found;
  }

  /**
   * Returns the newest submission of a form, neither spam nor in the trash; a sample where there is none, or
   * where the principal may not see submissions. A look by a client is recorded.
   * @param form as it is to be shown, whose scope was checked already
   */
  async of(principal: Principal, form: Form): Promise<Example> {
    const { identifier } = form;
    const { ids } = principal.may('see')
      ? await this.list(principal, identifier, RECEIVED, { ...NEWEST, perPage: 1 })
      : { ids: [] };
    const newest = ids[0] ? await this.submissions.show(principal, identifier, ids[0]) : null;
    const sample = { submission: sampleSubmission(form.id, this.clock.now(), ORIGIN), files: [] };
    return { full: { ...(newest ?? sample), form }, isSample: newest === null };
  }
}

/** Where a sample says that it comes from. */
const ORIGIN = 'https://example.com';

/** A submission to show what a form makes of it. */
export interface Example {
  full: SubmissionInFull;
  isSample: boolean;
}
