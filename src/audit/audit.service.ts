import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../access/actor.js';
import type { Scope } from '../access/principal.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { AuditEntry, type AuditEvent } from './audit-entry.entity.js';
import { AuditRepository, type AuditFilter } from './audit.repository.js';

/** Keeps who did what to what, from where. */
@Injectable()
export class AuditService {
  constructor(
    private readonly entries: AuditRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Writes an entry in the transaction of what it is about: both are kept, or neither. */
  async record(tx: EntityManager, actor: Actor, event: AuditEvent): Promise<void> {
    await this.entries.in(tx).insert(AuditEntry.of(actor, event, new Date()));
  }

  /** Writes an entry about something that changes no row, such as an export. */
  recordAlone(actor: Actor, event: AuditEvent): Promise<void> {
    return this.unitOfWork.run((tx) => this.record(tx, actor, event));
  }

  /**
   * Finds entries of an account, newest first. A client has none.
   * @returns one page of them, and how many there are
   */
  async list(
    scope: Scope,
    filter: AuditFilter,
    page: { page: number; perPage: number },
  ): Promise<{ entries: AuditEntry[]; total: number }> {
    if (scope.clientId !== null) return { entries: [], total: 0 };
    const [entries, total] = await this.entries.list(scope.accountId, filter, page);
    return { entries, total };
  }

  /** Removes the entries from before a moment. Returns how many there were. */
  async forgetBefore(moment: Date, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    while (!signal?.aborted) {
      const more = await this.unitOfWork.run((tx) => this.entries.in(tx).removeBefore(moment));
      if (more === 0) return removed;
      removed += more;
    }
    return removed;
  }
}
