import { FIELD, OTHER, STOPPED, stopDigest } from '../../submissions/model/facet.js';
import type { HourAmount } from './facet-counts.repository.js';
import { textOfKey, textOfSet, type FacetSet } from './facet-key.js';
import type { FacetValuesRepository, KnownValue } from './facet-values.repository.js';
import { beginOf, LENGTHS } from './stretches.js';

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
export interface FacetChange extends HourAmount {
  name: string;
  /** Null where it is not known any more, or is nothing to be named. */
  text: string | null;
}

/** Decides what is counted by its name, in the transaction that counts. */
export class FacetAdmission {
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
