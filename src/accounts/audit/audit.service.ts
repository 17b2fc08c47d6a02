import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, Principal, Scope } from '../access/index.js';
import {
  Config,
  hook,
  Hooks,
  DAY_MS,
  HOUR_MS,
  inPortions,
  BackgroundTask,
  type TaskRun,
} from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { AuditEntry, type AuditEvent, type PrincipalEvent } from './audit-entry.entity.js';
import { AuditRepository, type AuditFilter } from './audit.repository.js';

export type { AuditFilter };

/** Runs with the account in which somebody changed something; null for the whole service. */
export const Recorded = hook<(accountId: number | null) => void>();

/** Entries that are counted: counting all would read all. */
const COUNTED_MAX = 10_000;
/** Entries that an export reads at a time: some hundred kilobytes. */
const EXPORTED_AT_ONCE = 500;

/** Records who did what to what, and lists it. */
@Injectable()
export class AuditService {
  constructor(
    private readonly entries: AuditRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly hooks: Hooks,
  ) {}

  /** Records an action in its own transaction: both are stored, or neither. */
  async record(tx: EntityManager, actor: Actor, event: AuditEvent) {
    await this.entries.in(tx).insert(AuditEntry.of(actor, event, new Date()));
    await this.hooks.run(Recorded, event.accountId);
  }

  /**
   * Records an action of a principal in its own transaction, with the client that the principal acts for,
   * if any, and the person whose eyes it looks through.
   */
  recordBy(tx: EntityManager, principal: Principal, event: PrincipalEvent) {
    const { accountId, clientId, actor, reader, isOnlyLooking } = principal;
    const details = {
      ...(clientId !== null && { client_id: clientId }),
      ...(isOnlyLooking && { seen_as: reader.name }),
      ...event.details,
    };
    return this.record(tx, actor, { ...event, accountId, details });
  }

  /** Records an action of a principal that changes no row, such as an export. */
  recordAloneBy(principal: Principal, event: PrincipalEvent) {
    return this.unitOfWork.run((tx) => this.recordBy(tx, principal, event));
  }

  /** Records an action that changes no row, such as an export. */
  recordAlone(actor: Actor, event: AuditEvent) {
    return this.unitOfWork.run((tx) => this.record(tx, actor, event));
  }

  /**
   * Returns entries of an account, newest first. A client has none.
   * @returns one page of them, and how many there are on all pages, up to COUNTED_MAX
   */
  async list(
    scope: Scope,
    filter: AuditFilter,
    page: { page: number; perPage: number },
  ): Promise<{ entries: AuditEntry[]; total: number }> {
    if (scope.clientId !== null) return { entries: [], total: 0 };
    const entries = await this.entries.list(scope.accountId, filter, page);
    const total = await this.entries.countUpTo(scope.accountId, filter, COUNTED_MAX);
    return { entries, total };
  }

  /**
   * Returns entries of an account that are older than one, newest first. A client has none.
   * @param scope null for entries of no account
   * @param before null begins with the newest
   */
  async older(scope: Scope | null, filter: AuditFilter, before: Buffer | null, limit: number): Promise<AuditEntry[]> {
    if (scope && scope.clientId !== null) return [];
    return this.entries.older(scope?.accountId ?? null, filter, before, limit);
  }

  /**
   * Begins an export of an account's entries, which is recorded; they are read while it is sent.
   * @param format such as `csv`
   * @param scope null for what concerns the whole service
   */
  async export(
    principal: Principal,
    format: string,
    filter: AuditFilter,
    scope: Scope | null = principal,
  ): Promise<AsyncGenerator<AuditEntry[]>> {
    await this.recordAloneBy(principal, {
      action: 'audit.exported',
      target: { kind: 'account', id: principal.accountId, name: null },
      details: { format },
    });
    return this.read(scope, filter);
  }

  /** Removes the entries that are older than AUDIT_LOG_DAYS. @returns how many */
  @BackgroundTask('prune the audit log', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const moment = new Date(now.getTime() - this.config.auditLogDays * DAY_MS);
    return inPortions(() => this.unitOfWork.run((tx) => this.entries.in(tx).removeBefore(moment)), signal);
  }

  private async *read(scope: Scope | null, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
    for (let before: Buffer | null = null; ;) {
      const entries: AuditEntry[] = await this.older(scope, filter, before, EXPORTED_AT_ONCE);
      const last = entries.at(-1);
      if (!last) return;
      yield entries;
      before = last.id;
    }
  }
}
