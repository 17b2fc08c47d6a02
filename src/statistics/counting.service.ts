import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { inPortions, BackgroundTask, type TaskRun, SECOND_MS } from '../platform/index.js';
import { UnitOfWork } from '../platform/database/index.js';
import { Projected, type Erased, type Projection } from '../forms/projections.js';
import {
  CAMPAIGN,
  COUNTRY,
  facetDigest,
  FIELD,
  ORIGIN,
  OTHER,
  PAGE,
  type FacetAmount,
} from '../submissions/model/facet.js';
import { CountersRepository, type Count } from './counters.repository.js';
import {
  beginOf,
  LENGTHS,
  allFormsOf,
  CAMPAIGNS,
  COUNTRIES,
  FIELDS,
  ORIGINS,
  PAGES,
  RECEIVED,
  REFUSED,
  SUM_NAMES,
  type Sums,
  VISITS,
} from './sums.js';

/** Items that a form, or all of an account, has for each name; later ones are counted together, for good. */
export const NAMED_MAX = 200;
/** Values of a field, and fields of a form. */
const FIELD_VALUES_MAX = 20;
const FIELDS_MAX = 12;
/** Senders from which on a value of a field is named, so that none says of one person what they wrote. */
const NAMED_FROM = 3;
/** Rows that one transaction takes away: SQLite nests conditions no deeper than 1,000. */
const ROWS_AT_ONCE = 150;

const FACETS = { [PAGE]: PAGES, [ORIGIN]: ORIGINS, [COUNTRY]: COUNTRIES, [FIELD]: FIELDS, [CAMPAIGN]: CAMPAIGNS };

/** Amounts to add for a form in an hour of UTC, in whole hours since 1970. */
export interface Received extends Partial<Sums> {
  formId: number;
  hour: number;
  facets?: readonly FacetAmount[];
}

/** An amount to add to an item. */
export interface Change extends Pick<Count, 'formId' | 'name' | 'item' | 'amount'> {
  hour: number;
  /** Name of the item; null for what cannot have one, absent where items have none. */
  text?: string | null;
}

