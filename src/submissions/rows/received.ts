import { Injectable } from '@nestjs/common';
import type { Facet, FacetAmount } from '../model/facet.js';
import type { Submission } from '../model/submission.entity.js';
import { timeOf, makeUuid, HOUR_MS } from '../../platform/index.js';
import { TransactionalRepository, insertStatement, runStatements } from '../../platform/database/index.js';

/**
 * Counts that a form received within an hour: `submissions` that are not spam, and `spam`. A change of a
 * verdict takes from one and adds to the other.
 */
export interface Received {
  formId: number;
  /** Whole hours since 1970, in UTC. */
  hour: number;
  submissions: number;
  spam: number;
  /** Submissions among them that were imported; absent for none. */
  imported?: number;
  /** Facets of the submissions that are not spam. */
  facets: FacetAmount[];
}

/** Countable facts of a submission. */
export interface Countable {
  id: Buffer;
  formId: number;
  isSpam: boolean;
  isImported?: boolean;
  facets: readonly Facet[];
}

/** Returns what these submissions add to the counts, one entry for each form and hour. */
export function receivedOf(submissions: readonly Countable[]): Received[] {
  const sums = new ReceivedSums();
  for (const { id, formId, isSpam, isImported = false, facets } of submissions) {
    const submissions = isSpam ? 0 : 1;
    const imported = isImported ? submissions : 0;
    sums.add({ formId, hour: hourOf(id), submissions, spam: 1 - submissions, imported });
    if (!isSpam) for (const facet of facets) sums.addFacet(facet, 1);
  }
  return sums.all();
}

/** Returns what a changed verdict changes in the counts. @param submission with the verdict that it has now */
export function receivedAnew({
  id,
  formId,
  spam,
  countedBy,
}: Pick<Submission, 'id' | 'formId' | 'spam' | 'countedBy'>): Received[] {
  const by = spam ? -1 : 1;
  const facets = times(countedBy, by);
  return [{ formId, hour: hourOf(id), submissions: by, spam: -by, facets }];
}

/** Returns what the counts lose by submissions of an import that are taken back as if they had never come. */
export function receivedTakenBack(
  submissions: readonly Pick<Submission, 'id' | 'formId' | 'spam' | 'countedBy'>[],
): Received[] {
  const some = submissions.map((each) => {
    return { id: each.id, formId: each.formId, isSpam: each.spam, isImported: true, facets: each.countedBy };
  });
  return receivedOf(some).map((sum) => ({
    ...sum,
    ...{ submissions: -sum.submissions, spam: -sum.spam, imported: -(sum.imported ?? 0) },
    facets: sum.facets.map((each) => ({ ...each, amount: -each.amount })),
  }));
}

/** Returns what changed values change in the counts: of spam, no values are counted. */
export function receivedAsEdited(
  { id, formId, spam }: Pick<Submission, 'id' | 'formId' | 'spam'>,
  before: readonly Facet[],
  after: readonly Facet[],
): Received[] {
  if (spam) return [];
  const hour = hourOf(id);
  const change = (some: readonly Facet[], amount: number): Received => {
    return { formId, hour, submissions: 0, spam: 0, facets: times(some, amount) };
  };
  return addedUp([change(before, -1), change(after, 1)]).flatMap((sum) => {
    const facets = sum.facets.filter(({ amount }) => amount !== 0);
    return facets.length === 0 ? [] : { ...sum, facets };
  });
}

/** Adds up what belongs to the same form and hour, in the order of both. */
export function addedUp(all: readonly Received[]): Received[] {
  const sums = new ReceivedSums();
  for (const each of all) {
    sums.add(each);
    for (const facet of each.facets) sums.addFacet(facet, facet.amount);
  }
  return sums.all();
}

/** Returns how many facets there are; what has none counts as one. */
export function facetsIn(received: readonly Received[]) {
  return received.reduce((sum, { facets }) => sum + Math.max(facets.length, 1), 0);
}

