import { setImmediate as turn } from 'node:timers/promises';
import { Config } from '../../src/platform/config/config.js';
import type { Statement } from '../../src/platform/database/sql.js';
import type { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import type { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { Verdict } from '../../src/spam/evidence/verdict.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import type { NewSubmission } from '../../src/submissions/storage/submission-inserts.js';
import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import type { SubmissionsRepository } from '../../src/submissions/rows/submissions.repository.js';

/** Returns a submission that can be stored, of this form and size. */
export function newSubmission({ formId = 1, bytes = 512 } = {}): NewSubmission {
  return {
    id: makeUuid(),
    formId,
    limit: null,
    accountId: 1,
    createdAt: new Date(),
    payload: '[["a","1"]]',
    digests: [],
    verdict: Verdict.CLEAN,
    heldUntil: null,
    solution: null,
    facets: [],
    source: {
      origin: null,
      referer: null,
      userAgent: null,
      address: null,
      country: null,
      language: null,
      subject: null,
    },
    files: [],
    planned: [],
    idempotency: null,
    bytes,
  };
}

/** Tells what becomes of a submission, by the code or the words of its error, without throwing. */
export const outcome = (stored: Promise<void>) =>
  stored.then(
    () => 'stored',
    (error: unknown) => (error as { code?: string }).code ?? (error as Error).message,
  );

/** A transaction that has begun and is not answered. */
export interface Transaction {
  ids: string[];
  forms: number[];
  commit: () => void;
  fail: (error: Error) => void;
}

/** Stands for the database of a writer; the test gives its answers. */
export class FakeDatabase {
  /** Those on the submissions' own connection, and those on one of the others. */
  readonly together: Transaction[] = [];
  readonly apart: Transaction[] = [];
  /** Ids that a look for a submission finds. */
  readonly stored = new Set<string>();
  looks = 0;

  readonly writer: SubmissionWriter;

  constructor(isEmbedded = false) {
    this.writer = new SubmissionWriter(
      {
        isEmbedded,
        runStatements: (statements) => this.begin(statements, this.together),
        run: async (work) => {
          const statements: Statement[] = [];
          const query = (sql: string, values: unknown[]) => {
            const width = sql.slice(0, sql.indexOf('VALUES')).split(',').length;
            const rows = Array.from({ length: values.length / width }, (_, row) =>
              values.slice(row * width, (row + 1) * width),
            );
            statements.push({ sql, rows });
            return Promise.resolve();
          };
          const result = await work({ query } as never);
          await this.begin(statements, this.apart);
          return result;
        },
      } as UnitOfWork,
      {
        isStored: (id) => {
          this.looks++;
          return Promise.resolve(this.stored.has(id.toString('hex')));
        },
      } as SubmissionsRepository,
      { outboxInserts: () => [] } as unknown as DeliveriesService,
      Config.from({ MAX_WAITING_BYTES: '1048576' }),
    );
  }

  /** Resolves to the transaction of this number once it has begun. */
  async begun(number: number, transactions = this.together): Promise<Transaction> {
    for (let turns = 0; turns < 1_000; turns++) {
      const transaction = transactions[number];
      if (transaction) return transaction;
      await turn();
    }
    throw new Error(`Transaction ${number} has not begun.`);
  }

  private begin(statements: readonly Statement[], transactions: Transaction[]): Promise<void> {
    const rows = statements.find(({ sql }) => sql.startsWith('INSERT INTO submissions '))?.rows;
    return new Promise((resolve, reject) => {
      transactions.push({
        ids: (rows ?? []).map(([id]) => (id as Buffer).toString('hex')),
        forms: (rows ?? []).map(([, formId]) => formId as number),
        commit: resolve,
        fail: reject,
      });
    });
  }
}
