import type { Facet, FacetAmount } from '../facets/facet.js';
import type { Submission } from '../submission.entity.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { HOUR_MS } from '../../platform/kernel/durations.js';

/**
 * What a form received within an hour: `submissions` that are not spam, and `spam`. A change of a verdict takes
 * from one and adds to the other.
 */
export interface Received {
  formId: number;
  /** Whole hours since 1970, in UTC. */
  hour: number;
  submissions: number;
  spam: number;
  /** What those that are not spam are divided by. */
  facets: FacetAmount[];
}

/** What is counted of a submission. */
export interface Countable {
  id: Buffer;
  formId: number;
  isSpam: boolean;
  facets: readonly Facet[];
}

/** Returns what these submissions add to the counts, one entry for each form and hour. */
export function receivedOf(submissions: readonly Countable[]): Received[] {
  return addedUp(
    submissions.map(({ id, formId, isSpam, facets }) => ({
      formId,
      hour: hourOf(id),
      submissions: isSpam ? 0 : 1,
      spam: isSpam ? 1 : 0,
      facets: isSpam ? [] : times(facets, 1),
    })),
  );
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

/** Adds up what belongs to the same form and hour, in the order of both. */
export function addedUp(all: readonly Received[]): Received[] {
  const sums = new Map<string, { received: Received; facets: Map<string, FacetAmount> }>();
  for (const { formId, hour, submissions, spam, facets } of all) {
    const key = `${formId} ${hour}`;
    let known = sums.get(key);
    if (!known) {
      known = {
        received: { formId, hour, submissions: 0, spam: 0, facets: [] },
        facets: new Map(),
      };
      sums.set(key, known);
    }
    known.received.submissions += submissions;
    known.received.spam += spam;
    for (const each of facets) {
      const facetKey = keyOf(each);
      const sum = known.facets.get(facetKey);
      if (sum) sum.amount += each.amount;
      else known.facets.set(facetKey, { ...each });
    }
  }
  return Array.from(sums.values(), ({ received, facets }) => ({
    ...received,
    facets: [...facets.values()],
  })).sort((a, b) => a.formId - b.formId || a.hour - b.hour);
}

/** Returns a facet as the key of a map; the length keeps a name and a text apart. */
function keyOf({ facet, name, text }: Facet): string {
  return `${facet} ${name.length} ${name}${text === null ? '' : `=${text}`}`;
}

function times(facets: readonly Facet[], amount: number): FacetAmount[] {
  return facets.map((facet) => ({ ...facet, amount }));
}

type Row = [number, number, number, number, [number, string, string | null, number][]?];

/**
 * Returns the text that a batch keeps: JSON, a list of four numbers for each form and hour, and of its facets. The
 * versions before facets read the numbers alone.
 */
export function encodeReceived(received: readonly Received[]): string {
  return JSON.stringify(
    received.map(({ formId, hour, submissions, spam, facets }): Row => {
      const amounts = facets.map(({ facet, name, text, amount }) => [facet, name, text, amount]);
      return [formId, hour, submissions, spam, amounts as Row[4]];
    }),
  );
}

/** Reads what `encodeReceived` wrote; nothing from a batch of a version that did not count. */
export function decodeReceived(text: string | null): Received[] {
  const rows = JSON.parse(text ?? '[]') as Row[];
  return rows.map(([formId, hour, submissions, spam, amounts = []]) => ({
    ...{ formId, hour, submissions, spam },
    facets: amounts.map(([facet, name, text, amount]) => ({ facet, name, text, amount })),
  }));
}

function hourOf(id: Buffer): number {
  return Math.floor(timeOf(id).getTime() / HOUR_MS);
}
