import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import type { Form } from '../forms/model/form.entity.js';
import { SubmissionPages } from '../search/pages/submission-pages.service.js';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';

/** Newest submissions whose fields count. */
const NEWEST = 10;

/** Finds the fields that columns of a file may become. */
@Injectable()
export class FormFields {
  constructor(private readonly pages: SubmissionPages) {}

  /** Returns the names of the fields that a form has labels for, and of those that were sent lately. */
  async of(principal: Principal, { identifier, labels }: Form): Promise<string[]> {
    const names = new Set(labels.list.map(({ name }) => name));
    const filter = { ...EVERYTHING, spam: false, trash: false };
    const position = { page: 1, perPage: NEWEST, before: null, after: null };
    const page = await this.pages.list(principal, identifier, filter, position);
    for await (const some of page.submissions()) {
      for (const { submission } of some) {
        for (const { name } of submission.values.toText()) names.add(name);
      }
    }
    return [...names];
  }
}
