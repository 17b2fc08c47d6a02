import { Injectable } from '@nestjs/common';
import { In, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { SubmissionNote } from './submission-note.entity.js';

/** Reads and writes notes. */
@Injectable()
export class NotesRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): NotesRepository {
    return new NotesRepository({ manager: tx });
  }

  private get notes(): Repository<SubmissionNote> {
    return this.source.manager.getRepository(SubmissionNote);
  }

  /** Returns the notes of a submission, oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionNote[]> {
    return this.notes.find({ where: { submissionId }, order: { id: 'ASC' } });
  }

  countFor(submissionIds: readonly Buffer[]): Promise<number> {
    return this.notes.countBy({ submissionId: In([...submissionIds]) });
  }

  find(submissionId: Buffer, id: Buffer): Promise<SubmissionNote | null> {
    return this.notes.findOneBy({ submissionId, id });
  }

  async insert(note: SubmissionNote): Promise<void> {
    await this.notes.insert(note);
  }

  async remove({ id }: SubmissionNote): Promise<void> {
    await this.notes.delete({ id });
  }

  /** Removes the notes of submissions that are being removed. */
  async forget(submissionIds: readonly Buffer[]): Promise<void> {
    await this.notes.delete({ submissionId: In([...submissionIds]) });
  }
}
