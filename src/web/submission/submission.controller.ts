import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Allows } from '../../accounts/access/index.js';
import { formatUuid } from '../../platform/index.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { TimelineService } from '../../triage/timeline/timeline.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { cookieOf, ZONE_COOKIE, type Undo } from '../layout/cookies.js';
import { isTicked, textOf, type Typed, checked } from '../parts/index.js';
import { inboxAddress, inboxOf, submissionAddress, NEW } from '../addresses/folders.js';
import { flashOf, LOOK, Looks, personIn } from '../rows/rows.js';
import { lineOf, Neighbours, SubmissionViews } from './submission-views.js';
import { SubmissionPage } from './submission.page.js';
import { goTo, NOTHING, page, attempt, Asked, type PageInput, WebController } from '../kit/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Confirmations } from '../../submissions/confirmations/confirmations.service.js';
import { SubmissionMarks } from '../../submissions/submission-marks.service.js';
import { RepeatsService } from '../../submissions/repeats/repeats.service.js';
import { UuidParam } from '../../platform/http/index.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { CreateNoteDto } from '../../triage/notes/note.dto.js';
import { withMention } from '../../triage/notes/mentions.js';
import { NotesService } from '../../triage/notes/notes.service.js';
import { ReplaceTagsDto } from '../../triage/marks/marks.dto.js';

const NO_ID = Buffer.alloc(0);

/** Serves the page of a submission. */
@WebController('inbox/:identifier/:id')
export class SubmissionPagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly folders: SubmissionMarks,
    private readonly erasure: ErasureService,
    private readonly triage: TriageService,
    private readonly verdicts: VerdictsService,
    private readonly timeline: TimelineService,
    private readonly views: SubmissionViews,
    private readonly neighbours: Neighbours,
    private readonly looks: Looks,
  ) {}

  /** Show a submission, between its neighbours in the filter that it was opened from. */
  @Get()
  @Allows('see')
  async show(@Asked() { principal, identifier, query, request, id }: PageInput) {
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
  async mark(@Asked() { principal, identifier, typed, request, id }: PageInput) {
    const folder = ticksOf(typed, ['spam', 'trash']);
    const marks = ticksOf(typed, ['done', 'starred', 'answered']);
    const line = lineOf(typed);
    const { submission } = await this.submissions.get(principal, identifier, id);
    const leaves = folder.spam ?? folder.trash ?? marks.done ?? false;
    const next = leaves && line !== null ? await this.neighbours.next(principal, line, submission.id) : null;
    // What was held is not held again, so nothing takes that back.
    const held = await this.verdicts.heldAmong(folder.spam === undefined ? [] : [submission.id]);
    if (folder.spam !== undefined || folder.trash !== undefined)
      await this.folders.mark(principal, identifier, id, folder);
    await this.triage.change(principal, identifier, id, marks);
    const here = submissionAddress(identifier, formatUuid(submission.id), line);
    if (isTicked(typed, 'undone')) {
      return goTo(here, 'changed_back');
    }
    const undo = leaves
      ? undoInList({ ...folder, ...marks }, submission.id, line)
      : undoHere({ ...folder, ...marks }, request.path, line);
    return goTo(next ?? here, flashOf({ ...folder, ...marks }), held.size === 0 ? undo : undefined);
  }

  /** Mark it as read or unread; what is unread again is left for the list. */
  @Post('read')
  @Allows('see')
  async read(@Asked() { principal, identifier, typed, id }: PageInput) {
    const read = isTicked(typed, 'read');
    await this.triage.change(principal, identifier, id, { read });
    if (read) return NOTHING;
    const undo = undoInList({ read }, id ?? NO_ID, lineOf(typed));
    return goTo(inboxAddress(textOf(typed, 'q')), 'is_unread', undo);
  }

  /** Erase it for good, with its files. */
  @Post('erase')
  @Allows('erase')
  async erase(@Asked() { principal, identifier, id }: PageInput) {
    await this.erasure.delete(principal, identifier, id);
    return goTo(inboxOf(identifier), 'erased');
  }
}

/** Without script nobody says later that it was looked at. A browser that only fetches ahead has not looked. */
function isOpenedWithoutScript(request: Request) {
  const purpose = request.get('Sec-Purpose') ?? request.get('Purpose') ?? '';
  return cookieOf(request, ZONE_COOKIE) === null && !purpose.includes('prefetch');
}

