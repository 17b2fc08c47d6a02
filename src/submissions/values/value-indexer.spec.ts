import { beforeEach, describe, expect, it } from '@jest/globals';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import type { FacetCounting } from '../facets/facet-counting.service.js';
import { encodeReceived } from '../statistics/received.js';
import type { SubmissionCountsRepository } from '../statistics/submission-counts.repository.js';
import { SubmissionBatch } from '../storage/submission-batch.entity.js';
import type { SubmissionWriter } from '../storage/submission-writer.js';
import type { TextMover } from '../texts/text-mover.js';
import type { ValueIndexRepository } from './value-index.repository.js';
import { ValueIndexer } from './value-indexer.js';

/** More than one call may take. */
const FAR_TOO_MANY = 20;

/** What is there: batches to be entered, and those that are. */
let waiting: SubmissionBatch[] = [];
let entered: SubmissionBatch[] = [];
/** The number of batches that each transaction entered, and counted. */
let entries: number[] = [];
let counts: number[] = [];
/** Called when batches are read to be entered: more come meanwhile. */
let comes: () => void = () => undefined;
beforeEach(() => {
  [waiting, entered, entries, counts] = [[], [], [], []];
});

/** Makes a batch of a submission with one value. */
function batch(): SubmissionBatch {
  const received = { formId: 1, hour: 0, submissions: 1, spam: 0, facets: [] };
  return Object.assign(new SubmissionBatch(), {
    id: makeUuid(),
    submissionIds: makeUuid(),
    digests: SubmissionBatch.pack([['0123456789abcdef']]),
    removedFrom: null,
    counts: encodeReceived([received]),
  });
}

const batches = (count: number) => Array.from({ length: count }, batch);

/** Keeps batches as the tables do; what is made of them is of no interest here. */
const index = {
  valuesAtOnce: 4_000,
  in: () => index,
  oldestBatches: (limit: number) => {
    const some = waiting.slice(0, limit);
    if (entries.length < FAR_TOO_MANY) comes();
    return Promise.resolve(some);
  },
  emptyBatches: (ids: Buffer[]) => {
    entries.push(ids.length);
    entered.push(...waiting.splice(0, ids.length));
    return Promise.resolve(ids.length);
  },
  enteredBatches: (afterId: Buffer, limit: number) =>
    Promise.resolve(entered.filter(({ id }) => id.compare(afterId) > 0).slice(0, limit)),
  removeBatches: (ids: Buffer[]) => {
    counts.push(ids.length);
    entered.splice(0, ids.length);
    return Promise.resolve(ids.length);
  },
};
const adding = { in: () => adding, add: () => Promise.resolve() };

function indexer(): ValueIndexer {
  return new ValueIndexer(
    index as unknown as ValueIndexRepository,
    adding as unknown as SubmissionCountsRepository,
    adding as unknown as FacetCounting,
    // All submissions are gone.
    { lock: () => [] } as unknown as TextMover,
    { run: (work: (tx: unknown) => unknown) => work({}) } as unknown as UnitOfWork,
    { isUnderLoad: false } as unknown as SubmissionWriter,
  );
}

describe('A call to index all', () => {
  it('leaves what comes meanwhile to the next one', async () => {
    waiting = batches(3);
    comes = () => waiting.push(...batches(2));
    await indexer().indexAll();

    expect({ entries, counts, left: waiting.length }).toEqual({
      entries: [3],
      counts: [3],
      left: 2,
    });
  });

  it('goes on while there is more than a transaction takes, and counts many together', async () => {
    waiting = batches(450);
    comes = () => undefined;
    await indexer().indexAll();

    expect(entries.reduce((sum, count) => sum + count)).toBe(450);
    expect(counts.reduce((sum, count) => sum + count)).toBe(450);
    expect(counts[0]).toBe(400);
  });
});
