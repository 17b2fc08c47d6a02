import { Injectable, Post, Get } from '@nestjs/common';
import { Allows, Principal } from '../../accounts/access/index.js';
import { formatUuid, parseUuid, uuidOf, Config } from '../../platform/index.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { meOf, FilterLines } from '../../search/lines/filter-lines.service.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import type { ExportFormat } from '../../jobs/exports/export-file.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { BulkService } from '../../jobs/changes/bulk.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import type { Flash, Undo } from '../layout/cookies.js';
import { isTicked, textOf, textsOf } from '../parts/index.js';
import { chosenIn, personIn, ROWS } from '../rows/rows.js';
import type { InboxRow } from '../rows/submission-table.js';
import { folderOf, inboxAddress, inFolder, NEW, searchIn } from '../addresses/folders.js';
import { EXPORT_FORMATS, filteredFile } from '../jobs/job.page.js';
import { goTo, NOTHING, page, refused, stayOr, Asked, type PageInput, WebController } from '../kit/index.js';
import { parseFilterLine, withMoments } from '../../submissions/filter/filter-line.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { PresenceService } from '../../triage/presence/presence.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { InboxPage, type InboxPageProps } from './inbox.page.js';
import { InboxList } from './inbox-list.js';
import type { Response } from 'express';
import { untilLeft } from '../../platform/http/index.js';
import { QUERY_MAX } from '../../search/pages/submission-list.dto.js';
import { SavedViewsService } from '../../people/saved-views/saved-views.service.js';
import { BulkJobsService } from '../../jobs/queue/bulk-jobs.service.js';
import { shownView } from '../saved-views/views.controller.js';

/** Jobs that the page names. */
const JOBS_MAX = 3;

/** Collects what the page of the list shows. */
@Injectable()
export class InboxPages {
  constructor(
    private readonly inbox: InboxList,
    private readonly views: SavedViewsService,
    private readonly jobs: BulkJobsService,
    private readonly config: Config,
  ) {}

  /** Returns what a line means, up to a page of it, and all that stands around it. */
  async of(principal: Principal, line: string, before: Buffer | null, response: Response): Promise<InboxPageProps> {
    const reading = this.inbox.read(principal, line, before, untilLeft(response));
    const [listed, beside, views, jobs] = await Promise.all([
      reading,
      this.inbox.beside(principal, line, reading),
      this.views.list(principal),
      this.openJobs(principal),
    ]);
    const isMember = principal.clientId === null;
    const hasApi = isMember && listed.unclear.length === 0;
    return {
      ...listed,
      ...beside,
      before: before === null ? '' : formatUuid(before),
      line,
      apiUrl: hasApi ? apiUrlOf(this.config, principal, line, before, QUERY_MAX) : null,
      me: meOf(principal),
      views: views.map(shownView),
      mayCreateForms: principal.has('forms:create'),
      mayImport: principal.has('forms:write') && principal.may('triage'),
      mayTriage: principal.may('triage'),
      mayExport: principal.may('export'),
      jobs,
    };
  }

