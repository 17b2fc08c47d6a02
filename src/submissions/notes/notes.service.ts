import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../../access/principal.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { Delivery, PlannedDelivery } from '../../deliveries/delivery.entity.js';
import type { Form } from '../../forms/form.entity.js';
import { FORM_TOPICS } from '../../forms/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { runStatements } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Signals } from '../../platform/signals/signals.js';
import { NoteNotFound, SubmissionNotFound, TooManyNotes } from '../submission.errors.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { MarksRepository } from '../triage/marks.repository.js';
import { Colleagues } from '../assignees/colleagues.js';
import { mentionsIn, type Mention } from './mentions.js';
import { NotesRepository } from './notes.repository.js';
import { SubmissionNote } from './submission-note.entity.js';

/** A note, and whom it mentions as far as the reader knows them. */
export interface NoteWithMentions {
  note: SubmissionNote;
  mentions: Mention[];
}

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
    private readonly colleagues: Colleagues,
    private readonly deliveries: DeliveriesService,
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
  ): Promise<NoteWithMentions[]> {
    const form = await this.forms.get(principal, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return this.shownTo(principal, await this.notes.listFor(submission.id));
  }

  /** Counts the notes on submissions whose scope was checked already. */
  count(submissionIds: readonly Buffer[]): Promise<number> {
    return this.notes.countFor(submissionIds);
  }

  /**
   * Writes a note, and tells by mail whom it mentions: people who see the submission and are known to whoever writes.
   * @throws FormNotFound, SubmissionNotFound, TooManyNotes
   */
  async add(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    text: string,
  ): Promise<NoteWithMentions> {
    const form = await this.forms.get(principal, identifier);
    const people = await this.colleagues.directory.whoSees(principal, form.id);
    const mentions = mentionsIn(text, people);
    const told = people.filter(
      (person) => person.isVerified && mentions.some(({ id }) => id === person.id),
    );
    const { kind, id: writer } = principal.actor;
    const planned = told
      .filter((person) => kind !== 'person' || person.id !== writer)
      .map(({ email }): PlannedDelivery => ({ kind: 'mention', recipient: email }));
    const added = await this.unitOfWork.run(async (tx) => {
      const [submissionId] = id ? await this.marks.in(tx).lock(form.id, [id]) : [];
      if (!submissionId) throw new SubmissionNotFound();
      const notes = this.notes.in(tx);
      if ((await notes.listFor(submissionId)).length >= NOTES_MAX)
        throw new TooManyNotes(NOTES_MAX);
      const note = SubmissionNote.create(form.id, submissionId, principal.actor, text, mentions);
      await notes.insert(note);
      const entry = { formId: form.id, submissionId, planned };
      await runStatements(tx, this.deliveries.outboxInserts([entry]));
      return note;
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    this.deliveries.wakeWorker();
    return { note: added, mentions };
  }

  /**
   * Finds the note that a mail about a mention is to tell of: the last before it was planned.
   * @returns null when it is removed, or its reader does not see the form any more
   */
  async findMentioning(
    { id: formId, accountId }: Pick<Form, 'id' | 'accountId'>,
    { id, submissionId, recipient }: Pick<Delivery, 'id' | 'submissionId' | 'recipient'>,
  ): Promise<SubmissionNote | null> {
    const { directory } = this.colleagues;
    const scope = { accountId, clientId: null };
    const notes = submissionId ? await this.notes.listFor(submissionId) : [];
    for (const note of notes.filter((each) => each.id.compare(id) < 0).reverse()) {
      const people = await directory.byIds(scope, idsIn([note]));
      for (const { id: personId, email } of people.values()) {
        if (email !== recipient) continue;
        const seen = await directory.seenBy(scope, personId, [formId]);
        return seen?.includes(formId) ? note : null;
      }
    }
    return null;
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

  /** Leaves out whom the reader does not know. */
  private async shownTo(scope: Scope, notes: SubmissionNote[]): Promise<NoteWithMentions[]> {
    const ids = idsIn(notes);
    const known = ids.length === 0 ? null : await this.colleagues.directory.byIds(scope, ids);
    const isKnown = ({ id }: Mention) => scope.clientId === null || known?.has(id) === true;
    return notes.map((note) => ({ note, mentions: note.readMentions().filter(isKnown) }));
  }

  /** Removes the notes of submissions in the transaction that removes the submissions. */
  forget(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.notes.in(tx).forget(submissionIds);
  }
}

function idsIn(notes: readonly SubmissionNote[]): number[] {
  return [...new Set(notes.flatMap((note) => note.readMentions().map(({ id }) => id)))];
}

/** Tells whether this note may be removed by whoever may triage. */
export function mayRemove({ clientId, reader }: Principal, note: SubmissionNote): boolean {
  return clientId === null || note.isBy(reader);
}
