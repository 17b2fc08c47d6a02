import { Injectable } from '@nestjs/common';
import { ReadManager, placeholders } from '../../platform/database/sql.js';
import { selectRows } from '../../platform/database/select-rows.js';
import {
  foldersOf,
  type Condition,
  type Folder,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import {
  boundsOf,
  BY_FOLDER,
  BY_LIST,
  inOrderOf,
  tightest,
  type Bound,
  type Order,
  keyOf,
  countUpTo,
} from '../../submissions/rows/submission-ids.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { inSlices } from '../../platform/kernel/slices.js';
import type { Principal, Scope } from '../../access/principal.js';
import { SearchesBusy, SearchUnderWay } from '../../submissions/model/submission.errors.js';
import type { FormSummary } from '../../forms/form-queries.service.js';

const IN_FOLDER = 'trash = ? AND spam = ? AND done = ?';
/** Parts of one statement, one for each form and folder: SQLite takes at most 500. */
const PARTS_AT_ONCE = 400;
/** Forms whose first submissions are asked for together at first, and then twice as many: a page has mostly those of a few. */
const FORMS_OF_FIRST_PIECE = 8;

/** Which form and folder a submission is in. */
export type SubmissionState = Pick<Submission, 'id' | 'formId' | 'spam' | 'trash' | 'done'>;

/** Finds submissions of forms, few or many, by the index of their folders. */
@Injectable()
export class FormRowsRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Returns the ids of the first submissions of these forms in this order. Each form is asked for its first one, and
   * then those whose first ones come first are asked for more, some at a time, until no other form can have any.
   * @param filter its folders and times; the rest is not looked at
   */
  async inOrder(
    formIds: readonly number[],
    filter: SubmissionFilter,
    order: Order,
    limit: number,
    ...within: Bound[]
  ): Promise<Buffer[]> {
    const compare = inOrderOf(order);
    const bounds = [...within, ...boundsOf(filter)];
    if (formIds.length === 1) {
      const ids = await this.idsOfEach(formIds, foldersOf(filter), order, bounds, limit);
      return ids.sort(compare).slice(0, limit);
    }
    const first = [...(await this.firstOfEach(formIds, filter, order, ...within))];
    first.sort(([, a], [, b]) => compare(a, b));
    let found: Buffer[] = [];
    let forms = FORMS_OF_FIRST_PIECE;
    for (let at = 0; at < first.length; at += forms, forms *= 2) {
      const last = found[limit - 1];
      const some = first.slice(at, at + forms);
      if (last && some[0] && compare(last, some[0][1]) < 0) break;
      const narrow: Bound[] = last ? [...bounds, [order === 'ASC' ? '<' : '>', last]] : bounds;
      const ids = some.map(([formId]) => formId);
      const more = await this.idsOfEach(ids, foldersOf(filter), order, narrow, limit);
      found = [...found, ...more].sort(compare).slice(0, limit);
    }
    return found;
  }

  /**
   * Counts the submissions of these forms, up to `max`. The first form is asked alone: servers go through one faster than
   * through several.
   * @param formIds largest first
   * @param filter its folders and times; the rest is not looked at
   */
  async countUpTo(
    formIds: readonly number[],
    filter: SubmissionFilter,
    max: number,
  ): Promise<number> {
    let count = 0;
    for (const some of [formIds.slice(0, 1), formIds.slice(1)]) {
      if (some.length === 0 || count >= max) break;
      const { sql, parameters } = counted(some, filter, max - count);
      const [row] = await selectRows<{ n: number | string }>(
        this.source,
        `SELECT ${sql} AS n`,
        parameters,
      );
      count += Number(row?.n);
    }
    return count;
  }

  /** Returns the first id of each form in this order that its folders and times have; without forms that have none. */
  async firstOfEach(
    formIds: readonly number[],
    filter: Pick<SubmissionFilter, keyof Folder | 'from' | 'to'>,
    order: Order,
    ...bounds: Bound[]
  ): Promise<Map<number, Buffer>> {
    const first = new Map<number, Buffer>();
    const all = [...bounds, ...boundsOf(filter)];
    const compare = inOrderOf(order);
    const firstId = order === 'ASC' ? 'MIN(id)' : 'MAX(id)';
    for (const parts of partsOf(formIds, foldersOf(filter), all)) {
      const rows = await selectRows<{ form_id: number | string; id: Buffer | null }>(
        this.source,
        parts.map(({ sql }) => `SELECT ? AS form_id, ${firstId} AS id ${sql}`).join(' UNION ALL '),
        parts.flatMap(({ formId, parameters }) => [formId, ...parameters]),
      );
      for (const { form_id: named, id } of rows) {
        // MySQL sends numbers of a SELECT that are in no table as text.
        const formId = Number(named);
        const known = first.get(formId);
        if (id && (!known || compare(id, known) < 0)) first.set(formId, id);
      }
    }
    return first;
  }

  /** Reads the form and the folder of each of these submissions, in the order of the ids, without values. */
  async states(ids: readonly Buffer[]): Promise<SubmissionState[]> {
    if (ids.length === 0) return [];
    const rows = await selectRows<Pick<Submission, 'id' | 'formId'> & Record<keyof Folder, number>>(
      this.source,
      `SELECT id, form_id AS formId, spam, trash, done FROM submissions WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
    return ids.flatMap((id) => {
      const row = byId.get(keyOf(id));
      if (!row) return [];
      return [{ ...row, spam: row.spam === 1, trash: row.trash === 1, done: row.done === 1 }];
    });
  }

  private async idsOfEach(
    formIds: readonly number[],
    folders: readonly Folder[],
    order: Order,
    bounds: readonly Bound[],
    limit: number,
  ): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for (const parts of partsOf(formIds, folders, bounds)) {
      const selects = parts.map(
        ({ sql }, index) =>
          `SELECT id FROM (SELECT id ${sql} ORDER BY id ${order} LIMIT ?) AS f${index}`,
      );
      const rows = await selectRows<{ id: Buffer }>(
        this.source,
        selects.join(' UNION ALL '),
        parts.flatMap(({ parameters }) => [...parameters, limit]),
      );
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }
}

/** A form and a folder of it within bounds: a FROM and a WHERE. */
interface Part extends Condition {
  formId: number;
}

/**
 * Yields the parts of statements about each form and folder, as many for each as PARTS_AT_ONCE allows. Each part names its
 * form: for one that they learn only as they go, servers walk from the end of its folder to the bound.
 */
function* partsOf(
  formIds: readonly number[],
  folders: readonly Folder[],
  bounds: readonly Bound[],
): Generator<Part[]> {
  const narrow = tightest(bounds);
  const sql = `FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IN_FOLDER}${within(narrow)}`;
  const position = narrow.map(([, bound]) => bound);
  const all = formIds.flatMap((formId) =>
    folders.map((folder) => ({
      ...{ formId, sql },
      parameters: [formId, ...marksIn(folder), ...position],
    })),
  );
  yield* inSlices(all, PARTS_AT_ONCE);
}

/** Returns the number of what a filter means in these forms, as an expression; up to `max` of each folder are counted. */
function counted(formIds: readonly number[], filter: SubmissionFilter, max: number): Condition {
  const narrow = tightest(boundsOf(filter));
  const from = `FROM submissions ${BY_LIST} WHERE form_id IN (${placeholders(formIds)}) AND ${IN_FOLDER}${within(narrow)}`;
  const position = narrow.map(([, bound]) => bound);
  const parts = foldersOf(filter).map((folder) =>
    countUpTo(from, [...formIds, ...marksIn(folder), ...position], max),
  );
  return {
    sql: parts.map(({ sql }) => sql).join(' + '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function within(bounds: readonly Bound[]): string {
  return bounds.map(([side]) => ` AND id ${side} ?`).join('');
}

/** Returns a folder as the parameters of a statement. */
function marksIn({ trash, spam, done }: Folder): number[] {
  return [Number(trash), Number(spam), Number(done)];
}

/** Searches of this process that run at once: the rest of the database is for visitors. */
const RUNNING_MAX = 2;
/** How long a search waits for those before it, in milliseconds: longer than one of them may take. */
const WAIT_MS = 3_000;
/** Most searches that wait, in all, of one account and of one reader: nobody takes the places of others. */
const WAITING_MAX = 200;
const WAITING_OF_ACCOUNT_MAX = 100;
const WAITING_OF_ONE_MAX = 20;

/** Names whose search it is. */
interface Searcher {
  account: string;
  /** The client of the account for whom the reader acts, or the account itself. */
  client: string;
  reader: string;
}

interface Waiting extends Searcher {
  begin: () => void;
}

/**
 * Lets few searches run at a time, and of one reader only one. The others wait for a moment: accounts take turns,
 * and within an account its clients.
 */
@Injectable()
export class SearchGate {
  /** The readers whose searches run. */
  private readonly running = new Set<string>();
  /** When an account or a client last began a search, by a number that rises; kept while others wait. */
  private readonly begun = new Map<string, number>();
  private count = 0;
  private readonly waiting: Waiting[] = [];

  /**
   * Runs a search of somebody when it is its turn.
   * @throws SearchUnderWay when another one of the same reader still runs after WAIT_MS, or many of the reader wait
   * @throws SearchesBusy when those of others do
   * @throws the reason of `unwanted` when that is aborted before it is its turn
   */
  async run<Result>(
    principal: Pick<Principal, 'accountId' | 'clientId' | 'reader'>,
    search: () => Promise<Result>,
    unwanted?: AbortSignal,
  ): Promise<Result> {
    const searcher = searcherOf(principal);
    unwanted?.throwIfAborted();
    await this.turn(searcher, unwanted);
    try {
      return await search();
    } finally {
      this.running.delete(searcher.reader);
      this.beginNext();
    }
  }

  private async turn(searcher: Searcher, unwanted?: AbortSignal): Promise<void> {
    const { account, reader } = searcher;
    if (this.mayBegin(searcher)) {
      this.note(searcher);
      return;
    }
    const count = (isMeant: (other: Waiting) => boolean) => this.waiting.filter(isMeant).length;
    if (count((other) => other.reader === reader) >= WAITING_OF_ONE_MAX) throw new SearchUnderWay();
    const ofAccount = count((other) => other.account === account);
    if (ofAccount >= WAITING_OF_ACCOUNT_MAX || this.waiting.length >= WAITING_MAX) {
      throw this.refusalFor(reader);
    }
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        ...searcher,
        begin: () => {
          forget();
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        forget();
        reject(unwanted?.aborted ? asError(unwanted.reason) : this.refusalFor(reader));
      };
      const timer = setTimeout(leave, WAIT_MS);
      unwanted?.addEventListener('abort', leave);
      const forget = () => {
        clearTimeout(timer);
        unwanted?.removeEventListener('abort', leave);
      };
      this.waiting.push(entry);
    });
  }

  private beginNext(): void {
    const [next] = this.waiting
      .filter((entry) => this.mayBegin(entry))
      .sort(
        (one, other) =>
          this.lastOf(one.account) - this.lastOf(other.account) ||
          this.lastOf(one.client) - this.lastOf(other.client),
      );
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    if (this.waiting.length === 0) this.begun.clear();
    // Before its own turn of the event loop, so that nobody else takes its place.
    this.note(next);
    next.begin();
  }

  private note({ account, client, reader }: Searcher): void {
    this.running.add(reader);
    this.count++;
    for (const name of [account, client]) this.begun.set(name, this.count);
  }

  private lastOf(name: string): number {
    return this.begun.get(name) ?? 0;
  }

  private mayBegin({ reader }: Searcher): boolean {
    return this.running.size < RUNNING_MAX && !this.running.has(reader);
  }

  private refusalFor(reader: string): Error {
    return this.running.has(reader) ? new SearchUnderWay() : new SearchesBusy();
  }
}

function searcherOf({
  accountId,
  clientId,
  reader: { kind, id },
}: Pick<Principal, 'accountId' | 'clientId' | 'reader'>): Searcher {
  const account = String(accountId);
  return { account, client: `${account}/${clientId ?? ''}`, reader: `${kind} ${id ?? ''}` };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Says what somebody looks for: what a filter means in forms that a scope sees. */
export interface Selection {
  scope: Scope;
  /** Null: all that the scope sees, where they are too many to be listed. */
  forms: readonly FormSummary[] | null;
  filter: SubmissionFilter;
}

/** A selection whose forms are known, however many. */
export interface ListedSelection extends Selection {
  forms: readonly FormSummary[];
}
