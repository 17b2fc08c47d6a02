import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/index.js';
import { SubmissionRepeat } from './submission-repeat.entity.js';

/** Reads and removes what was sent twice. The intake stores it. */
@Injectable()
export class RepeatsRepository extends TransactionalRepository {
  private readonly repeats = this.rowsOf(SubmissionRepeat);

  /** Lists a submission's repeats, oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionRepeat[]> {
    return this.repeats.find({ where: { submissionId }, order: { id: 'ASC' } });
  }

  find(submissionId: Buffer, id: Buffer): Promise<SubmissionRepeat | null> {
    return this.repeats.findOneBy({ submissionId, id });
  }

  async remove(id: Buffer) {
    await this.repeats.delete({ id });
  }
}
