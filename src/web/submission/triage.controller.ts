import { Body, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { CreateNoteDto } from '../../triage/notes/dto/note.dto.js';
import { withMention } from '../../triage/notes/mentions.js';
import { NotesService } from '../../triage/notes/notes.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { ReplaceTagsDto } from '../../triage/marks/dto/tags.dto.js';
import { TagsService } from '../../triage/marks/tags.service.js';
import { redirect, type Undo } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { personIn } from '../rows/changes.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf, SubmissionViews } from './submission-views.js';
import { SubmissionPage } from './submission.page.js';

/** A submission by its address, and what was typed on its page. */
interface Sent {
  principal: Principal;
  identifier: string;
  id: Buffer | null;
  typed: Typed | undefined;
}

/** Takes the tags and notes of a submission from its page. */
@WebController('inbox/:identifier/:id')
export class TriagePagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly tags: TagsService,
    private readonly notes: NotesService,
    private readonly assignees: AssigneesService,
    private readonly views: SubmissionViews,
    private readonly frames: Frames,
  ) {}

  /** Change the tags that the page showed to those that were typed; what others changed meanwhile stays. */
  @Post('tags')
  @Allows('triage')
  async retag(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const shown = typed && 'shown' in typed ? listIn(typed, 'shown') : null;
    const sent = { principal, identifier, id, typed };
    await this.take(sent, request, response, async () => {
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
  async note(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = { principal, identifier, id, typed };
    await this.take(sent, request, response, async () => {
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
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('noteId', Uuid) noteId: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = { principal, identifier, id, typed };
    await this.take(sent, request, response, async () => {
      await this.notes.remove(principal, identifier, id, noteId);
      const action = request.path.replace(/delete$/, 'restore');
      return { action, fields: [['undone', 'true']] };
    });
  }

  /** Put a removed note back. */
  @Post('notes/:noteId/restore')
  @Allows('triage')
  async restoreNote(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('noteId', Uuid) noteId: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = { principal, identifier, id, typed };
    await this.take(sent, request, response, async () => {
      await this.notes.restore(principal, identifier, id, noteId);
      return undefined;
    });
  }

  /** Makes a change and leads back to the page; shows it again with what was typed when that breaks a rule. */
  private async take(
    { principal, identifier, id, typed }: Sent,
    request: Request,
    response: Response,
    change: () => Promise<Undo | undefined>,
  ): Promise<void> {
    const found = await this.submissions.get(principal, identifier, id);
    const line = lineOf(typed);
    let problems: FieldProblem[];
    try {
      const undo = await change();
      const here = submissionAddress(identifier, formatUuid(found.submission.id), line);
      if (undo && line !== null) undo.fields.push(['q', line]);
      redirect(response, here, isTicked(typed, 'undone') ? 'changed_back' : 'saved', undo);
      return;
    } catch (error) {
      problems = problemsOf(error);
    }
    const frame = await this.frames.of(request, response);
    const view = await this.views.of(principal, found, line);
    const page = SubmissionPage({ frame, ...view, problems, ...(typed && { typed }) });
    sendPage(response, page, UNPROCESSABLE);
  }
}

/** Returns the texts of a field that holds several, between commas. */
function listIn(typed: Typed | undefined, name: string): string[] {
  const texts = textOf(typed, name).split(',');
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
