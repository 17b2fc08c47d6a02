import { Injectable } from '@nestjs/common';
import { Hooks, Signals } from '../../platform/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { Delivery, PlannedDelivery } from '../../deliveries/model/delivery.entity.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { runStatements, UnitOfWork } from '../../platform/database/index.js';
import { NoteNotFound, SubmissionNotFound, TooManyNotes } from '../../submissions/model/submission.errors.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { MarksRepository } from '../marks/marks.repository.js';
import { PeopleDirectory } from '../assignees/assignees.service.js';
import { mentionsIn, type Mention } from './mentions.js';
import { NotesRepository } from './notes.repository.js';
import { RESTORABLE_MS, SubmissionNote } from './submission-note.entity.js';

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
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly marks: MarksRepository,
    private readonly notes: NotesRepository,
    private readonly hooks: Hooks,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Returns the notes of a submission, oldest first.
   * @throws FormNotFound, SubmissionNotFound
   */
  async list(principal: Principal, identifier: string, id: Buffer | null): Promise<NoteWithMentions[]> {
    const { submission } = await this.submissions.locate(principal, identifier, id);
    return this.of(principal, submission.id);
  }

  /** Returns the notes of a submission whose scope was checked already, oldest first. */
  async of(scope: Scope, submissionId: Buffer): Promise<NoteWithMentions[]> {
    return this.shownTo(scope, await this.notes.listFor(submissionId));
  }

  /** Counts the notes on submissions whose scope was checked already. */
  count(submissionIds: readonly Buffer[]) {
    return this.notes.countFor(submissionIds);
  }

  /**
   * Writes a note, and tells by mail whom it mentions: people who see the submission and are known to whoever writes.
   * @throws FormNotFound, SubmissionNotFound, TooManyNotes
   */
  async add(principal: Principal, identifier: string, id: Buffer | null, text: string): Promise<NoteWithMentions> {
    const form = await this.forms.get(principal, identifier);
    const people = await this.hooks.ask(PeopleDirectory).whoSees(principal, form.id);
    const mentions = mentionsIn(text, people);
    const told = people.filter((person) => person.isVerified && mentions.some(({ id }) => id === person.id));
    const { kind, id: writer } = principal.actor;
    const planned = told
      .filter((person) => kind !== 'person' || person.id !== writer)
      .map(({ email }): PlannedDelivery => ({ kind: 'mention', recipient: email }));
    const added = await this.unitOfWork.run(async (tx) => {
      const [submissionId] = id ? await this.marks.in(tx).lock(form.id, [id]) : [];
      if (!submissionId) throw new SubmissionNotFound();
      const notes = this.notes.in(tx);
      await assertRoom(notes, submissionId);
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
    const directory = this.hooks.ask(PeopleDirectory);
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
   * Removes a note: those who act for a client only their own, members of the account any. It can be put back for ten
   * minutes.
   * @throws FormNotFound, SubmissionNotFound, NoteNotFound
   */
  async remove(principal: Principal, identifier: string, id: Buffer | null, noteId: Buffer | null) {
    await this.changeWithin(principal, identifier, id, async (notes, submissionId) => {
      const note = noteId && (await notes.find(submissionId, noteId));
      if (!note || !mayRemove(principal, note)) throw new NoteNotFound();
      await notes.setRemoved(note, this.unitOfWork.now());
      return note;
    });
  }

  /**
   * Puts a note back that was removed within the last ten minutes; whoever may remove it may do so.
   * @throws FormNotFound, SubmissionNotFound, NoteNotFound, TooManyNotes
   */
  async restore(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    noteId: Buffer | null,
  ): Promise<NoteWithMentions> {
    const since = new Date(this.unitOfWork.now().getTime() - RESTORABLE_MS);
    const restored = await this.changeWithin(principal, identifier, id, async (notes, submissionId) => {
      const note = noteId && (await notes.findRemoved(submissionId, noteId, since));
      if (!note || !mayRemove(principal, note)) throw new NoteNotFound();
      await assertRoom(notes, submissionId);
      await notes.setRemoved(note, null);
      return note;
    });
    const [shown] = await this.shownTo(principal, [restored]);
    if (!shown) throw new NoteNotFound();
    return shown;
  }

  /** Changes a note while its submission is locked, and tells those who listen. */
  private async changeWithin(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    change: (notes: NotesRepository, submissionId: Buffer) => Promise<SubmissionNote>,
  ) {
    const form = await this.forms.get(principal, identifier);
    const note = await this.unitOfWork.run(async (tx) => {
      const [submissionId] = id ? await this.marks.in(tx).lock(form.id, [id]) : [];
      if (!submissionId) throw new SubmissionNotFound();
      return change(this.notes.in(tx), submissionId);
    });
    this.signals.give(FORM_TOPICS.changed, form.id);
    return note;
  }

  /** Leaves out whom the reader does not know. */
  private async shownTo(scope: Scope, notes: SubmissionNote[]): Promise<NoteWithMentions[]> {
    const ids = idsIn(notes);
    const known = ids.length === 0 ? null : await this.hooks.ask(PeopleDirectory).byIds(scope, ids);
    const isKnown = ({ id }: Mention) => scope.clientId === null || known?.has(id) === true;
    return notes.map((note) => ({ note, mentions: note.readMentions().filter(isKnown) }));
  }
}

function idsIn(notes: readonly SubmissionNote[]) {
  return [...new Set(notes.flatMap((note) => note.readMentions().map(({ id }) => id)))];
}

/** @throws TooManyNotes when the submission has room for none */
async function assertRoom(notes: NotesRepository, submissionId: Buffer) {
  if ((await notes.countFor([submissionId])) >= NOTES_MAX) throw new TooManyNotes(NOTES_MAX);
}

/** Tells whether this note may be removed by whoever may triage. */
export function mayRemove({ clientId, reader }: Principal, note: SubmissionNote) {
  return clientId === null || note.isBy(reader);
}