  /**
   * Answers the script of an open list with what it does not show as it is by now: counts, what was changed, and the
   * rows that take its place.
   * @param shown ids of its rows
   * @param changed ids of what was changed
   */
  async shown({ principal, typed, response }: PageInput, shown: readonly string[], changed: readonly string[]) {
    const before = uuidOf(textOf(typed, 'before'));
    const props = await this.of(principal, textOf(typed, 'q'), before, response);
    const isNews = ({ id }: InboxRow) => changed.includes(id) || !shown.includes(id);
    return page(InboxPage, { ...props, rows: props.rows.filter(isNews) });
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
function apiUrlOf({ baseUrl }: Config, { timeZone }: Principal, shown: string, before: Buffer | null, max: number) {
  const line = withMoments(shown, new Date(), timeZone);
  const isOwn = parseFilterLine(line, new Date()).assigned.includes('me');
  if (line.length > max || isOwn) return null;
  const query = new URLSearchParams({ q: line, per_page: String(ROWS), ...(before && { before: formatUuid(before) }) });
  return `${baseUrl}/api/v1/submissions?${query.toString()}`;
}

/** Takes what is done with the selected submissions of a list. */
@WebController('inbox')
export class BulkPagesController {
  constructor(
    private readonly bulk: BulkService,
    private readonly inbox: InboxService,
    private readonly assignees: AssigneesService,
    private readonly verdicts: VerdictsService,
    private readonly pages: InboxPages,
  ) {}

  /**
   * Change the selected ones, and offer to take that back from those that were not so before; what was held stays
   * what it is called then. All that match are for a job, which is asked about first.
   */
  @Post('bulk')
  @Allows('see')
  async change(@Asked() input: PageInput) {
    const { principal, typed } = input;
    const shown = textOf(typed, 'shown').split(',');
    const selected = isTicked(typed, 'all') ? shown : textsOf(typed, 'id');
    const ids = selected.map(parseUuid).filter((id) => id !== null);
    const line = textOf(typed, 'q');
    const back = inboxAddress(line, textOf(typed, 'before'));
    const stay = (flash: Flash, undo?: Undo, to = back) =>
      stayOr({ to, flash, ...(undo && { undo }) }, () => this.pages.shown(input, shown, selected));
    const former = textsOf(typed, 'was');
    if (former.length > 0) {
      await this.assignAsBefore(principal, former);
      return stay('changed_back');
    }
    const format = EXPORT_FORMATS.find((each) => each === textOf(typed, 'export'));
    if (format && ids.length > 0) {
      return this.exportSelected(principal, ids.slice(0, ROWS), format, line);
    }
    const { changes, fields, inverse, flash } = chosenIn(typed, meOf(principal));
    if (isTicked(typed, 'all') && isTicked(typed, 'every') && fields.length > 0) {
      const asked = new URLSearchParams([['q', line], ...fields]);
      return goTo(`/new-job?${asked.toString()}`);
    }
    if (ids.length === 0 || Object.keys(changes).length === 0) {
      return goTo(back, ids.length === 0 ? 'nothing_selected' : 'nothing_chosen');
    }
    const before = await this.assignedBefore(ids, changes);
    const held = changes.spam === undefined ? null : await this.verdicts.heldAmong(ids);
    const changed = await this.bulk.change(principal, ids, changes);
    // What was held is sent once it is called no spam, so nothing brings it back.
    const revocable = changed.filter((id) => held?.has(keyOf(id)) !== true).map(formatUuid);
    const undo: Undo = {
      action: '/inbox/bulk',
      fields: [...inverse, ['undone', 'true'], ['q', line], ...revocable.map(before ?? idField)],
    };
    const isUndone = isTicked(typed, 'undone');
    const to = `${back}${nearest(shown, selected)}`;
    if (isUndone) return stay('changed_back', undefined, to);
    return stay(flash, revocable.length === 0 ? undefined : undo, to);
  }

  /** Leads to a file of the selected ones, which has to be of one form: its fields are the columns. */
  private async exportSelected(principal: Principal, ids: readonly Buffer[], format: ExportFormat, line: string) {
    const forms = await this.inbox.identifiersOf({ scope: principal, forms: null }, ids);
    const [identifier, ...others] = new Set(forms.values());
    if (identifier === undefined || others.length > 0) {
      return goTo(inboxAddress(line), 'several_forms');
    }
    const folder = folderOf(line);
    const isApart = folder === 'spam' || folder === 'trash';
    const q = inFolder(`id:${ids.map(formatUuid).join(',')}`, isApart ? folder : 'all');
    return goTo(filteredFile(identifier, format, q, principal.timeZone));
  }

  /** Returns the field that names a submission with the person it is assigned to so far; null when that stays. */
  private async assignedBefore(ids: readonly Buffer[], { assignee }: BulkChanges) {
    if (assignee === undefined) return null;
    const people = await this.assignees.idsOf(ids);
    return (id: string): [string, string] => {
      const key = parseUuid(id)?.toString('latin1') ?? '';
      return ['was', `${id}${WAS}${people.get(key) ?? ''}`];
    };
  }

  /** Assigns each to whom it was assigned before, as those fields say. */
  private async assignAsBefore(principal: Principal, former: readonly string[]) {
    const pairs = former.map((each) => each.split(WAS, 2));
    for (const person of new Set(pairs.map(([, before = '']) => before))) {
      const of = pairs.filter(([, before]) => before === person);
      const ids = of.map(([id = '']) => parseUuid(id)).filter((id) => id !== null);
      await this.bulk.change(principal, ids, { assignee: personIn(person) });
    }
  }
}

/** Divides the id of a submission from that of a person. */
const WAS = '.';

const idField = (id: string): [string, string] => ['id', id];

/** Names the row that takes the place of those that were selected: the one below, else the one above. */
function nearest(shown: readonly string[], selected: readonly string[]) {
  const last = Math.max(...selected.map((id) => shown.indexOf(id)));
  if (last < 0) return '';
  const isLeft = (id: string) => id !== '' && !selected.includes(id);
  const row = shown.slice(last + 1).find(isLeft) ?? shown.slice(0, last).findLast(isLeft);
  return row === undefined ? '' : `#s-${row}`;
}

/** Serves the list of submissions; its address is the filter. */
@WebController('inbox')
export class InboxController {
  constructor(
    private readonly pages: InboxPages,
    private readonly filters: FilterLines,
    private readonly triage: TriageService,
    private readonly present: PresenceService,
  ) {}

  /**
   * List what a filter means, newest first; without one, what is new in all forms. The search field sends what was
   * typed, and `in`, where to look for it.
   */
  @Get()
  @Allows('see')
  async list(@Asked() { principal, query: sent, response }: PageInput) {
    if ('in' in sent) {
      return goTo(inboxAddress(searchIn(textOf(sent, 'in'), textOf(sent, 'q').trim())));
    }
    const line = 'q' in sent ? textOf(sent, 'q').trim() : NEW;
    const shown = await this.pages.of(principal, line, uuidOf(textOf(sent, 'before')), response);
    const answer = page(InboxPage, shown);
    return shown.unclear.length > 0 ? refused(answer) : answer;
  }

  /** Mark as read what came until the newest that was shown, in the forms of its filter. */
  @Post('read')
  @Allows('see')
  async readAll(@Asked() { principal, typed }: PageInput) {
    const line = textOf(typed, 'q');
    const upTo = parseUuid(textOf(typed, 'up_to')) ?? undefined;
    const chosen = await this.formsOf(principal, line);
    for (const identifier of chosen ?? []) await this.triage.readAll(principal, identifier, upTo);
    return goTo(inboxAddress(line), chosen ? 'all_read' : 'nothing_read');
  }

  /** Note that a submission is open, and perhaps read by that, or was left; and which other one was left for it. */
  @Post(':identifier/:id/presence')
  @Allows('see')
  async presence(@Asked() input: PageInput) {
    const { principal, identifier, typed, id } = input;
    const [form = '', left = ''] = textOf(typed, 'left').split('/');
    // What is gone was left too.
    if (form !== '') await this.present.note(principal, form, parseUuid(left), false).catch(() => undefined);
    await this.present.note(principal, identifier, id, isTicked(typed, 'open'));
    if (!isTicked(typed, 'read')) return NOTHING;
    await this.triage.change(principal, identifier, id, { read: true });
    if (!typed || !('shown' in typed) || !id) return NOTHING;
    return this.pages.shown(input, textOf(typed, 'shown').split(','), [formatUuid(id)]);
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
}
