import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Confirmations } from '../../submissions/confirmations/confirmations.service.js';
import { RepeatsService } from '../../submissions/repeats/repeats.service.js';
import { Param, Post } from '@nestjs/common';
import { Allows } from '../../access/access.decorators.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { CreateNoteDto } from '../../triage/notes/dto/note.dto.js';
import { withMention } from '../../triage/notes/mentions.js';
import { NotesService } from '../../triage/notes/notes.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { ReplaceTagsDto } from '../../triage/marks/dto/tags.dto.js';
import { TagsService } from '../../triage/marks/tags.service.js';
import type { Undo } from '../layout/flash.js';
import { checked, isTicked, textOf, type Typed } from '../parts/typed.js';
import { personIn } from '../rows/changes.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf, SubmissionViews } from './submission-views.js';
import { SubmissionPage } from './submission.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Addresses of pages that list calls. */
const PAGES_WITH_CALLS = /^(?:\/forms\/[\w-]+)?\/(?:webhook|destinations\/[\da-f-]{36})$/;
const NO_ID = Buffer.alloc(16);

/** Takes from the page of a submission its tags, notes and assignee, and what it waits for or failed at. */
@WebController('inbox/:identifier/:id')
export class TriagePagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly tags: TagsService,
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
  async retag(@Asked() input: PageInput): Promise<PageAnswer> {
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
  async note(@Asked() input: PageInput): Promise<PageAnswer> {
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
  async removeNote(
    @Asked() input: PageInput,
    @Param('noteId', Uuid) noteId: Buffer | null,
  ): Promise<PageAnswer> {
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
  async restoreNote(
    @Asked() input: PageInput,
    @Param('noteId', Uuid) noteId: Buffer | null,
  ): Promise<PageAnswer> {
    const { principal, identifier, id } = input;
    return this.take(input, id, async () => {
      await this.notes.restore(principal, identifier, id, noteId);
      return undefined;
    });
  }

  /** Assign it to whoever was chosen, and offer to take that back. */
  @Post('assignee')
  @Allows('triage')
  async assign(@Asked() { principal, identifier, typed, id }: PageInput): Promise<PageAnswer> {
    const line = lineOf(typed);
    const chosen = personIn(textOf(typed, 'me') || textOf(typed, 'person'));
    const before = await this.assignees.assign(principal, identifier, id, chosen);
    const here = submissionAddress(identifier, formatUuid(id ?? NO_ID), line);
    if (isTicked(typed, 'undone')) return goTo(here, 'changed_back');
    return goTo(here, chosen === null ? 'unassigned' : 'assigned', {
      action: `/inbox/${identifier}/${formatUuid(id ?? NO_ID)}/assignee`,
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
  async confirm(@Asked() { principal, identifier, id }: PageInput): Promise<PageAnswer> {
    await this.confirmations.confirmByHand(principal, identifier, id);
    return goTo(`/inbox/${identifier}/${formatUuid(id ?? NO_ID)}`, 'sent_anyway');
  }

  /** Make a submission of its own of one that was sent twice, and go there. */
  @Post('repeats/:repeat')
  @Allows('triage')
  async separate(
    @Asked() { principal, identifier, id }: PageInput,
    @Param('repeat', Uuid) repeat: Buffer | null,
  ): Promise<PageAnswer> {
    const { submission } = await this.repeats.separate(principal, identifier, id, repeat);
    return goTo(`/inbox/${identifier}/${formatUuid(submission.id)}`, 'separated');
  }

  /** Try a delivery again now, and go back to where it was asked for: the submission, a webhook or a destination. */
  @Post('deliveries/:deliveryId/attempts')
  @Allows('triage')
  async tryNow(
    @Asked() { principal, identifier, typed, id }: PageInput,
    @Param('deliveryId', Uuid) deliveryId: Buffer | null,
  ): Promise<PageAnswer> {
    const { form, submission } = await this.submissions.get(principal, identifier, id);
    await this.deliveries.tryNow(principal, form, submission.id, deliveryId ?? NO_ID);
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
  ): Promise<PageAnswer> {
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
function listIn(typed: Typed | undefined, name: string): string[] {
  const texts = textOf(typed, name).split(',');
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