/** Returns the named boxes that were sent: ticked or not. */
function ticksOf<Name extends string>(typed: Typed | undefined, names: readonly Name[]) {
  const sent = names.filter((name) => typed && name in typed);
  return Object.fromEntries(sent.map((name) => [name, isTicked(typed, name)])) as Partial<Record<Name, boolean>>;
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

/** Addresses of pages that list calls. */
const PAGES_WITH_CALLS = /^(?:\/forms\/[\w-]+)?\/destinations\/[\da-f-]{36}$/;
const UNKNOWN_ID = Buffer.alloc(16);

/** Takes from the page of a submission its tags, notes and assignee, and what it waits for or failed at. */
@WebController('inbox/:identifier/:id')
export class TriagePagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly tags: TriageService,
    private readonly notes: NotesService,
    private readonly assignees: AssigneesService,
    private readonly views: SubmissionViews,
    private readonly confirmations: Confirmations,
    private readonly repeats: RepeatsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Change the tags that the page showed to those that were typed; what others changed meanwhile stays. */
  @Post('tags')
  @Allows('triage')
  async retag(@Asked() input: PageInput) {
    const { principal, identifier, typed, request, id } = input;
    const shown = typed && 'shown' in typed ? listIn(typed, 'shown') : null;
    return this.take(input, id, async () => {
      const { tags } = await checked(ReplaceTagsDto, { tags: listIn(typed, 'tags') });
      await this.tags.replace(principal, identifier, id, tags, shown);
      if (shown === null || isTicked(typed, 'undone')) return undefined;
      const back = { tags: shown.join(', '), shown: tags.join(', '), undone: 'true' };
      return { action: request.path, fields: Object.entries(back) };
    });
  }

  /** Write a note on it. */
  @Post('notes')
  @Allows('triage')
  async note(@Asked() input: PageInput) {
    const { principal, identifier, typed, id } = input;
    return this.take(input, id, async () => {
      const people = await this.assignees.choices(principal, identifier);
      const chosen = people.find(({ id: person }) => person === personIn(textOf(typed, 'mention')));
      const typedText = textOf(typed, 'note.text');
      const text = chosen ? withMention(typedText, chosen, people) : typedText;
      const { note } = await checked(CreateNoteDto, { note: { text } });
      await this.notes.add(principal, identifier, id, note.text);
      return undefined;
    });
  }

  /** Remove a note. */
  @Post('notes/:noteId/delete')
  @Allows('triage')
  async removeNote(@Asked() input: PageInput, @UuidParam('noteId') noteId: Buffer | null) {
    const { principal, identifier, request, id } = input;
    return this.take(input, id, async () => {
      await this.notes.remove(principal, identifier, id, noteId);
      const action = request.path.replace(/delete$/, 'restore');
      return { action, fields: [['undone', 'true']] };
    });
  }

  /** Put a removed note back. */
  @Post('notes/:noteId/restore')
  @Allows('triage')
  async restoreNote(@Asked() input: PageInput, @UuidParam('noteId') noteId: Buffer | null) {
    const { principal, identifier, id } = input;
    return this.take(input, id, async () => {
      await this.notes.restore(principal, identifier, id, noteId);
      return undefined;
    });
  }

  /** Assign it to whoever was chosen, and offer to take that back. */
  @Post('assignee')
  @Allows('triage')
  async assign(@Asked() { principal, identifier, typed, id }: PageInput) {
    const line = lineOf(typed);
    const chosen = personIn(textOf(typed, 'me') || textOf(typed, 'person'));
    const before = await this.assignees.assign(principal, identifier, id, chosen);
    const here = submissionAddress(identifier, formatUuid(id ?? UNKNOWN_ID), line);
    if (isTicked(typed, 'undone')) return goTo(here, 'changed_back');
    return goTo(here, chosen === null ? 'unassigned' : 'assigned', {
      action: `/inbox/${identifier}/${formatUuid(id ?? UNKNOWN_ID)}/assignee`,
      fields: [
        ['person', String(before ?? '')],
        ['undone', 'true'],
        ...(line === null ? [] : [['q', line] satisfies [string, string]]),
      ],
    });
  }

  /** Send what waits for its visitor to confirm. */
  @Post('confirm')
  @Allows('triage')
  async confirm(@Asked() { principal, identifier, id }: PageInput) {
    await this.confirmations.confirmByHand(principal, identifier, id);
    return goTo(`/inbox/${identifier}/${formatUuid(id ?? UNKNOWN_ID)}`, 'sent_anyway');
  }

  /** Make a submission of its own of one that was sent twice, and go there. */
  @Post('repeats/:repeat')
  @Allows('triage')
  async separate(@Asked() { principal, identifier, id }: PageInput, @UuidParam('repeat') repeat: Buffer | null) {
    const { submission } = await this.repeats.separate(principal, identifier, id, repeat);
    return goTo(`/inbox/${identifier}/${formatUuid(submission.id)}`, 'separated');
  }

  /** Try a delivery again now, and go back to where it was asked for: the submission, or a destination. */
  @Post('deliveries/:deliveryId/attempts')
  @Allows('triage')
  async tryNow(
    @Asked() { principal, identifier, typed, id }: PageInput,
    @UuidParam('deliveryId') deliveryId: Buffer | null,
  ) {
    const { form, submission } = await this.submissions.get(principal, identifier, id);
    await this.deliveries.tryNow(principal, form, submission.id, deliveryId ?? UNKNOWN_ID);
    const to = textOf(typed, 'to');
    const isFromCalls = PAGES_WITH_CALLS.test(to);
    const here = submissionAddress(identifier, formatUuid(submission.id), null);
    return goTo(isFromCalls ? `${to}#calls` : here, isFromCalls ? 'called_again' : 'tried');
  }

  /** Makes a change and leads back to the page; shows it again with what was typed when that breaks a rule. */
  private async take(
    { principal, identifier, typed }: PageInput,
    id: Buffer | null,
    change: () => Promise<Undo | undefined>,
  ) {
    const found = await this.submissions.get(principal, identifier, id);
    const line = lineOf(typed);
    return attempt(
      async () => {
        const undo = await change();
        const here = submissionAddress(identifier, formatUuid(found.submission.id), line);
        if (undo && line !== null) undo.fields.push(['q', line]);
        return goTo(here, isTicked(typed, 'undone') ? 'changed_back' : 'saved', undo);
      },
      async (problems) => {
        const view = await this.views.of(principal, found, line);
        return page(SubmissionPage, { ...view, problems, ...(typed && { typed }) });
      },
    );
  }
}

/** Returns the texts of a field that holds several, between commas. */
function listIn(typed: Typed | undefined, name: string) {
  const texts = textOf(typed, name).split(',');
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
