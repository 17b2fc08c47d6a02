import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FIELD, OTHER, STOPPED, stopDigest, facetDigest } from '../../submissions/model/facet.js';
import {
  type HourAmount,
  textOfKey,
  textOfSet,
  type FacetSet,
  FacetValuesRepository,
  type KnownValue,
  FacetCountsRepository,
  textOfHour,
  type FacetKey,
} from './facet-values.repository.js';
import { beginOf, LENGTHS } from './stretches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/leased-work.js';
import { accountOf, accountsOf, unlessTaken } from '../counts/submission-counts.repository.js';
import type { Received } from '../../submissions/storage/received.js';
import { ALL_FORMS } from '../counts/submission-count.entity.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { SECOND_MS } from '../../platform/kernel/time.js';
import { Projected, type Erased, type Projection } from '../../projections/projections.js';

/** Pages, origins and countries that a form, or an account, has counts of by name; the others are counted together. */
export const NAMED_MAX = 200;
/** How many of them make room for new ones, those with fewest submissions lately, when there are so many. */
const MAKE_ROOM = NAMED_MAX / 2;
/** Rows of the longest stretch that lately is. */
const LATELY_ROWS = 3;
/** Values of a field that has few. */
const FIELD_VALUES_MAX = 20;
/** Fields of a form with counts, and all that are known of. */
const FIELDS_MAX = 12;
const FIELDS_KNOWN_MAX = 100;
/** Hours after which a field that had too many values is counted anew, with what is sent from then on. */
const STOPPED_HOURS = 30 * 24;
/** Senders from which on a value of a field is named, so that none says of one person what they wrote. */
const NAMED_FROM = 3;

/** A change of the counts of an hour, with what it is about. */
interface FacetChange extends HourAmount {
  name: string;
  /** Null where it is not known any more, or is nothing to be named. */
  text: string | null;
}

/** Decides what is counted by its name, in the transaction that counts. */
class FacetAdmission {
  /** @param known of all keys that are asked for; what is admitted is added */
  constructor(
    private readonly values: FacetValuesRepository,
    private readonly known: Map<string, KnownValue>,
  ) {}

  /** @returns what is to be counted, by name or not: not what is of fields with too many values */
  async admit(changes: readonly FacetChange[]): Promise<FacetChange[]> {
    const ofFields = changes.filter((each) => each.facet === FIELD && !this.isStopped(each));
    for (const some of bySet(ofFields)) await this.admitValues(some);
    const others = changes.filter(({ facet }) => facet !== FIELD);
    for (const some of bySet(others.filter((each) => this.isNew(each)))) await this.admitSome(some);
    const counted = ofFields.filter((each) => !this.isStopped(each) && each.digest !== OTHER);
    await this.name(counted);
    return [...others, ...counted];
  }

  private isNew(change: FacetChange): boolean {
    const { amount, digest } = change;
    return amount > 0 && digest !== OTHER && !this.known.has(textOfKey(change));
  }

  private isStopped(change: FacetChange): boolean {
    const marker = { ...change, facet: STOPPED, digest: stopDigest(change.name) };
    return isWithin(this.known.get(textOfKey(marker)), change.hour);
  }

  /** Names what is new to a set as far as there is room; what has fewest submissions makes some. */
  private async admitSome(changes: readonly FacetChange[]): Promise<void> {
    const [first] = changes;
    if (!first) return;
    const fresh = new Map(changes.map((each) => [each.digest, each]));
    let room = NAMED_MAX - (await this.values.countIn(first));
    if (room < fresh.size) {
      const [, , longest] = LENGTHS;
      const now = beginOf(Math.max(...changes.map(({ hour }) => hour)), longest);
      const since = now - (LATELY_ROWS - 1) * longest;
      const least = await this.values.least(first, since, longest, MAKE_ROOM);
      await this.values.letGo(least.map((digest) => ({ ...first, digest })));
      for (const digest of least) {
        const known = this.known.get(textOfKey({ ...first, digest }));
        if (known) known.isGoing = true;
      }
      room += least.length;
    }
    const admitted = [...fresh.values()].slice(0, room).map((each) => this.valueOf(each, 0));
    await this.values.add(admitted);
    for (const value of admitted) this.known.set(textOfKey(value), value);
  }

