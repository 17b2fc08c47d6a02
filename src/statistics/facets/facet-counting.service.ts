import { ALL_FORMS } from '../counts/sums.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FIELD, OTHER, STOPPED, stopDigest, facetDigest } from '../../submissions/model/facet.js';
import {
  type HourAmount,
  textOfKey,
  type FacetSet,
  FacetValuesRepository,
  type KnownValue,
  FacetCountsRepository,
  type FacetKey,
} from './facet-values.repository.js';
import { LENGTHS } from './stretches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { inPortions } from '../../platform/background/pace.js';
import { accountOf, accountsOf } from '../counts/submission-counts.repository.js';
import type { Received } from '../../submissions/storage/received.js';
import { Projected, type Erased, type Projection } from '../../projections/projections.js';

/** Pages, origins and countries that a form, or an account, has counts of by name; later ones are counted together. */
export const NAMED_MAX = 200;
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
    for (const some of bySet(changes)) {
      if (some[0]?.facet === FIELD) await this.admitValues(some);
      else await this.admitSome(some);
    }
    const counted = changes.flatMap((each) => {
      if (this.known.has(textOfKey(each))) return this.isStopped(each) ? [] : [each];
      return each.facet === FIELD ? [] : [{ ...each, digest: OTHER }];
    });
    await this.name(counted.filter(({ facet }) => facet === FIELD));
    return counted;
  }

  /** Tells whether a change is of a field that was not counted in its hour: had too many values, and is not counted anew. */
  private isStopped(change: FacetChange): boolean {
    if (change.facet !== FIELD) return false;
    const marker = { ...change, facet: STOPPED, digest: stopDigest(change.name) };
    return isWithin(this.known.get(textOfKey(marker)), change.hour);
  }

  /** Names what is new to a set as far as there is room. */
  private async admitSome(changes: readonly FacetChange[]): Promise<void> {
    const unknown = changes.filter((each) => !this.known.has(textOfKey(each)));
    const [first] = unknown;
    if (!first) return;
    const named = unknown.filter(({ text }) => text !== null);
    const fresh = [...new Map(named.map((each) => [each.digest, each])).values()];
    const room = fresh.length > 0 ? NAMED_MAX - (await this.values.countIn(first)) : 0;
    const admitted = fresh.slice(0, Math.max(room, 0));
    await this.add(admitted.map((each) => valueOf(each, each.text)));
    if (admitted.length === fresh.length && named.length === unknown.length) return;
    await this.values.add([valueOf({ ...first, digest: OTHER }, null)]);
  }

  /** Takes on values of the fields of a form, and stops those fields that turn out to have too many. */
  private async admitValues(changes: readonly FacetChange[]): Promise<void> {
    const fresh = changes.filter(
      (each) => !this.known.has(textOfKey(each)) && !this.isStopped(each),
    );
    const [first] = fresh;
    if (!first) return;
    const fields = new Map<string, Set<string>>();
    const latest = Math.max(...changes.map(({ hour }) => hour));
    let stopped = 0;
    for (const value of await this.values.ofFields(first)) {
      const { facet, name, digest } = value;
      if (facet === STOPPED) stopped += Number(isWithin(value, latest));
      else fields.set(name, (fields.get(name) ?? new Set()).add(digest));
    }
    const admitted: KnownValue[] = [];
    for (const each of fresh) {
      if (this.isStopped(each)) continue;
      const known = fields.get(each.name);
      const isRoom = fields.size < FIELDS_MAX && fields.size + stopped < FIELDS_KNOWN_MAX;
      if (!known && !isRoom) continue;
      const digests = known ?? new Set();
      if (each.text === null || digests.size === FIELD_VALUES_MAX) {
        await this.stop({ ...each, hour: latest });
        fields.delete(each.name);
        stopped++;
        continue;
      }
      fields.set(each.name, digests.add(each.digest));
      admitted.push(valueOf(each, null));
    }
    await this.add(admitted.filter(({ name }) => fields.has(name)));
  }

  /** Ends the counts of a field, and forgets its values. */
  private async stop(change: FacetChange): Promise<void> {
    const { name, hour } = change;
    const key = { ...change, facet: STOPPED, digest: stopDigest(name) };
    const marker = { ...valueOf(key, null), seen: hour };
    await this.add([marker]);
    // It is there already when the field was stopped before.
    await this.values.name(marker);
    await this.values.removeField(change, name);
  }

  /** Counts how many had a value that has no name yet, and names it once enough senders had. */
  private async name(changes: readonly FacetChange[]): Promise<void> {
    const seen = new Set<KnownValue>();
    for (const change of changes) {
      const value = this.known.get(textOfKey(change));
      if (value?.text !== null) continue;
      // What was forgotten may be taken back still.
      value.seen = Math.max(value.seen + change.amount, 0);
      if (value.seen >= NAMED_FROM && (await this.values.haveSent(NAMED_FROM, value))) {
        value.text = change.text;
      }
      seen.add(value);
    }
    for (const value of seen) await this.values.name(value);
  }

  private async add(values: readonly KnownValue[]): Promise<void> {
    await this.values.add(values);
    for (const value of values) this.known.set(textOfKey(value), value);
  }
}

