import { getMetadataArgsStorage, type EntityManager } from 'typeorm';
import { DeliveriesRepository } from '../../src/deliveries/deliveries.repository.js';
import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { SubmittedFile } from '../../src/files/submitted-file.entity.js';
import { insertStatement, type Statement } from '../../src/platform/database/statement.js';
import { SpentSolution } from '../../src/spam/proof-of-work/spent-solution.entity.js';
import { Verdict } from '../../src/spam/evidence/verdict.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { Submission } from '../../src/submissions/model/submission.entity.js';
import { SubmissionValue } from '../../src/search/values/submission-value.entity.js';
import {
  VALUE_COLUMNS,
  ValueIndexRepository,
} from '../../src/search/values/value-index.repository.js';
import { SubmissionVerdict } from '../../src/submissions/verdicts/submission-verdict.entity.js';
import { IdempotencyKey } from '../../src/submissions/storage/idempotency-key.entity.js';
import { SubmissionBatch } from '../../src/submissions/storage/submission-batch.entity.js';
import { submissionInserts } from '../../src/submissions/storage/submission-inserts.js';

const NOW = new Date(0);

const stored = submissionInserts([
  {
    id: makeUuid(),
    formId: 1,
    limit: null,
    accountId: 1,
    createdAt: NOW,
    payload: '[]',
    digests: [],
    facets: [],
    verdict: Verdict.of([{ name: 'honeypot', points: 10, reason: '' }], { heldAt: 5, spamAt: 10 }),
    solution: { nonce: Buffer.alloc(16), expiresAt: NOW },
    source: {
      origin: null,
      referer: null,
      userAgent: null,
      address: null,
      country: null,
      language: null,
      subject: null,
    },
    files: [
      {
        id: makeUuid(),
        field: 'cv',
        name: 'cv.pdf',
        mediaType: 'application/pdf',
        size: 0,
        sha256: Buffer.alloc(32),
      },
    ],
    planned: [],
    heldUntil: null,
    idempotency: { keyHash: Buffer.alloc(32), contentHash: Buffer.alloc(32), answer: '{}' },
    bytes: 0,
  },
]);

const NO_ROWS = { manager: {} as EntityManager };

function planned(): Statement[] {
  const plan = { kind: 'owner_email', recipient: 'jane@example.com' } as const;
  return new DeliveriesRepository(NO_ROWS).inserts([Delivery.create(1, makeUuid(), plan, NOW)]);
}

async function removed(): Promise<Statement[]> {
  const run: Statement[] = [];
  const query = (sql: string) => {
    run.push({ sql });
    return Promise.resolve([]);
  };
  await new ValueIndexRepository({ manager: { query } as unknown as EntityManager }).addRemoval(1, [
    { id: makeUuid(), digests: [] },
  ]);
  return run;
}

/** The columns that the insert into the table of an entity names. */
function writtenBy(statements: Statement[], entity: new () => object): string[] {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '';
  const insert = new RegExp(`^INSERT INTO ${table} \\(([^)]*)\\)`);
  const found = statements.flatMap(({ sql }) => insert.exec(sql)?.[1] ?? []);
  expect(found).toHaveLength(1);
  return (found[0] ?? '').split(',').sort();
}

it.each([
  { entity: Submission, statements: () => stored, later: [] },
  { entity: SubmittedFile, statements: () => stored, later: [] },
  { entity: IdempotencyKey, statements: () => stored, later: [] },
  { entity: SpentSolution, statements: () => stored, later: [] },
  { entity: SubmissionVerdict, statements: () => stored, later: [] },
  { entity: SubmissionBatch, statements: () => stored, later: ['removed_from'] },
  { entity: SubmissionBatch, statements: removed, later: ['counts'] },
  {
    entity: SubmissionValue,
    statements: () => insertStatement('submission_values', VALUE_COLUMNS, [[]]),
    later: [],
  },
  {
    entity: Delivery,
    statements: planned,
    later: ['lease_token', 'lease_until', 'fate', 'settled_at'],
  },
])(
  'Columns that are written by hand are those of $entity.name',
  async ({ entity, statements, later }) => {
    const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
    const nullable = columns.filter(({ options }) => options.nullable === true);

    const written = writtenBy(await statements(), entity);

    expect([...written, ...later].sort()).toEqual(
      columns.map(({ options }) => options.name).sort(),
    );
    expect(nullable.map(({ options }) => options.name)).toEqual(expect.arrayContaining(later));
  },
);
