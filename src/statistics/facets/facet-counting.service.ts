import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/portions.js';
import { accountOf, accountsOf } from '../counts/form-accounts.repository.js';
import type { Received } from '../../submissions/storage/received.js';
import { unlessTaken } from '../counts/submission-counts.repository.js';
import { ALL_FORMS } from '../counts/submission-count.entity.js';
import { facetDigest, FIELD, OTHER, STOPPED, stopDigest } from '../../submissions/model/facet.js';
import { FacetAdmission, type FacetChange } from './facet-admission.js';
import { FacetCountsRepository, textOfHour, type HourAmount } from './facet-counts.repository.js';
import { textOfKey, type FacetKey } from './facet-key.js';
import { FacetValuesRepository, type KnownValue } from './facet-values.repository.js';
import { LENGTHS } from './stretches.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import { Projected, type Erased, type Projection } from '../../projections/projection.js';

/** Rows that one transaction takes away, and names that they are of. */
const ROWS_AT_ONCE = 500;
const KEYS_AT_ONCE = 50;

/**
 * Counts submissions by page, origin, country and the values of fields, in the transactions that count submissions, and
 * in the same way: the trash, erasure and retention change no count, a form that is purged takes its counts along.
 */
@Injectable()
@Projected({ tables: ['facet_counts', 'facet_values'] })
export class FacetCounting implements Projection {
  constructor(
    private readonly values: FacetValuesRepository,
    private readonly counts: FacetCountsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Adds what forms received, but for those that are deleted.
   * @param received added up, so that each facet of a form is looked at once
   */
  async add(tx: EntityManager, received: readonly Received[]): Promise<void> {
    const some = received.filter(({ facets }) => facets.length > 0);
    if (some.length === 0) return;
    const accounts = await accountsOf(tx, [...new Set(some.map(({ formId }) => formId))]);
    const changes = some.flatMap(({ formId, hour, facets }) => {
      const accountId = accounts.get(formId);
      if (accountId === undefined) return [];
      return facets.flatMap((each) => {
        const ofForm = { ...each, accountId, formId, digest: facetDigest(each), hour };
        // Values of fields mean something within their form alone.
        return each.facet === FIELD ? [ofForm] : [ofForm, { ...ofForm, formId: ALL_FORMS }];
      });
    });
    await this.apply(tx, changes);
  }

  /** Takes away the counts of what is not named any more: those of values of fields go, others are added to the rest. */
  @BackgroundTask('take away unnamed counts', 10 * SECOND_MS)
  async takeAway({ signal }: TaskRun): Promise<void> {
    await unlessTaken(() =>
      inPortions(() => this.unitOfWork.run((tx) => this.takeSome(tx)), signal),
    );
  }

  /** Forgets what a value said once the last submission that had it is removed: its number stays, without a name. */
  async forget(tx: EntityManager, { formId, values: erased }: Erased): Promise<void> {
    const digests = new Set(erased.flatMap((each) => each.digests));
    if (formId === null || digests.size === 0) return;
    const values = this.values.in(tx);
    const accountId = (await accountOf(tx, formId)) ?? 0;
    for (const value of await values.ofFields({ accountId, formId })) {
      if (value.facet !== FIELD || value.text === null || !digests.has(value.digest)) continue;
      if (!(await values.isThere(value))) await values.name({ ...value, text: null, seen: 0 });
    }
  }

  /** Removes the counts of a deleted form, and takes them from those of its account, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<boolean> {
    const forgetSome = () => this.unitOfWork.run((tx) => this.forgetSome(tx, formId));
    return unlessTaken(() => inPortions(forgetSome, signal));
  }

  private async forgetSome(tx: EntityManager, formId: number): Promise<number> {
    const accountId = (await accountOf(tx, formId)) ?? 0;
    const counts = this.counts.in(tx);
    const rows = await counts.someOfForm({ accountId, formId }, ROWS_AT_ONCE);
    await counts.remove(rows);
    const hours = rows.filter(({ length, facet }) => length === LENGTHS[0] && facet !== FIELD);
    await this.apply(
      tx,
      hours.map(({ begins, submissions, ...key }) => ({
        ...key,
        ...{ formId: ALL_FORMS, hour: begins, amount: -submissions, name: '', text: null },
      })),
    );
    if (rows.length === 0) await this.values.in(tx).removeForm(accountId, formId);
    return rows.length;
  }

  private async takeSome(tx: EntityManager): Promise<number> {
    const [values, counts] = [this.values.in(tx), this.counts.in(tx)];
    const going = await values.someGoing(KEYS_AT_ONCE);
    if (going.length === 0) return 0;
    const rows = await counts.someOf(going, ROWS_AT_ONCE);
    await counts.remove(rows);
    const others = rows.filter(({ facet }) => facet !== FIELD);
    await values.add(eachOther(others));
    await counts.add(others.map((row) => ({ ...row, digest: OTHER })));
    if (rows.length < ROWS_AT_ONCE) await values.remove(going);
    return rows.length + 1;
  }

  private async apply(tx: EntityManager, changes: readonly FacetChange[]): Promise<void> {
    const summed = summedUp(changes);
    if (summed.length === 0) return;
    const [values, counts] = [this.values.in(tx), this.counts.in(tx)];
    const asked = new Map(summed.flatMap(keysFor).map((key) => [textOfKey(key), key]));
    const inOrder = [...asked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
    const known = new Map<string, KnownValue>();
    for (const value of await values.known(inOrder)) known.set(textOfKey(value), value);
    const counted = await new FacetAdmission(values, known).admit(summed);
    const placed = await this.place(counts, counted, known);
    const others = placed.filter((each) => each.digest === OTHER && !known.has(textOfKey(each)));
    await values.add(eachOther(others));
    await counts.addToHours(placed);
  }

  /**
   * Says where amounts go: to the digest where that is named, else to OTHER. What is taken back is taken from where it
   * was counted in its hour, since a page may have got its name meanwhile. What is going is left to the task alone.
   */
  private async place(
    counts: FacetCountsRepository,
    changes: readonly FacetChange[],
    known: ReadonlyMap<string, KnownValue>,
  ): Promise<HourAmount[]> {
    const otherThan = (each: FacetChange) => ({ ...each, digest: OTHER });
    const back = changes.filter(({ amount, facet }) => amount < 0 && facet !== FIELD);
    const there = await counts.inHours(back.flatMap((each) => [each, otherThan(each)]));
    return changes.flatMap((each) => {
      const isNamed = known.get(textOfKey(each))?.isGoing === false;
      if (each.facet === FIELD) return isNamed ? [each] : [];
      const usual = isNamed ? each : otherThan(each);
      if (each.amount > 0 || !isNamed) return [usual];
      let left = -each.amount;
      const parts = [each, otherThan(each)].map((from) => {
        const has = Math.max(there.get(textOfHour(from)) ?? 0, 0);
        const taken = Math.min(left, has);
        left -= taken;
        there.set(textOfHour(from), has - taken);
        return { ...from, amount: -taken };
      });
      return [...parts, { ...usual, amount: -left }].filter(({ amount }) => amount !== 0);
    });
  }
}

/** Returns what has to be known to count it: what it is, and whether its field is counted at all. */
function keysFor(change: FacetChange): FacetKey[] {
  if (change.facet !== FIELD) return [change];
  return [change, { ...change, facet: STOPPED, digest: stopDigest(change.name) }];
}

/** Returns the rest of each set among these, once. */
function eachOther(keys: readonly FacetKey[]): KnownValue[] {
  const others = keys.map(({ accountId, formId, facet }) => {
    const key = { accountId, formId, facet, digest: OTHER };
    return { ...key, name: '', text: null, seen: 0, isGoing: false };
  });
  return [...new Map(others.map((each) => [textOfKey(each), each])).values()];
}

/** Adds up what is in the same hour. */
function summedUp(changes: readonly FacetChange[]): FacetChange[] {
  const sums = new Map<string, FacetChange>();
  for (const change of changes) {
    const key = `${textOfHour(change)} ${change.facet === FIELD ? change.name : ''}`;
    const known = sums.get(key);
    if (known) known.amount += change.amount;
    else sums.set(key, { ...change });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
