import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import type { PagePosition, SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { keyOf } from '../../submissions/rows/byte-pieces.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { SubmissionFinder, type FoundPage } from '../finder/submission-finder.js';

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
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
    private readonly verdicts: VerdictsService,
    private readonly finder: SubmissionFinder,
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
}