function valueOf(change: FacetKey & { name: string }, text: string | null): KnownValue {
  const { accountId, formId, facet, digest, name } = change;
  return { accountId, formId, facet, digest, name, text, seen: 0 };
}

/** Tells whether an hour is one that a field is not counted in: from before it is counted anew. */
function isWithin(marker: KnownValue | undefined, hour: number): boolean {
  return marker !== undefined && hour < marker.seen + STOPPED_HOURS;
}

/** Groups changes by what they are of. */
function bySet(changes: readonly FacetChange[]): FacetChange[][] {
  const sets = new Map<string, FacetChange[]>();
  for (const change of changes) {
    const { accountId, formId, facet } = change satisfies FacetSet;
    const key = `${accountId} ${formId} ${facet}`;
    const known = sets.get(key);
    if (known) known.push(change);
    else sets.set(key, [change]);
  }
  return [...sets.values()];
}

/** Rows that one transaction takes away: SQLite nests conditions no deeper than 1,000. */
const ROWS_AT_ONCE = 150;

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

  /** Forgets what a value said once the last submission that had it is removed: its number stays, without a name. */
  async forget(tx: EntityManager, { formId, values: erased }: Erased): Promise<void> {
    const digests = new Set(erased.flatMap((each) => each.digests));
    if (formId === null || digests.size === 0) return;
    const values = this.values.in(tx);
    const accountId = await accountOf(tx, formId);
    for (const value of await values.ofFields({ accountId, formId })) {
      if (value.facet !== FIELD || value.text === null || !digests.has(value.digest)) continue;
      if (!(await values.isThere(value))) await values.name({ ...value, text: null, seen: 0 });
    }
  }

  /** Removes the counts of a deleted form, and takes them from those of its account, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
    const forgetSome = () => this.unitOfWork.run((tx) => this.forgetSome(tx, formId));
    await inPortions(forgetSome, signal);
  }

  private async forgetSome(tx: EntityManager, formId: number): Promise<number> {
    const accountId = await accountOf(tx, formId, true);
    const rows = await this.counts.in(tx).takeSome(accountId, formId, ROWS_AT_ONCE);
    const hours = rows.filter(({ length, facet }) => length === LENGTHS[0] && facet !== FIELD);
    await this.apply(
      tx,
      hours.map(({ facet, digest, begins, submissions }) => ({
        ...{ accountId, formId: ALL_FORMS, facet, digest: digest.toString('hex'), hour: begins },
        ...{ amount: -submissions, name: '', text: null },
      })),
    );
    if (rows.length === 0) await this.values.in(tx).removeForm(accountId, formId);
    return rows.length;
  }

  private async apply(tx: EntityManager, changes: readonly FacetChange[]): Promise<void> {
    const summed = summedUp(changes);
    if (summed.length === 0) return;
    const values = this.values.in(tx);
    const asked = new Map(summed.flatMap(keysFor).map((key) => [textOfKey(key), key]));
    const inOrder = [...asked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
    const known = new Map<string, KnownValue>();
    for (const value of await values.known(inOrder)) known.set(textOfKey(value), value);
    const counted = await new FacetAdmission(values, known).admit(summed);
    await this.counts.in(tx).addToHours(counted);
  }
}

/** Returns what has to be known to count it: what it is, and whether its field is counted at all. */
function keysFor(change: FacetChange): FacetKey[] {
  if (change.facet !== FIELD) return [change];
  return [change, { ...change, facet: STOPPED, digest: stopDigest(change.name) }];
}

/** Adds up what is in the same hour. */
function summedUp(changes: readonly FacetChange[]): FacetChange[] {
  const sums = new Map<string, FacetChange>();
  for (const change of changes) {
    const field = change.facet === FIELD ? change.name : '';
    const key = `${textOfKey(change)} ${change.hour} ${field}`;
    const known = sums.get(key);
    if (known) known.amount += change.amount;
    else sums.set(key, { ...change });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
