import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Scope } from '../accounts/access/index.js';
import { TransactionalRepository, placeholders, sqlDate, selectRows } from '../platform/database/index.js';
import { firstUuidAt, timeOf } from '../platform/index.js';
import { Delivery, type DeliveryKind } from './model/delivery.entity.js';
import { ABOUT_SUBMISSIONS, anyOfKind, type FailedOf } from './model/delivery-filter.js';

/** A hint for servers only: the primary key would lead them through the deliveries of all forms. */
const BY_KIND = '/*! IGNORE INDEX (PRIMARY) */';

const IS_OPEN = `COALESCE(${anyOfKind('failed')}, ${anyOfKind('pending')})`;

/** Finds failed deliveries, and counts them. */
@Injectable()
export class FailedDeliveriesRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);

  /** Finds the ids of those that failed, some at a time, and each portion behind the one before, so that none is read twice. */
  async *portionsOf(of: FailedOf, limit: number): AsyncGenerator<Buffer[]> {
    for (const run of runsOf(of)) {
      for (let after: Buffer | undefined; ;) {
        const ids: Buffer[] = await this.idsIn(run, 'ASC', limit, after);
        after = ids.at(-1);
        if (!after) break;
        yield ids;
      }
    }
  }

  /** Counts them up to `max`. */
  async count(of: FailedOf, max: number) {
    let count = 0;
    for (const run of runsOf(of)) {
      const { sql, parameters } = selectIn(run);
      const [row] = await this.source.manager.query<{ n: number | string }[]>(
        `SELECT COUNT(*) AS n FROM (${sql} LIMIT ?) AS counted`,
        [...parameters, max - count],
      );
      count += Number(row?.n);
    }
    return count;
  }

  /** Returns when the first and the last of them were created; null for none. */
  async spanOf(of: FailedOf): Promise<{ oldestAt: Date | null; newestAt: Date | null }> {
    const ends: Buffer[] = [];
    for (const run of runsOf(of)) {
      for (const order of ['ASC', 'DESC'] as const) ends.push(...(await this.idsIn(run, order, 1)));
    }
    const [first, ...others] = ends.sort((one, other) => one.compare(other));
    const last = others.at(-1) ?? first;
    return { oldestAt: first ? timeOf(first) : null, newestAt: last ? timeOf(last) : null };
  }

  private async idsIn(run: Run, order: 'ASC' | 'DESC', limit: number, after?: Buffer) {
    const { sql, parameters } = selectIn(run, after);
    const rows = await this.source.manager.query<{ id: Buffer }[]>(`${sql} ORDER BY id ${order} LIMIT ?`, [
      ...parameters,
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Returns which of these submissions have one that somebody may know of, by the id as Latin-1. */
  async among({ clientId }: Pick<Scope, 'clientId'>, submissionIds: readonly Buffer[]): Promise<Set<string>> {
    if (submissionIds.length === 0) return new Set();
    // By submission alone: with the state too, SQLite would read all that failed.
    const found = await selectRows<{ id: Buffer; state: string; kind: DeliveryKind }>(
      this.source,
      `SELECT submission_id AS id, state, kind FROM deliveries
        WHERE submission_id IN (${placeholders(submissionIds)})
        ${clientId === null ? '' : 'AND of_account = 0'}`,
      submissionIds,
    );
    const kinds: readonly DeliveryKind[] = ABOUT_SUBMISSIONS;
    const failed = found.filter(({ state, kind }) => state === 'failed' && kinds.includes(kind));
    return new Set(failed.map(({ id }) => id.toString('latin1')));
  }

  /** Returns the submissions of a form that have one, in no order; null when more than `max` failed. */
  async submissionsOf(formId: number, max: number): Promise<Buffer[] | null> {
    const found = await this.deliveries.find({
      select: { id: true, submissionId: true },
      where: { formId, kind: In([...ABOUT_SUBMISSIONS]), state: 'failed' },
      take: max + 1,
    });
    if (found.length > max) return null;
    return found.flatMap(({ submissionId }) => submissionId ?? []);
  }

  /** Returns of which of these kinds each form has one that failed or waits, by the form; by one look into the index for each. */
  async openAmong(formIds: readonly number[], kinds: readonly DeliveryKind[]): Promise<Map<number, DeliveryKind[]>> {
    if (formIds.length === 0) return new Map();
    const rows = await selectRows<Record<string, unknown> & { id: number }>(
      this.source,
      `SELECT form.id AS id, ${kinds.map((_, index) => `${IS_OPEN} AS k${index}`).join(', ')}
        FROM \`forms\` form WHERE form.id IN (${placeholders(formIds)})`,
      [...kinds.flatMap((kind) => [kind, kind]), ...formIds],
    );
    const openIn = (row: (typeof rows)[number]) => kinds.filter((_, index) => row[`k${index}`] !== null);
    const open = rows.map((row) => [row.id, openIn(row)] as const);
    return new Map(open.filter(([, some]) => some.length > 0));
  }
}

/** Failed deliveries that an index has in the order of their ids. */
interface Run {
  where: string;
  parameters: unknown[];
  /** The lowest id among them, and the one behind them. */
  first: Buffer;
  end: Buffer;
}

/** Divides failed deliveries as an index has them: for a form, kind by kind. */
function runsOf(of: FailedOf): Run[] {
  const ids = { first: firstUuidAt(of.from ?? new Date(0)), end: of.to ? firstUuidAt(of.to) : Buffer.alloc(16, 0xff) };
  if (of.destinationId) {
    return [{ ...ids, where: 'destination_id = ?', parameters: [of.destinationId] }];
  }
  const { formId, kinds, failed } = of;
  const where = [
    'form_id = ? AND kind = ?',
    // A comparison, so that no server takes the index of destinations for it: most deliveries have none.
    ...(of.destinationId === null ? ['(destination_id IS NULL) = 1'] : []),
    ...(of.forClient ? ['of_account = 0'] : []),
    ...(failed ? ['settled_at BETWEEN ? AND ?'] : []),
  ].join(' AND ');
  const times = failed ? [sqlDate(failed.from), sqlDate(failed.to)] : [];
  return kinds.map((kind) => ({ ...ids, where, parameters: [formId, kind, ...times] }));
}

/** Selects the ids of a run. @param after only those behind this one */
function selectIn({ where, parameters, first, end }: Run, after?: Buffer) {
  // Of two bounds on the same side SQLite would begin at one of them.
  return {
    sql: `SELECT id FROM deliveries ${BY_KIND} WHERE ${where} AND state = 'failed'
      AND id ${after ? '>' : '>='} ? AND id < ?`,
    parameters: [...parameters, after ?? first, end],
  };
}
