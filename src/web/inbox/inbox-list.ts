import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { formatUuid, timeOf } from '../../platform/index.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { filterPart, parseFilterLine, withParts } from '../../submissions/filter/filter-line.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { UnreadCounts } from '../../triage/read-state/unread-counts.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { inboxAddress, onlyForm } from '../addresses/folders.js';
import { InboxRows, ROWS } from '../rows/rows.js';
import type { InboxRow } from '../rows/submission-table.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { COUNTED_MAX } from './bulk.js';

/** A page of the list, and where the next one begins. */
interface Listed {
  rows: InboxRow[];
  older: string | null;
  lookedTo: Date | null;
  matching: number | null | undefined;
  unclear: readonly string[];
}

/** Forms that are named where there are too many, and no submission. */
const FORMS_SHOWN = 10;

/** Reads a page of the list, and what stands beside it. */
@Injectable()
export class InboxList {
  constructor(
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
    private readonly lists: FormQueries,
    private readonly unread: UnreadCounts,
    private readonly rows: InboxRows,
    private readonly assignees: AssigneesService,
    private readonly verdicts: VerdictsService,
  ) {}

  /** Returns what a line means, up to a page of it. */
  async read(principal: Principal, line: string, before: Buffer | null, unwanted: AbortSignal): Promise<Listed> {
    try {
      const selection = await this.filters.read(principal, line);
      const bound = before ? (['<', before] as const) : FROM_NEWEST;
      const found = await this.finder.findFor(principal, selection, { order: 'DESC', bound, limit: ROWS, unwanted });
      const older = found.next ? inboxAddress(line, formatUuid(found.next)) : null;
      const hasMore = older !== null || before !== null;
      const [rows, matching] = await Promise.all([
        this.rows.of(principal, found.ids, this.inbox.read(selection, found.ids)),
        hasMore ? this.finder.countQuickly(selection, COUNTED_MAX) : undefined,
      ]);
      const lookedTo = found.searchedTo && timeOf(found.searchedTo);
      return { rows, older, lookedTo, matching, unclear: [] };
    } catch (error) {
      if (!(error instanceof FilterUnclear)) throw error;
      return { rows: [], older: null, lookedTo: null, matching: undefined, unclear: error.parts };
    }
  }

  /** Returns what stands beside the list: the forms, what is unread and held in them, and to whom it can be assigned. */
  async beside(principal: Principal, line: string, reading: Promise<Listed>) {
    // Asked for in the turn in which the list asks for them too, which is then one statement.
    const few = await this.lists.few(principal);
    const shown = few ?? (await this.someForms(principal, line, (await reading).rows));
    const [counts, choices, held] = await Promise.all([
      this.unread.of(principal, shown, COUNTED_MAX),
      this.choices(principal, onlyForm(line, shown, few === null)),
      few ? this.verdicts.countHeld(few, COUNTED_MAX) : null,
    ]);
    const forms = counts
      .map(({ form: { name, identifier }, unread }) => ({ name, identifier, unread }))
      .sort((one, other) => other.unread - one.unread);
    return { forms, hasMoreForms: few === null, choices, held };
  }

  /** Returns the forms that a line names, and these rows' forms; the first forms without any. */
  private async someForms(
    principal: Principal,
    line: string,
    rows: readonly InboxRow[],
  ): Promise<readonly FormSummary[]> {
    const named = await this.namedForms(principal, line);
    const ofRows = rows.map(({ form }) => form.identifier);
    const identifiers = new Set([...named.map(({ identifier }) => identifier), ...ofRows]);
    const forms = await this.lists.identified(principal, [...identifiers]);
    return forms.length > 0 ? forms : this.lists.after(principal, 0, FORMS_SHOWN);
  }

  /** Returns the forms that a line names, of many. */
  private async namedForms(principal: Principal, line: string) {
    const { forms } = parseFilterLine(line, new Date());
    if (forms.length === 0) return [];
    try {
      const parts = forms.map((name) => filterPart('form', name));
      return (await this.filters.read(principal, withParts('', 'form', parts))).forms ?? [];
    } catch (error) {
      if (error instanceof FilterUnclear) return [];
      throw error;
    }
  }

  /** Returns to whom what is shown can be assigned. */
  private async choices(principal: Principal, form: { identifier: string } | null) {
    if (!principal.may('triage')) return [];
    return this.assignees.choices(principal, form?.identifier ?? null);
  }
}
