import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { FORM_TOPICS } from '../../forms/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Signals } from '../../platform/signals/signals.js';
import { NoteNotFound, SubmissionNotFound, TooManyNotes } from '../submission.errors.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { MarksRepository } from '../triage/marks.repository.js';
import { NotesRepository } from './notes.repository.js';
import { SubmissionNote } from './submission-note.entity.js';

/** Most notes on one submission. */
const NOTES_MAX = 200;

/** Keeps what people write on submissions for one another. */
@Injectable()
export class NotesService {
  constructor(
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsRepository,
    private readonly marks: MarksRepository,
    private readonly notes: NotesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Returns the notes of a submission, oldest first.
   * @throws FormNotFound, SubmissionNotFound
   */
  async list(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
  ): Promise<SubmissionNote[]> {
    const form = await this.forms.get(principal, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return this.notes.listFor(submission.id);
  }

  /** Counts the notes on submissions whose scope was checked already. */
  count(submissionIds: readonly Buffer[]): Promise<number> {
    return this.notes.countFor(submissionIds);
  }

  /** @throws FormNotFound, SubmissionNotFound, TooManyNotes */
  async add(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    text: string,
  ): Promise<SubmissionNote> {
    const form = await this.forms.get(principal, identifier);
    const added = await this.unitOfWork.run(async (tx) => {
      const [submissionId] = id ? await this.marks.in(tx).lock(form.id, [id]) : [];
      if (!submissionId) throw new SubmissionNotFound();
      const notes = this.notes.in(tx);
      if ((await notes.listFor(submissionId)).length >= NOTES_MAX)
        throw new TooManyNotes(NOTES_MAX);
      const note = SubmissionNote.create(form.id, submissionId, principal.actor, text);
      await notes.insert(note);
      return note;
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    return added;
  }

  /**
   * Removes a note: those who act for a client only their own, members of the account any.
   * @throws FormNotFound, SubmissionNotFound, NoteNotFound
   */
  async remove(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    noteId: Buffer | null,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.unitOfWork.run(async (tx) => {
      const [submissionId] = id ? await this.marks.in(tx).lock(form.id, [id]) : [];
      if (!submissionId) throw new SubmissionNotFound();
      const note = noteId && (await this.notes.in(tx).find(submissionId, noteId));
      if (!note || !mayRemove(principal, note)) throw new NoteNotFound();
      await this.notes.in(tx).remove(note);
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
  }

  /** Removes the notes of submissions in the transaction that removes the submissions. */
  forget(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.notes.in(tx).forget(submissionIds);
  }
}

/** Tells whether this note may be removed by whoever may triage. */
export function mayRemove({ clientId, reader }: Principal, note: SubmissionNote): boolean {
  return clientId === null || note.isBy(reader);
}
