import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import {
  type PagePosition,
  type SubmissionFilter,
  EVERYTHING,
} from '../../submissions/filter/submission-filter.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { SubmissionFinder, type FoundPage } from '../finder/submission-finder.js';
import { Clock } from '../../platform/kernel/time.js';
import { sampleSubmission } from '../../submissions/model/sample-submission.js';

/** A page of submissions, newest first, and the number on all pages. */
export interface SubmissionPage extends FoundPage {
  form: Form;
  /** Those of `ids` that are on hold. */
  held: Buffer[];
  /** Reads the submissions of the page, some at a time. */
  submissions: () => AsyncGenerator<SubmissionInFull[]>;
}

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
    const { ids } = await this.list(principal, identifier, filter, position);
    const [id] = ids;
    return id ? this.submissions.show(principal, identifier, id) : null;
  }
}

/** Where a sample says that it comes from. */
const ORIGIN = 'https://example.com';

/** A submission to show what a form makes of it. */
export interface Example {
  full: SubmissionInFull;
  isSample: boolean;
}
