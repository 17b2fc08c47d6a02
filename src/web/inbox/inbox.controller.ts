import { Get, Post } from '@nestjs/common';
import { Allows } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { untilLeft } from '../../platform/http/sends/until-left.js';
import { formatUuid, parseUuid, timeOf } from '../../platform/kernel/uuid.js';
import { QUERY_MAX } from '../../search/pages/dto/submission-query.dto.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { SavedViewsService } from '../../saved-views/saved-views.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { BulkJobsService } from '../../jobs/queue/bulk-jobs.service.js';
import {
  filterPart,
  parseFilterLine,
  withParts,
  withMoments,
} from '../../submissions/filter/filter-line.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { UNREAD_MAX, UnreadCounts } from '../../triage/read-state/unread-counts.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { textOf } from '../parts/typed.js';
import { shownView } from '../saved-views/views.controller.js';
import { inboxAddress, NEW, onlyForm, searchIn } from '../addresses/folders.js';
import { InboxPage } from './inbox.page.js';
import { InboxRows, ROWS } from '../rows/rows.js';
import type { InboxRow } from '../rows/submission-table.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { goTo, page, refused, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** A page of the list, and where the next one begins. */
interface Listed {
  rows: InboxRow[];
  older: string | null;
  lookedTo: Date | null;
  matching: number | null | undefined;
  unclear: readonly string[];
}

/** Matching submissions are counted up to here: counting all would read all. */
const COUNTED_MAX = 10_000;
/** Held submissions are counted up to here. */
const HELD_MAX = 100;
/** Forms that are named where there are too many, and no submission. */
const FORMS_SHOWN = 10;
/** Jobs that the page names. */
const JOBS_MAX = 3;

/** Serves the list of submissions; its address is the filter. */
@WebController('inbox')
export class InboxController {
  constructor(
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
    private readonly lists: FormQueries,
    private readonly triage: TriageService,
    private readonly unread: UnreadCounts,
    private readonly rows: InboxRows,
    private readonly assignees: AssigneesService,
    private readonly verdicts: VerdictsService,
    private readonly views: SavedViewsService,
    private readonly jobs: BulkJobsService,
    private readonly config: Config,
  ) {}

  /**
   * List what a filter means, newest first; without one, what is new in all forms. The search field sends what was
   * typed, and `in`, where to look for it.
   */
  @Get()
  @Allows('see')
  async list(@Asked() { principal, query: sent, response }: PageInput): Promise<PageAnswer> {
    if ('in' in sent) {
      return goTo(inboxAddress(searchIn(textOf(sent, 'in'), textOf(sent, 'q').trim())));
    }
    const line = 'q' in sent ? textOf(sent, 'q').trim() : NEW;
    const before = parseUuid(textOf(sent, 'before').toLowerCase());
    const reading = this.read(principal, line, before, untilLeft(response));
    const [listed, beside, views, jobs] = await Promise.all([
      reading,
      this.beside(principal, line, reading),
      this.views.list(principal),
      this.openJobs(principal),
    ]);
    const isMember = principal.clientId === null;
    const hasApi = isMember && listed.unclear.length === 0;
    const shown = page(InboxPage, {
      ...listed,
      ...beside,
      before: before === null ? '' : formatUuid(before),
      line,
      apiUrl: hasApi ? apiUrlOf(this.config, principal, line, before, QUERY_MAX) : null,
      me: meOf(principal),
      views: views.map(shownView),
      unreadMax: UNREAD_MAX,
      heldMax: HELD_MAX,
      mayCreateForms: principal.has('forms:create'),
      mayImport: principal.has('forms:write') && principal.may('triage'),
      mayTriage: principal.may('triage'),
      mayExport: principal.may('export'),
      jobs,
    });
    return listed.unclear.length > 0 ? refused(shown) : shown;
  }

  /** Mark as read what came until the newest that was shown, in the forms of its filter. */
  @Post('read')
  @Allows('see')
  async readAll(@Asked() { principal, typed }: PageInput): Promise<PageAnswer> {
    const line = textOf(typed, 'q');
    const upTo = parseUuid(textOf(typed, 'up_to')) ?? undefined;
    const chosen = await this.formsOf(principal, line);
    for (const identifier of chosen ?? []) await this.triage.readAll(principal, identifier, upTo);
    return goTo(inboxAddress(line), chosen ? 'all_read' : 'nothing_read');
  }

  /** Returns what stands beside the list: the forms, what is unread and held in them, and to whom it can be assigned. */
  private async beside(principal: Principal, line: string, reading: Promise<Listed>) {
    // Asked for in the turn in which the list asks for them too, which is then one statement.
    const few = await this.lists.few(principal);
    const shown = few ?? (await this.someForms(principal, line, (await reading).rows));
    const [counts, choices, held] = await Promise.all([
      this.unread.of(principal, shown),
      this.choices(principal, onlyForm(line, shown, few === null)),
      few ? this.verdicts.countHeld(few, HELD_MAX) : null,
    ]);
    const forms = counts.map(({ form: { name, identifier }, unread }) => ({
      ...{ name, identifier, unread },
    }));
    return { forms, hasMoreForms: few === null, choices, held };
  }

  /** Returns the forms that a line names, and those of these rows; the first forms without any. */
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

  /** Returns the identifiers of the forms that a line names, `[null]` for all; null for a line that is unclear by now. */
  private async formsOf(principal: Principal, line: string): Promise<(string | null)[] | null> {
    try {
      const { forms } = await this.filters.read(principal, line);
      const isNamed = parseFilterLine(line, new Date()).forms.length > 0;
      return isNamed && forms ? forms.map(({ identifier }) => identifier) : [null];
    } catch (error) {
      if (error instanceof FilterUnclear) return null;
      throw error;
    }
  }

  /** Returns the forms that a line names, of many. */
  private async namedForms(principal: Principal, line: string): Promise<readonly FormSummary[]> {
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

  private async openJobs(principal: Principal) {
    const open = await this.jobs.listOpen(principal, JOBS_MAX);
    return open.map(({ id, exportFormId, done, total }) => {
      return { id: formatUuid(id), isExport: exportFormId !== null, done, total };
    });
  }

  private async read(
    principal: Principal,
    line: string,
    before: Buffer | null,
    unwanted: AbortSignal,
  ): Promise<Listed> {
    try {
      const selection = await this.filters.read(principal, line);
      const bound = before ? (['<', before] as const) : FROM_NEWEST;
      const found = await this.finder.findFor(principal, selection, {
        order: 'DESC',
        bound,
        limit: ROWS,
        unwanted,
      });
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
}

/**
 * Returns the address of the page of the API that has the same submissions; null for a line that is too long for it,
 * or that says `me`, which no token is.
 * @param max what the API takes of a filter, in characters
 */
function apiUrlOf(
  { baseUrl }: Config,
  { timeZone }: Principal,
  shown: string,
  before: Buffer | null,
  max: number,
): string | null {
  const line = withMoments(shown, new Date(), timeZone);
  const isOwn = parseFilterLine(line, new Date()).assigned.includes('me');
  if (line.length > max || isOwn) return null;
  const query = new URLSearchParams({
    q: line,
    per_page: String(ROWS),
    ...(before && { before: formatUuid(before) }),
  });
  return `${baseUrl}/api/v1/submissions?${query.toString()}`;
}