  /** Takes on values of the fields of a form, and stops those fields that turn out to have too many. */
  private async admitValues(changes: readonly FacetChange[]): Promise<void> {
    const fresh = changes.filter((each) => !this.known.has(textOfKey(each)));
    const [first] = fresh;
    if (!first) return;
    const fields = new Map<string, Set<string>>();
    const latest = Math.max(...changes.map(({ hour }) => hour));
    let stopped = 0;
    for (const value of await this.values.ofFields(first)) {
      const { facet, name, digest, isGoing } = value;
      if (facet === STOPPED) stopped += Number(isWithin(value, latest));
      else if (!isGoing) fields.set(name, (fields.get(name) ?? new Set()).add(digest));
    }
    const admitted: KnownValue[] = [];
    for (const each of fresh) {
      if (this.isStopped(each)) continue;
      const known = fields.get(each.name);
      const isRoom = fields.size < FIELDS_MAX && fields.size + stopped < FIELDS_KNOWN_MAX;
      if (!known && !isRoom) continue;
      const digests = known ?? new Set();
      if (each.text === null || digests.size === FIELD_VALUES_MAX) {
        await this.stop({ ...each, hour: latest }, digests);
        fields.delete(each.name);
        stopped++;
        continue;
      }
      fields.set(each.name, digests.add(each.digest));
      admitted.push(this.valueOf(each, 0));
    }
    const staying = admitted.filter(({ name }) => fields.has(name));
    await this.values.add(staying);
    for (const value of staying) this.known.set(textOfKey(value), value);
  }

  /** Ends the counts of a field; a task takes them away. */
  private async stop(change: FacetChange, digests: ReadonlySet<string>): Promise<void> {
    const { accountId, formId, facet, name } = change;
    const marker = { accountId, formId, facet: STOPPED, digest: stopDigest(name), name };
    const value = { ...marker, text: null, seen: change.hour, isGoing: false };
    await this.values.add([value]);
    // It is there already when the field was stopped before.
    await this.values.name(value);
    this.known.set(textOfKey(value), value);
    const keys = Array.from(digests, (digest) => ({ accountId, formId, facet, digest }));
    await this.values.letGo(keys);
  }

  /** Counts how many had a value that has no name yet, and names it once enough senders had. */
  private async name(changes: readonly FacetChange[]): Promise<void> {
    const seen = new Map<string, KnownValue>();
    for (const change of changes) {
      const key = textOfKey(change);
      const value = seen.get(key) ?? this.known.get(key);
      if (value?.text !== null || value.isGoing) continue;
      // What was forgotten may be taken back still.
      value.seen = Math.max(value.seen + change.amount, 0);
      if (value.seen >= NAMED_FROM && (await this.values.haveSent(NAMED_FROM, value))) {
        value.text = change.text;
      }
      seen.set(key, value);
    }
    for (const value of seen.values()) await this.values.name(value);
  }

  private valueOf(change: FacetChange, seen: number): KnownValue {
    const { accountId, formId, facet, digest, name, text } = change;
    const key = { accountId, formId, facet, digest };
    return { ...key, name, text: facet === FIELD ? null : text, seen, isGoing: false };
  }
}

/** Tells whether an hour is one that a field is not counted in: from before it is counted anew. */
function isWithin(marker: KnownValue | undefined, hour: number): boolean {
  return marker !== undefined && hour < marker.seen + STOPPED_HOURS;
}

/** Groups changes by what they are of. */
function bySet(changes: readonly FacetChange[]): FacetChange[][] {
  const sets = new Map<string, FacetChange[]>();
  for (const change of changes) {
    const key = textOfSet(change satisfies FacetSet);
    const known = sets.get(key);
    if (known) known.push(change);
    else sets.set(key, [change]);
  }
  return [...sets.values()];
}

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
