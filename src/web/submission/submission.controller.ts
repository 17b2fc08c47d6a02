import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Allows } from '../../access/access.decorators.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';
import { PresenceService } from '../../triage/presence/presence.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { TimelineService } from '../../triage/timeline/timeline.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { cookieOf, ZONE_COOKIE, type Flash, type Undo } from '../layout/flash.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { inboxAddress, inboxOf, submissionAddress, NEW } from '../addresses/folders.js';
import { LOOK, Looks } from '../rows/looks.js';
import { lineOf, SubmissionViews } from './submission-views.js';
import { SubmissionPage } from './submission.page.js';
import { goTo, NOTHING, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const NO_ID = Buffer.alloc(0);

/** Serves the page of a submission. */
@WebController('inbox/:identifier/:id')
export class SubmissionPagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly erasure: ErasureService,
    private readonly triage: TriageService,
    private readonly verdicts: VerdictsService,
    private readonly timeline: TimelineService,
    private readonly views: SubmissionViews,
    private readonly looks: Looks,
    private readonly present: PresenceService,
  ) {}

  /** Show a submission, between its neighbours in the filter that it was opened from. */
  @Get()
  @Allows('see')
  async show(
    @Asked() { principal, identifier, query, request, id }: PageInput,
  ): Promise<PageAnswer> {
    const goesOn = id !== null && (await this.looks.goesOn(principal, id, request.get(LOOK)));
    const found = goesOn
      ? await this.submissions.get(principal, identifier, id)
      : await this.submissions.show(principal, identifier, id);
    const marks = await this.triage.marksOn(principal, found.submission);
    if (!principal.isOnlyLooking && isOpenedWithoutScript(request)) {
      if (!marks.read) {
        await this.triage.change(principal, identifier, found.submission.id, { read: true });
        marks.read = true;
      }
      await this.timeline.noteLook(principal, found.submission);
    }
    return page(SubmissionPage, await this.views.of(principal, found, lineOf(query), marks));
  }

  /**
   * Change its marks or move it to another folder. Opened from a list, what leaves the list makes room for its
   * neighbour.
   */
  @Post('marks')
  @Allows('triage')
  async mark(
    @Asked() { principal, identifier, typed, request, id }: PageInput,
  ): Promise<PageAnswer> {
    const folder = ticksOf(typed, ['spam', 'trash']);
    const marks = ticksOf(typed, ['done', 'starred', 'answered']);
    const line = lineOf(typed);
    const { submission } = await this.submissions.get(principal, identifier, id);
    const leaves = folder.spam ?? folder.trash ?? marks.done ?? false;
    const next =
      leaves && line !== null ? await this.views.next(principal, line, submission.id) : null;
    // What was held is not held again, so nothing takes that back.
    const held = await this.verdicts.heldAmong(folder.spam === undefined ? [] : [submission.id]);
    const changed =
      folder.spam === undefined && folder.trash === undefined
        ? submission
        : (await this.submissions.mark(principal, identifier, id, folder)).submission;
    await this.triage.change(principal, identifier, id, marks);
    const here = submissionAddress(identifier, formatUuid(submission.id), line);
    if (isTicked(typed, 'undone')) {
      return goTo(here, 'changed_back');
    }
    const undo = leaves
      ? undoInList({ ...folder, ...marks }, submission.id, line)
      : undoHere({ ...folder, ...marks }, request.path, line);
    return goTo(next ?? here, flashOf(changed, marks), held.size === 0 ? undo : undefined);
  }

  /** Mark it as read or unread; what is unread again is left for the list. */
  @Post('read')
  @Allows('see')
  async read(@Asked() { principal, identifier, typed, id }: PageInput): Promise<PageAnswer> {
    const read = isTicked(typed, 'read');
    await this.triage.change(principal, identifier, id, { read });
    if (read) return NOTHING;
    const undo = undoInList({ read }, id ?? NO_ID, lineOf(typed));
    return goTo(inboxAddress(textOf(typed, 'q')), 'is_unread', undo);
  }

  /** Note that its page is open, or was left. */
  @Post('presence')
  @Allows('see')
  async presence(@Asked() { principal, identifier, typed, id }: PageInput): Promise<PageAnswer> {
    await this.present.note(principal, identifier, id, isTicked(typed, 'open'));
    return NOTHING;
  }

  /** Erase it for good, with its files. */
  @Post('erase')
  @Allows('erase')
  async erase(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    await this.erasure.delete(principal, identifier, id);
    return goTo(inboxOf(identifier), 'erased');
  }
}

/** Without script nobody says later that it was looked at. A browser that only fetches ahead has not looked. */
function isOpenedWithoutScript(request: Request): boolean {
  const purpose = request.get('Sec-Purpose') ?? request.get('Purpose') ?? '';
  return cookieOf(request, ZONE_COOKIE) === null && !purpose.includes('prefetch');
}

/** Returns the named boxes that were sent: ticked or not. */
function ticksOf<Name extends string>(
  typed: Typed | undefined,
  names: readonly Name[],
): Partial<Record<Name, boolean>> {
  const sent = names.filter((name) => typed && name in typed);
  return Object.fromEntries(sent.map((name) => [name, isTicked(typed, name)])) as Partial<
    Record<Name, boolean>
  >;
}

function flashOf(
  { trash, spam }: { trash: boolean; spam: boolean },
  { done, starred, answered }: { done?: boolean; starred?: boolean; answered?: boolean },
): Flash {
  if (done !== undefined) return done ? 'is_done' : 'is_open';
  if (starred !== undefined) return starred ? 'is_starred' : 'is_unstarred';
  if (answered !== undefined) return answered ? 'is_answered' : 'is_unanswered';
  return trash ? 'in_trash' : spam ? 'is_spam' : 'in_inbox';
}

/** Values that a button sent, by name. */
type Sent = Record<string, boolean>;

/** Returns the form that takes back what made the submission leave its list. */
function undoInList(sent: Sent, id: Buffer, line: string | null): Undo {
  const rest: Undo['fields'] = [
    ['undone', 'true'],
    ['q', line ?? NEW],
    ['id', formatUuid(id)],
  ];
  return { action: '/inbox/bulk', fields: [...opposite(sent), ...rest] };
}

/** Returns the form that takes a change back, and comes back to its page. */
function undoHere(sent: Sent, action: string, line: string | null): Undo {
  const rest: Undo['fields'] = line === null ? [] : [['q', line]];
  return { action, fields: [...opposite(sent), ['undone', 'true'], ...rest] };
}

function opposite(sent: Sent): Undo['fields'] {
  return Object.entries(sent).map(([name, value]) => [name, String(!value)]);
}
