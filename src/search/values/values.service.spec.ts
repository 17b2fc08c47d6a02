import { makeUuid } from '../../platform/kernel/uuid.js';
import { PAGE } from '../../submissions/model/facet.js';
import { encodeReceived, type Received } from '../../submissions/rows/received.js';
import { SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';
import { ValueIndexer } from './values.service.js';

/** Facets that one transaction counts here. */
const FACETS_AT_ONCE = 300;
/** More than one call may take. */
const FAR_TOO_MANY = 20;

/** Batches to be entered, and the content of those that are. */
let waiting: SubmissionBatch[] = [];
let entered: SubmissionBatch[] = [];
/** The number of batches that each transaction entered, and of submissions and facets that each counted. */
let entries: number[] = [];
let counts: number[] = [];
let facets: number[] = [];
/** Called when batches are read to be entered: more come meanwhile. */
let comes: () => void = () => undefined;
beforeEach(() => {
  [waiting, entered, entries, counts, facets] = [[], [], [], [], []];
});

/** Makes a batch of a submission with one value, from some page. */
function batch(_: unknown, number: number): SubmissionBatch {
  const page = { facet: PAGE, name: '', text: `/${number}`, amount: 1 };
  const received = { formId: 1, hour: 0, submissions: 1, spam: 0, facets: [page] };
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
  facetsAtOnce: FACETS_AT_ONCE,
  in: () => index,
  oldestBatches: (limit: number) => {
    const some = waiting.slice(0, limit);
    if (entries.length < FAR_TOO_MANY) comes();
    return Promise.resolve(some);
  },
  takeBatches: (ids: Buffer[]) => {
    entries.push(ids.length);
    waiting.splice(0, ids.length);
    return Promise.resolve(ids.length);
  },
  enteredBatches: (afterId: Buffer, limit: number) =>
    Promise.resolve(entered.filter(({ id }) => id.compare(afterId) > 0).slice(0, limit)),
  removeBatches: (ids: Buffer[]) => {
    entered.splice(0, ids.length);
    return Promise.resolve(ids.length);
  },
};
const batchesRepository = {
  in: () => batchesRepository,
  enqueue: (received: Received[]) => {
    const row = { id: makeUuid(), counts: encodeReceived(received) };
    if (received.length > 0) entered.push(Object.assign(new SubmissionBatch(), row));
    return Promise.resolve();
  },
};
const counting = {
  addReceived: (_: unknown, received: Received[]) => {
    counts.push(received.reduce((sum, { submissions }) => sum + submissions, 0));
    facets.push(received.reduce((sum, each) => sum + each.facets.length, 0));
    return Promise.resolve();
  },
};

/** An indexer of these batches; all their submissions are gone. */
function indexer(): ValueIndexer {
  const texts = { lock: () => [] };
  const unitOfWork = { run: (work: (tx: unknown) => unknown) => work({}) };
  const parts = [index, batchesRepository, counting, texts, unitOfWork];
  const all = [...parts, { isUnderLoad: false }] as unknown;
  return new ValueIndexer(...(all as ConstructorParameters<typeof ValueIndexer>));
}

describe('A call to index all', () => {
  it('leaves what comes meanwhile to the next one', async () => {
    waiting = batches(3);
    comes = () => waiting.push(...batches(2));
    await indexer().indexAll({ now: new Date() });

    expect({ entries, counts, left: waiting.length }).toEqual({ entries: [3], counts: [3], left: 2 });
  });

  it('goes on while there is more than a transaction takes, and counts many together', async () => {
    waiting = batches(450);
    comes = () => undefined;
    await indexer().indexAll({ now: new Date() });

    expect(entries).toEqual([20, 200, 200, 30]);
    // Each submission once, and so many facets in a transaction at most.
    expect(counts).toEqual([450, 0]);
    expect(facets).toEqual([FACETS_AT_ONCE, 150]);
    expect(entered).toEqual([]);
  });
});
