import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { insertStatement, runStatements } from '../../platform/database/statement.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { encodeReceived, type Received } from './received.js';

/** Columns of a batch that has nothing for the index of values. */
const COLUMNS = ['id', 'submission_ids', 'digests', 'counts'];
const NOTHING = Buffer.alloc(0);

/** Queues what counts are to be changed by. */
@Injectable()
export class SubmissionBatchesRepository extends TransactionalRepository {
  /**
   * Enqueues a change of the counts, in the transaction that causes it. A task makes it: rows that all
   * submissions of an account change would make their transactions wait for each other.
   */
  async enqueue(changes: readonly Received[]): Promise<void> {
    if (changes.length === 0) return;
    const row = [makeUuid(), NOTHING, NOTHING, encodeReceived(changes)];
    await runStatements(this.source.manager, insertStatement('submission_batches', COLUMNS, [row]));
  }
}
