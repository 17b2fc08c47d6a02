import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountChangeForbidden } from '../accounts/account.errors.js';
import { ClientsService } from '../clients/clients.service.js';
import type { AttemptResult } from '../deliveries/model/attempt-result.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { ReportLinks } from './report-links.service.js';
import { ReportPost } from './report-post.service.js';
import { ReportRecipient } from './report-recipient.entity.js';
import { WHOLE_ACCOUNT } from './week.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { NobodyGetsReport } from './report.errors.js';
import { ReportsService } from './reports.service.js';
import { WeeklyStates } from './weekly-state.service.js';

/** Tells who gets a report by mail. */
export interface ReportMail {
  recipients: string[];
  /** Those of them that have yet to confirm, and get nothing until then. */
  unconfirmed: string[];
}

/** How sending a report to one recipient ended. */
export interface SentReport {
  to: string;
  ended: AttemptResult;
}

/**
 * Keeps who gets the monthly report of a client by mail, or the weekly mail of an account, and sends it when asked: the
 * client of a weekly mail is WHOLE_ACCOUNT.
 */
@Injectable()
export class ReportMails implements OnModuleInit {
  constructor(
    private readonly rows: ReportRecipientsRepository,
    private readonly reports: ReportsService,
    private readonly weekly: WeeklyStates,
    private readonly post: ReportPost,
    private readonly links: ReportLinks,
    private readonly clients: ClientsService,
    private readonly access: FormQueries,
    private readonly recipients: RecipientsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.clients.onDeleted((tx, { id }) => this.rows.in(tx).removeOf(id));
  }

  /** @throws ClientNotFound, AccountChangeForbidden */
  async show(principal: Principal, clientId: number): Promise<ReportMail> {
    await this.assertHas(principal, clientId);
    const recipients = (await this.rows.list(principal.accountId, clientId)).map(
      ({ email }) => email,
    );
    const reached = await this.recipients.reachable(principal.accountId, recipients);
    return { recipients, unconfirmed: recipients.filter((email) => !reached.includes(email)) };
  }

  /**
   * Sets who gets the report, none for nobody. New ones get that of this month first; who must confirm is asked, at most
   * once a day.
   * @throws ClientNotFound
   */
  async replace(principal: Principal, clientId: number, emails: string[]): Promise<ReportMail> {
    const { accountId } = principal;
    await this.assertHas(principal, clientId);
    await this.unitOfWork.run(async (tx) => {
      await this.record(tx, principal, clientId);
      const rows = this.rows.in(tx);
      const known = await rows.list(accountId, clientId);
      const wanted = new Map(emails.map((email) => [email.toLowerCase(), email]));
      const had = new Set(known.map(({ email }) => email.toLowerCase()));
      const dropped = known.filter(({ email }) => !wanted.has(email.toLowerCase()));
      await rows.remove(dropped.map(({ id }) => id));
      const now = this.unitOfWork.now();
      const added = [...wanted].filter(([key]) => !had.has(key));
      await rows.add(
        added.map(([, email]) => ReportRecipient.create({ accountId, clientId }, email, now)),
      );
      const scope = { accountId, clientId: clientId === WHOLE_ACCOUNT ? null : clientId };
      const form = { id: await this.access.firstForm(scope, tx), accountId };
      await this.recipients.add(tx, form, [...wanted.values()], principal);
    });
    return this.show(principal, clientId);
  }

  /**
   * Sends a month to all recipients that have confirmed, now and once, and says how that ended for each.
   * @param month such as `2030-01`; null for the last one that is over
   * @throws ClientNotFound, NobodyGetsReport, RateLimited
   */
  async send(principal: Principal, clientId: number, month: string | null): Promise<SentReport[]> {
    await this.assertReached(principal, clientId);
    const report = await this.reports.ofClient(principal, clientId, month);
    this.limits.admitMail('report-mail', clientId);
    await this.audit.recordAloneBy(principal, {
      action: 'report.sent',
      target: { kind: 'client', id: clientId, name: report.client.name },
      details: { month: report.month },
    });
    return this.sendAll(principal, clientId, (row) =>
      this.post.send(report, row, formatUuid(makeUuid())),
    );
  }

  /** Sends the weekly mail as `send` does. @throws NobodyGetsReport, RateLimited */
  async sendWeekly(principal: Principal): Promise<SentReport[]> {
    const { accountId } = principal;
    await this.assertReached(principal, WHOLE_ACCOUNT);
    const state = await this.weekly.of(accountId);
    this.limits.admitMail('weekly-mail', accountId);
    const target = { kind: 'account', id: accountId, name: null } as const;
    await this.audit.recordAloneBy(principal, { action: 'weekly_mail.sent', target });
    return this.sendAll(principal, WHOLE_ACCOUNT, (row) =>
      this.post.sendWeekly(state, row, formatUuid(makeUuid())),
    );
  }

  /**
   * Ends the reports to somebody who was removed from an account, or from one of its clients.
   * @param scope what they were removed from
   * @param left where they still belong: what of that they get stays
   */
  async forget(
    tx: EntityManager,
    { accountId, clientId }: Scope,
    email: string,
    left: readonly Scope[],
  ): Promise<void> {
    const places = left.map((place) => place.clientId);
    if (places.includes(null)) return;
    const rows = this.rows.in(tx);
    const ended = (await rows.listTo(accountId, email)).filter(
      (row) => (clientId ?? row.clientId) === row.clientId && !places.includes(row.clientId),
    );
    await rows.remove(ended.map(({ id }) => id));
  }

  /** Checks a link. @throws ReportLinkOver */
  async open(link: string): Promise<void> {
    await this.links.open(link);
  }

  /** Ends the reports that a link is about; what has ended already stays so. @throws ReportLinkOver */
  async end(link: string): Promise<void> {
    const id = await this.links.open(link);
    await this.unitOfWork.run((tx) => this.rows.in(tx).remove([id]));
  }

  /** @throws ClientNotFound, AccountChangeForbidden */
  private async assertHas(principal: Principal, clientId: number): Promise<void> {
    if (clientId !== WHOLE_ACCOUNT) await this.clients.assertHas(principal, clientId);
    else if (principal.clientId !== null) throw new AccountChangeForbidden();
  }

  /** @throws ClientNotFound, NobodyGetsReport */
  private async assertReached(principal: Principal, clientId: number): Promise<void> {
    const { recipients, unconfirmed } = await this.show(principal, clientId);
    if (recipients.length === unconfirmed.length) throw new NobodyGetsReport();
  }

  /** Records a change; a client that is being deleted would leave rows behind. */
  private async record(tx: EntityManager, principal: Principal, clientId: number): Promise<void> {
    if (clientId !== WHOLE_ACCOUNT) {
      const details = { settings: 'report_mail.recipients' };
      await this.clients.recordChange(tx, principal, clientId, details);
      return;
    }
    await this.audit.recordBy(tx, principal, {
      action: 'account.changed',
      target: { kind: 'account', id: principal.accountId, name: null },
      details: { settings: 'weekly_mail.recipients' },
    });
  }

  private async sendAll(
    { accountId }: Principal,
    clientId: number,
    send: (row: ReportRecipient) => Promise<AttemptResult>,
  ): Promise<SentReport[]> {
    const rows = await this.rows.list(accountId, clientId);
    const emails = await this.recipients.reachable(
      accountId,
      rows.map(({ email }) => email),
    );
    const reached = rows.filter(({ email }) => emails.includes(email));
    return Promise.all(reached.map(async (row) => ({ to: row.email, ended: await send(row) })));
  }
}
