import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/index.js';
import { firstUuidAt } from '../../platform/index.js';
import { AuditEntry } from './audit-entry.entity.js';

/** Selects entries by all properties that are given. */
export interface AuditFilter {
  action?: string;
  actorKind?: string;
  actorId?: number;
  targetKind?: string;
  targetId?: string;
  /** Entries of this moment and later. */
  since?: Date;
  /** Entries before this moment. */
  until?: Date;
}

/** Rows removed in one transaction: few enough that it ends within milliseconds. */
const REMOVED_AT_ONCE = 500;

/** Reads and writes the audit log. */
@Injectable()
export class AuditRepository extends TransactionalRepository {
  private readonly entries = this.rowsOf(AuditEntry);

  async insert(entry: AuditEntry) {
    await this.entries.insert(entry);
  }

  /** Returns one page of an account's entries, newest first. */
  list(
    accountId: number,
    filter: AuditFilter,
    { page, perPage }: { page: number; perPage: number },
  ): Promise<AuditEntry[]> {
    return this.select(accountId, filter)
      .skip((page - 1) * perPage)
      .take(perPage)
      .getMany();
  }

  /** Counts an account's entries, up to `max`. */
  async countUpTo(accountId: number, filter: AuditFilter, max: number) {
    const counted = this.select(accountId, filter).select('entry.id', 'id').limit(max);
    const [sql, parameters] = counted.getQueryAndParameters();
    const [row] = await this.entries.query<{ n: number | string }[]>(
      `SELECT COUNT(*) AS n FROM (${sql}) AS counted`,
      parameters,
    );
    return Number(row?.n);
  }

  /**
   * Returns entries older than one, newest first.
   * @param accountId null for entries of no account
   * @param before null begins with the newest
   */
  older(accountId: number | null, filter: AuditFilter, before: Buffer | null, limit: number): Promise<AuditEntry[]> {
    const query = this.select(accountId, filter);
    if (before) query.andWhere('entry.id < :before', { before });
    return query.take(limit).getMany();
  }

  private select(accountId: number | null, { since, until, ...equal }: AuditFilter) {
    const query = this.entries.createQueryBuilder('entry').where({ accountId: accountId ?? IsNull(), ...equal });
    if (since) query.andWhere('entry.id >= :since', { since: firstUuidAt(since) });
    if (until) query.andWhere('entry.id < :until', { until: firstUuidAt(until) });
    return query.orderBy('entry.id', 'DESC');
  }

  /** Removes up to REMOVED_AT_ONCE entries from before a moment. @returns how many */
  async removeBefore(moment: Date) {
    const old = await this.entries.find({
      select: { id: true },
      where: { id: LessThan(firstUuidAt(moment)) },
      take: REMOVED_AT_ONCE,
    });
    if (old.length > 0) await this.entries.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }
}
