import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Scope } from '../accounts/access/principal.js';
import { TransactionalRepository, placeholders, sqlDate } from '../platform/database/sql.js';
import { selectRows } from '../platform/database/select-rows.js';
import { firstUuidAt, timeOf } from '../platform/kernel/uuid.js';
import { Delivery, KINDS, TO_PEOPLE, type DeliveryKind } from './model/delivery.entity.js';
import {
  ABOUT_SUBMISSIONS,
  anyOfKind,
  FAILED_COUNT_MAX,
  type FailedCount,
  type ShownFilter,
} from './model/delivery-filter.js';

/** A hint for servers only: the primary key would lead them through the deliveries of all forms. */
const BY_KIND = '/*! IGNORE INDEX (PRIMARY) */';

const IS_OPEN = `COALESCE(${anyOfKind('failed')}, ${anyOfKind('pending')})`;

/** Finds the failed deliveries of forms, and counts them. */
@Injectable()
export class FailedDeliveriesRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);

  /**
   * Finds the ids of those of a form that match the filter and failed by `now`, some at a time: kind by kind, as the
   * index has them, and each portion behind the one before, so that none is read twice.
   */
  async *portionsOf(
    formId: number,
    filter: ShownFilter,
    now: Date,
    limit: number,
  ): AsyncGenerator<Buffer[]> {
    const failedFrom = sqlDate(filter.givenUpFrom ?? new Date(0));
    for (const kind of kindsOf(filter)) {
      for (let after: Buffer | null = null; ;) {
        const { sql, parameters } = idsOfKind(formId, kind, filter, after);
        const rows: { id: Buffer }[] = await this.source.manager.query(
          `${sql} AND settled_at BETWEEN ? AND ? ORDER BY id LIMIT ?`,
          [...parameters, failedFrom, sqlDate(now), limit],
        );
        const last = rows.at(-1)?.id;
        if (!last) break;
        yield rows.map(({ id }) => id);
        after = last;
      }
    }
  }

  /** Counts those of a form that match the filter, up to FAILED_COUNT_MAX. */
  async count(formId: number, filter: ShownFilter): Promise<FailedCount> {
    const [count, oldest, newest] = await Promise.all([
      this.countUpTo(formId, filter, FAILED_COUNT_MAX),
      this.endOf(formId, filter, 'ASC'),
      this.endOf(formId, filter, 'DESC'),
    ]);
    return { count, oldestAt: oldest && timeOf(oldest), newestAt: newest && timeOf(newest) };
  }

  /** Returns which of these submissions have one that somebody may know of, by the id as Latin-1. */
  async among(
    scope: Pick<Scope, 'clientId'>,
    submissionIds: readonly Buffer[],
  ): Promise<Set<string>> {
    if (submissionIds.length === 0) return new Set();
    // By submission alone: with the state too, SQLite would read all that failed.
    const found = await selectRows<{ id: Buffer; state: string; kind: DeliveryKind }>(
      this.source,
      `SELECT submission_id AS id, state, kind FROM deliveries
        WHERE submission_id IN (${placeholders(submissionIds)}) ${shownTo(scope)}`,
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
  async openAmong(
    formIds: readonly number[],
    kinds: readonly DeliveryKind[],
  ): Promise<Map<number, DeliveryKind[]>> {
    const found = new Map<number, DeliveryKind[]>();
    if (formIds.length === 0) return found;
    const rows = await selectRows<Record<string, unknown> & { id: number }>(
      this.source,
      `SELECT form.id AS id, ${kinds.map((_, index) => `${IS_OPEN} AS k${index}`).join(', ')}
        FROM \`forms\` form WHERE form.id IN (${placeholders(formIds)})`,
      [...kinds.flatMap((kind) => [kind, kind]), ...formIds],
    );
    for (const row of rows) {
      const open = kinds.filter((_, index) => row[`k${index}`] !== null);
      if (open.length > 0) found.set(row.id, open);
    }
    return found;
  }

  private async countUpTo(formId: number, filter: ShownFilter, max: number): Promise<number> {
    let count = 0;
    for (const kind of kindsOf(filter)) {
      const { sql, parameters } = idsOfKind(formId, kind, filter);
      const [row] = await this.source.manager.query<{ n: number | string }[]>(
        `SELECT COUNT(*) AS n FROM (${sql} LIMIT ?) AS counted`,
        [...parameters, max - count],
      );
      count += Number(row?.n);
    }
    return count;
  }

  /** Returns the id of the first or the last of them; the index has those of each kind in order. */
  private async endOf(formId: number, filter: ShownFilter, order: 'ASC' | 'DESC') {
    const ends: Buffer[] = [];
    for (const kind of kindsOf(filter)) {
      const { sql, parameters } = idsOfKind(formId, kind, filter);
      const [row] = await this.source.manager.query<{ id: Buffer }[]>(
        `${sql} ORDER BY id ${order} LIMIT 1`,
        parameters,
      );
      if (row) ends.push(row.id);
    }
    ends.sort((a, b) => (order === 'ASC' ? a.compare(b) : b.compare(a)));
    return ends[0] ?? null;
  }
}

/** Returns the kinds to look for, by the rule of `Delivery.isShownTo`. */
function kindsOf({ kind, clientId }: ShownFilter): readonly DeliveryKind[] {
  const kinds = kind ? [kind] : KINDS;
  return clientId === null ? kinds : kinds.filter((each) => !TO_PEOPLE.includes(each));
}

/** Selects the ids of one kind, which the index has in order. @param after only those behind this one */
function idsOfKind(
  formId: number,
  kind: DeliveryKind,
  { from, to, clientId }: ShownFilter,
  after: Buffer | null = null,
) {
  const [first, before] = rangeOf(from, to);
  // Of two bounds on the same side SQLite would begin at one of them.
  return {
    sql: `SELECT id FROM deliveries ${BY_KIND} WHERE form_id = ? AND kind = ? AND state = 'failed'
      AND id ${after ? '>' : '>='} ? AND id < ? ${shownTo({ clientId })}`,
    parameters: [formId, kind, after ?? first, before],
  };
}

/** Returns the rest of a condition that leaves out what somebody may not know of, but for its kind. */
function shownTo({ clientId }: Pick<Scope, 'clientId'>): string {
  return clientId === null ? '' : 'AND of_account = 0';
}

function rangeOf(from: Date | null, to: Date | null): [from: Buffer, before: Buffer] {
  return [firstUuidAt(from ?? new Date(0)), to ? firstUuidAt(to) : Buffer.alloc(16, 0xff)];
}