/** Counts what forms receive and refuse, each once, in the transaction that takes it from where it waits. */
@Injectable()
@Projected({ tables: ['counters', 'counter_changes'] })
export class Counting implements Projection {
  constructor(
    private readonly counters: CountersRepository,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Adds what forms received. @param received added up, so that each facet of a form is looked at once */
  addReceived(tx: EntityManager, received: readonly Received[]) {
    return this.add(tx, received.flatMap(changesOf));
  }

  /** Adds to hours and to what is made of hours, of each form that is not deleted and of all of its account. */
  async add(tx: EntityManager, changes: readonly Change[]) {
    const counters = this.counters.in(tx);
    const some = changes.filter(({ amount }) => amount !== 0);
    const accounts = await counters.accountsOf([...new Set(some.map(({ formId }) => formId))]);
    const all = some.flatMap((change) => {
      const account = accounts.get(change.formId);
      if (account === undefined) return [];
      return isOfAccount(change) ? [change, { ...change, formId: allFormsOf(account) }] : [change];
    });
    await counters.add(rowsOf(await this.admit(counters, all)));
  }

  /** Counts what became of deliveries. */
  @BackgroundTask('count deliveries', SECOND_MS)
  async countDeliveries({ signal }: TaskRun): Promise<void> {
    const countSome = () =>
      this.deliveries.countSome((tx, changes) =>
        this.add(
          tx,
          changes.map(({ counter, ...change }) => ({ ...change, name: RECEIVED, item: counter })),
        ),
      );
    await inPortions(countSome, signal);
  }

  /** Forgets what a value said once the last submission that had it is removed: its number stays, without a name. */
  async forget(tx: EntityManager, { formId, values }: Erased) {
    const digests = new Set(values.flatMap((each) => each.digests));
    if (formId === null || digests.size === 0) return;
    const counters = this.counters.in(tx);
    for (const each of await counters.texts({ ids: [formId] }, ['formId', 'name', 'item'])) {
      if (!isValue(each) || each.text === null || !digests.has(each.item)) continue;
      if (!(await counters.isThere(formId, each.item))) await counters.setText(each, null);
    }
  }

  /** Removes the counts of a deleted form, and takes them from its account's counts, in small transactions. */
  async forgetForm(formId: number, signal?: AbortSignal) {
    const forgetSome = () =>
      this.unitOfWork.run(async (tx) => {
        const counters = this.counters.in(tx);
        const all = allFormsOf(await counters.lockAccountOf(formId));
        const rows = await counters.takeSome(formId, ROWS_AT_ONCE);
        const known = await this.itemsOf(counters, [all]);
        const less = rows.filter((row) => row.length > 0 && isOfAccount(row));
        await counters.add(
          less.map((row) => {
            const isNamed = row.name === RECEIVED || known.get(`${all} ${row.name}`)?.has(row.item);
            return { ...row, formId: all, item: isNamed ? row.item : OTHER, amount: -row.amount };
          }),
        );
        return rows.length;
      });
    await inPortions(forgetSome, signal);
  }

  /** Names what is new as far as there is room, and returns what is to be counted: by its name, or with all others. */
  private async admit(counters: CountersRepository, changes: Change[]) {
    const ids = new Set(changes.flatMap(({ formId, text }) => (text === undefined ? [] : [formId])));
    if (ids.size === 0) return changes;
    const known = await this.itemsOf(counters, [...ids]);
    const fresh: Change[] = [];
    const counted: Change[] = [];
    for (const change of changes) {
      const { formId, name, item, amount, text } = change;
      const key = `${formId} ${name}`;
      const items = known.get(key) ?? new Map<string, string | null>();
      const isNew = !items.has(item) && text !== undefined;
      if (isNew && text !== null && amount > 0 && hasRoom(known, change, items.size)) {
        known.set(key, items.set(item, isValue(change) ? null : text));
        fresh.push(change);
      } else if (isNew) {
        // What cannot be named makes no field known.
        if (items.size > 0 || !isValue(change)) counted.push({ ...change, item: OTHER });
        continue;
      }
      counted.push(change);
    }
    const row = { length: 0, begins: 0, amount: 0 };
    await counters.add(
      fresh.map(({ text = null, ...each }) => {
        return { ...each, ...row, text: isValue(each) ? null : text };
      }),
    );
    await this.nameValues(counters, counted, known, new Set(fresh));
    return counted;
  }

  /** Names values of fields once enough senders had them. */
  private async nameValues(
    counters: CountersRepository,
    changes: readonly Change[],
    known: ReadonlyMap<string, ReadonlyMap<string, string | null>>,
    fresh: ReadonlySet<Change>,
  ) {
    for (const change of changes) {
      const { formId, name, item, amount, text = null } = change;
      if (!isValue(change) || text === null || amount <= 0 || item === OTHER) continue;
      if (known.get(`${formId} ${name}`)?.get(item) !== null) continue;
      if (fresh.has(change) && amount < NAMED_FROM) continue;
      if (await counters.haveSent(NAMED_FROM, formId, item)) await counters.setText(change, text);
    }
  }

  /** Returns what items are called, by the form and the name. */
  private async itemsOf(counters: CountersRepository, ids: readonly number[]) {
    const known = new Map<string, Map<string, string | null>>();
    for (const { formId, name, item, text } of await counters.texts({ ids }, ['formId', 'name', 'item'])) {
      const key = `${formId} ${name}`;
      known.set(key, (known.get(key) ?? new Map<string, string | null>()).set(item, text));
    }
    return known;
  }
}

function changesOf({ formId, hour, facets = [], ...sums }: Received): Change[] {
  return [
    ...SUM_NAMES.map((item) => ({ formId, hour, name: RECEIVED, item, amount: sums[item] ?? 0 })),
    ...facets.map((each) => {
      const { facet, name, text, amount } = each;
      const of = `${FACETS[facet as keyof typeof FACETS]}${name}`;
      return { formId, hour, name: of, item: facetDigest(each), amount, text };
    }),
  ];
}

function rowsOf(changes: readonly Change[]): Count[] {
  return changes.flatMap(({ formId, name, item, amount, hour }) =>
    LENGTHS.map((length) => {
      return { formId, length, name, begins: beginOf(hour, length), item, amount, text: null };
    }),
  );
}

function isValue({ name }: Pick<Count, 'name'>) {
  return name.startsWith(FIELDS);
}

/** Values of fields, reasons and visits mean something within their form alone. */
const OF_FORM = new Set<string>([REFUSED, ...Object.values(VISITS).flatMap(Object.values<string>)]);
OF_FORM.delete(PAGES);

function isOfAccount(counter: Pick<Count, 'name'>) {
  return !OF_FORM.has(counter.name) && !isValue(counter);
}

/** Tells whether one more item has a name of its own. */
function hasRoom(known: ReadonlyMap<string, unknown>, change: Pick<Change, 'formId' | 'name'>, items: number) {
  if (!isValue(change)) return items < NAMED_MAX;
  if (items > 0) return items < FIELD_VALUES_MAX;
  const fields = [...known.keys()].filter((key) => key.startsWith(`${change.formId} ${FIELDS}`));
  return fields.length < FIELDS_MAX;
}
