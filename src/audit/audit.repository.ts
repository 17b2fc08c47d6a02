import { Injectable } from '@nestjs/common';
import { In, LessThan, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { firstUuidAt } from '../platform/kernel/uuid.js';
import { AuditEntry } from './audit-entry.entity.js';

/** Which entries are asked for; what is left out does not matter. */
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

/** Rows that are removed in one transaction. */
const REMOVED_AT_ONCE = 500;

/** Reads and writes the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): AuditRepository {
    return new AuditRepository({ manager: tx });
  }

  private get entries(): Repository<AuditEntry> {
    return this.source.manager.getRepository(AuditEntry);
  }

  async insert(entry: AuditEntry): Promise<void> {
    await this.entries.insert(entry);
  }

  /** Newest first. */
  list(
    accountId: number,
    filter: AuditFilter,
    { page, perPage }: { page: number; perPage: number },
  ): Promise<[AuditEntry[], number]> {
    const { since, until, ...equal } = filter;
    const query = this.entries.createQueryBuilder('entry').where({ accountId, ...equal });
    if (since) query.andWhere('entry.id >= :since', { since: firstUuidAt(since) });
    if (until) query.andWhere('entry.id < :until', { until: firstUuidAt(until) });
    return query
      .orderBy('entry.id', 'DESC')
      .skip((page - 1) * perPage)
      .take(perPage)
      .getManyAndCount();
  }

  /** @returns how many were removed; fewer than are asked for at once means that none is left */
  async removeBefore(moment: Date): Promise<number> {
    const old = await this.entries.find({
      select: { id: true },
      where: { id: LessThan(firstUuidAt(moment)) },
      take: REMOVED_AT_ONCE,
    });
    if (old.length > 0) await this.entries.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }
}
