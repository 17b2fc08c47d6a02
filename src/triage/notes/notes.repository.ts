import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/index.js';
import { SubmissionNote } from './submission-note.entity.js';

/** Reads and writes notes. */
@Injectable()
export class NotesRepository extends TransactionalRepository {
  private readonly notes = this.rowsOf(SubmissionNote);

  /** Returns the notes of a submission, oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionNote[]> {
    return this.notes.find({ where: { submissionId, removedAt: IsNull() }, order: { id: 'ASC' } });
  }

  countFor(submissionIds: readonly Buffer[]) {
    return this.notes.countBy({ submissionId: In([...submissionIds]), removedAt: IsNull() });
  }

  find(submissionId: Buffer, id: Buffer): Promise<SubmissionNote | null> {
    return this.notes.findOneBy({ submissionId, id, removedAt: IsNull() });
  }

  /** Finds a note that was removed since then. */
  findRemoved(submissionId: Buffer, id: Buffer, since: Date): Promise<SubmissionNote | null> {
    return this.notes.findOneBy({ submissionId, id, removedAt: MoreThanOrEqual(since) });
  }

  async insert(note: SubmissionNote) {
    await this.notes.insert(note);
  }

  async setRemoved({ id }: SubmissionNote, removedAt: Date | null) {
    await this.notes.update({ id }, { removedAt });
  }
}
