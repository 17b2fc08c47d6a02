import { Get, Post } from '@nestjs/common';
import { Allows } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { untilLeft } from '../../platform/http/sends/until-left.js';
import { formatUuid, parseUuid, uuidOf } from '../../platform/kernel/uuid.js';
import { QUERY_MAX } from '../../search/pages/dto/submission-query.dto.js';
import { SavedViewsService } from '../../saved-views/saved-views.service.js';
import { BulkJobsService } from '../../jobs/queue/bulk-jobs.service.js';
import { parseFilterLine, withMoments } from '../../submissions/filter/filter-line.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { UNREAD_MAX } from '../../triage/read-state/unread-counts.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { textOf } from '../parts/typed.js';
import { shownView } from '../saved-views/views.controller.js';
import { inboxAddress, NEW, searchIn } from '../addresses/folders.js';
import { InboxPage } from './inbox.page.js';
import { ROWS } from '../rows/rows.js';
import { goTo, page, refused, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { HELD_MAX, InboxList } from './inbox-list.js';

/** Jobs that the page names. */
const JOBS_MAX = 3;

/** Serves the list of submissions; its address is the filter. */
@WebController('inbox')
export class InboxController {
  constructor(
    private readonly inbox: InboxList,
    private readonly filters: FilterLines,
    private readonly triage: TriageService,
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
    const before = uuidOf(textOf(sent, 'before'));
    const reading = this.inbox.read(principal, line, before, untilLeft(response));
    const [listed, beside, views, jobs] = await Promise.all([
      reading,
      this.inbox.beside(principal, line, reading),
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

  private async openJobs(principal: Principal) {
    const open = await this.jobs.listOpen(principal, JOBS_MAX);
    return open.map(({ id, exportFormId, done, total }) => {
      return { id: formatUuid(id), isExport: exportFormId !== null, done, total };
    });
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
