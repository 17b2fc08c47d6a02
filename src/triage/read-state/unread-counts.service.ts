import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { FormQueries, type FormSummary, type Slice } from '../../forms/form-queries.service.js';
import { UnreadCountsRepository, readerOf } from './read-state.repository.js';

/** Unread submissions of a form are counted up to this number for programs: counting all would read all. */
export const UNREAD_MAX = 100;

/** How many submissions of a form are new and unread; at UNREAD_MAX there may be more. */
export interface UnreadCount {
  form: FormSummary;
  unread: number;
}

/** The counts of all forms, or of one page's forms. */
interface UnreadPage {
  counts: UnreadCount[];
  page: Slice | null;
  total: number;
}

/** Counts what is new and unread for whoever asks. */
@Injectable()
export class UnreadCounts {
  constructor(
    private readonly lists: FormQueries,
    private readonly unread: UnreadCountsRepository,
  ) {}

  /** Counts it for each of these forms, which are in the scope. @param max of a form; from there on there may be more */
  async of(principal: Principal, forms: readonly FormSummary[], max = UNREAD_MAX): Promise<UnreadCount[]> {
    const ids = forms.map(({ id }) => id);
    const counts = await this.unread.count(readerOf(principal), ids, max);
    return forms.map((form) => ({ form, unread: counts.get(form.id) ?? 0 }));
  }

  /**
   * Counts it for each form in the scope, or for one page's forms.
   * @param page null for all forms; where they are more than FEW_FORMS, for `first`
   * @returns also of which page that is, null for all forms, and how many forms there are
   */
  async list(principal: Principal, page: Slice | null, first: Slice): Promise<UnreadPage> {
    const few = page ? null : await this.lists.few(principal);
    if (few) return { counts: await this.of(principal, few), page: null, total: few.length };
    const shown = page ?? first;
    const counts = await this.of(principal, await this.lists.list(principal, shown));
    return { counts, page: shown, total: await this.lists.count(principal) };
  }
}