/** Divides what was received so that the first part has so many facets at most; it may divide one form and hour. */
export function divided(received: readonly Received[], limit: number): [Received[], Received[]] {
  const first: Received[] = [];
  const rest: Received[] = [];
  let left = limit;
  for (const each of received) {
    const { facets } = each;
    if (left <= 0) rest.push(each);
    else if (facets.length <= left) first.push(each);
    else {
      first.push({ ...each, facets: facets.slice(0, left) });
      rest.push({ ...each, submissions: 0, spam: 0, imported: 0, facets: facets.slice(left) });
    }
    left -= Math.max(facets.length, 1);
  }
  return [first, rest];
}

/** Adds up what forms received. */
class ReceivedSums {
  private readonly sums = new Map<string, Received>();
  private readonly facets = new Map<Received, Map<string, FacetAmount>>();
  private last: Received = { formId: 0, hour: 0, submissions: 0, spam: 0, facets: [] };

  add({ formId, hour, submissions, spam, imported = 0 }: Omit<Received, 'facets'>) {
    const key = `${formId} ${hour}`;
    let sum = this.sums.get(key);
    if (!sum) {
      sum = { formId, hour, submissions: 0, spam: 0, facets: [] };
      this.sums.set(key, sum);
    }
    sum.submissions += submissions;
    sum.spam += spam;
    if (imported !== 0) sum.imported = (sum.imported ?? 0) + imported;
    this.last = sum;
  }

  /** Adds to a facet of the form and hour that were added to last. */
  addFacet({ facet, name, text }: Facet, amount: number) {
    let facets = this.facets.get(this.last);
    if (!facets) {
      facets = new Map();
      this.facets.set(this.last, facets);
    }
    const key = keyOf(facet, name, text);
    const known = facets.get(key);
    if (known) known.amount += amount;
    else {
      const sum = { facet, name, text, amount };
      facets.set(key, sum);
      this.last.facets.push(sum);
    }
  }

  all(): Received[] {
    return [...this.sums.values()].sort((a, b) => a.formId - b.formId || a.hour - b.hour);
  }
}

/** Returns a facet as the key of a map; the length keeps a name and a text apart. */
function keyOf(facet: number, name: string, text: string | null) {
  return `${facet} ${name.length} ${name}${text === null ? '' : `=${text}`}`;
}

function times(facets: readonly Facet[], amount: number): FacetAmount[] {
  return facets.map((facet) => ({ ...facet, amount }));
}

type Row = [number, number, number, number, [number, string, string | null, number][]?, number?];

/**
 * Returns the text that a batch keeps: JSON, a list of four numbers for each form and hour, of its facets, and how many were
 * imported. Versions before read the beginning alone.
 */
export function encodeReceived(received: readonly Received[]) {
  return JSON.stringify(
    received.map(({ formId, hour, submissions, spam, facets, imported }): Row => {
      const amounts = facets.map(({ facet, name, text, amount }) => [facet, name, text, amount]);
      const row: Row = [formId, hour, submissions, spam, amounts as Row[4]];
      if (imported !== undefined) row[5] = imported;
      return row;
    }),
  );
}

/** Reads what `encodeReceived` wrote; nothing from a batch of a version that did not count. */
export function decodeReceived(text: string | null): Received[] {
  const rows = JSON.parse(text ?? '[]') as Row[];
  return rows.map(([formId, hour, submissions, spam, amounts = [], imported]) => ({
    ...{ formId, hour, submissions, spam, ...(imported && { imported }) },
    facets: amounts.map(([facet, name, text, amount]) => ({ facet, name, text, amount })),
  }));
}

function hourOf(id: Buffer) {
  return Math.floor(timeOf(id).getTime() / HOUR_MS);
}

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
  async enqueue(changes: readonly Received[]) {
    if (changes.length === 0) return;
    const row = [makeUuid(), NOTHING, NOTHING, encodeReceived(changes)];
    await runStatements(this.source.manager, insertStatement('submission_batches', COLUMNS, [row]));
  }
}
