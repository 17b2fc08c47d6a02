import { Injectable } from '@nestjs/common';
import { MemberRemoved } from '../people/members/members.service.js';
import type { Person } from '../people/person/person.entity.js';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../accounts/access/index.js';
import { AccountChangeForbidden } from '../accounts/account.errors.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { ClientDeleted, type ClientKey, ClientsService } from '../clients/clients.service.js';
import type { AttemptResult } from '../deliveries/model/outcome.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { reportMail, weeklyMail } from '../mail/messages/report-mails.js';
import { MAILED, ScheduledMails, type WriteMail } from '../mail/scheduled-mails.service.js';
import { JobOf, type Turn, RateLimits } from '../platform/index.js';
import { Jobs, type Job, UnitOfWork } from '../platform/database/index.js';
import { type ClientReport, ReportsService } from './reports.service.js';
import { addMonths, lastMonth, mailedAt, mondayAfter, nameOf, NobodyGetsReport } from './week.js';

/** Returns how the mail of a report is written. */
function writeReport({ client, month, forms, totals, before }: ClientReport): WriteMail {
  const content = {
    ...{ clientName: client.name, month: nameOf(month), sums: totals, before },
    forms: forms.map((each) => ({ ...each, name: each.form.name })),
  };
  const report = `/clients/${client.id}/report?month=${month}`;
  return (end, by, email) => reportMail(content, { report, end }, by, email);
}

/** Tells who gets a report by mail. */
export interface ReportMail {
  recipients: string[];
  /** Recipients that have yet to confirm, and get nothing until then. */
  unconfirmed: string[];
}

/** How sending a report to one recipient ended. */
export interface SentReport {
  to: string;
  ended: AttemptResult;
}

/**
 * Keeps who gets the monthly report of a client by mail, or the weekly mail of an account, and sends it: each recipient has
 * a job. The `clientId` of a weekly mail is null.
 */
@Injectable()
export class ReportMails {
  constructor(
    private readonly jobs: Jobs,
    private readonly reports: ReportsService,
    private readonly mails: ScheduledMails,
    private readonly clients: ClientsService,
    private readonly forms: FormQueries,
    private readonly recipients: RecipientsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Mails the report of the last month that was over when it was due, and goes on to the month after. */
  @JobOf({ ...MAILED, kind: 'report', next: ({ nextAt }) => mailedAt(addMonths(lastMonth(nextAt), 1)) })
  async mailReport(turn: Turn): Promise<void> {
    const { accountId, clientId, nextAt } = turn.job;
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    if (!client || !(await this.isReached(turn.job))) return;
    const report = await this.reports.of(client, lastMonth(nextAt));
    await this.mails.sendIn(turn, turn.job.recipient, writeReport(report));
  }

  /** Mails how the week was, and goes on to the next Monday: a week that is over says nothing of now. */
  @JobOf({ ...MAILED, kind: 'week', next: (_, now) => mondayAfter(now) })
  async mailWeek(turn: Turn): Promise<void> {
    if (!(await this.isReached(turn.job))) return;
    await this.mails.sendIn(turn, turn.job.recipient, await this.writeWeek(turn.job));
  }

  @ClientDeleted()
  removeOf(tx: EntityManager, { accountId, id }: ClientKey): Promise<void> {
    return this.jobs.in(tx).remove({ kind: 'report', accountId, clientId: id });
  }

  /** @throws ClientNotFound, AccountChangeForbidden */
  async show(principal: Principal, clientId: number | null): Promise<ReportMail> {
    await this.assertHas(principal, clientId);
    const { accountId } = principal;
    const all = await this.jobs.list(jobsOf({ accountId, clientId }));
    const recipients = all.map(({ recipient }) => recipient);
    const reached = await this.recipients.reachable(accountId, recipients);
    return { recipients, unconfirmed: recipients.filter((email) => !reached.includes(email)) };
  }

  /**
   * Sets who gets the report, none for nobody. New ones get that of this month first; who must confirm is asked, at most
   * once a day.
   * @throws ClientNotFound
   */
  async replace(principal: Principal, clientId: number | null, emails: string[]): Promise<ReportMail> {
    const { accountId } = principal;
    const scope = { accountId, clientId };
    await this.assertHas(principal, clientId);
    await this.unitOfWork.run(async (tx) => {
      await this.record(tx, principal, clientId);
      const jobs = this.jobs.in(tx);
      const known = await jobs.list(jobsOf(scope));
      const wanted = new Map(emails.map((email) => [email.toLowerCase(), email]));
      for (const { id, recipient } of known) if (!wanted.has(recipient.toLowerCase())) await jobs.remove({ id });
      const had = new Set(known.map(({ recipient }) => recipient.toLowerCase()));
      const added = [...wanted].filter(([key]) => !had.has(key)).map(([, email]) => email);
      const now = this.unitOfWork.now();
      const nextAt = clientId === null ? mondayAfter(now) : mailedAt(addMonths(lastMonth(now), 1));
      await jobs.add(added.map((recipient) => ({ ...jobsOf(scope), recipient, nextAt })));
      const form = { id: await this.forms.firstForm(scope, tx), accountId };
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
    this.limits.admit('report-mail', clientId);
    await this.audit.recordAloneBy(principal, {
      action: 'report.sent',
      target: { kind: 'client', id: clientId, name: report.client.name },
      details: { month: report.month },
    });
    return this.sendAll(principal, clientId, writeReport(report));
  }

  /** Sends the weekly mail as `send` does. @throws NobodyGetsReport, RateLimited */
  async sendWeekly(principal: Principal): Promise<SentReport[]> {
    const { accountId } = principal;
    await this.assertReached(principal, null);
    const write = await this.writeWeek(principal);
    this.limits.admit('weekly-mail', accountId);
    const target = { kind: 'account', id: accountId, name: null } as const;
    await this.audit.recordAloneBy(principal, { action: 'weekly_mail.sent', target });
    return this.sendAll(principal, null, write);
  }

  /**
   * Ends the reports to somebody who was removed from an account, or from one of its clients.
   * @param scope what they were removed from
   * @param left where they still belong: what of that they get stays
   */
  @MemberRemoved()
  async forget(
    tx: EntityManager,
    { accountId, clientId }: Scope,
    { email }: Pick<Person, 'email'>,
    left: readonly Scope[],
  ): Promise<void> {
    const places = left.map((place) => place.clientId);
    if (places.includes(null)) return;
    const jobs = this.jobs.in(tx);
    for (const kind of ['report', 'week']) {
      for (const job of await jobs.list({ kind, accountId })) {
        const isTheirs = job.recipient.toLowerCase() === email.toLowerCase();
        const isEnded = (clientId ?? job.clientId) === job.clientId && !places.includes(job.clientId);
        if (isTheirs && isEnded) await jobs.remove({ id: job.id });
      }
    }
  }

  /** @throws ClientNotFound, AccountChangeForbidden */
  private async assertHas(principal: Principal, clientId: number | null) {
    if (clientId !== null) await this.clients.assertHas(principal, clientId);
    else if (principal.clientId !== null) throw new AccountChangeForbidden();
  }

  /** @throws ClientNotFound, NobodyGetsReport */
  private async assertReached(principal: Principal, clientId: number | null) {
    const { recipients, unconfirmed } = await this.show(principal, clientId);
    if (recipients.length === unconfirmed.length) throw new NobodyGetsReport();
  }

  /** Records a change; a client that is being deleted would leave rows behind. */
  private async record(tx: EntityManager, principal: Principal, clientId: number | null) {
    if (clientId !== null) {
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

  private async sendAll({ accountId }: Principal, clientId: number | null, write: WriteMail): Promise<SentReport[]> {
    const jobs = await this.jobs.list(jobsOf({ accountId, clientId }));
    const emails = jobs.map(({ recipient }) => recipient);
    const reached = await this.recipients.reachable(accountId, emails);
    return Promise.all(
      jobs
        .filter(({ recipient }) => reached.includes(recipient))
        .map(async (job) => {
          const { recipient: to } = job;
          return { to, ended: await this.mails.send(job, to, write) };
        }),
    );
  }

  /** Tells whether a recipient has confirmed, where that is asked for. */
  private async isReached({ accountId, recipient }: Job) {
    return (await this.recipients.reachable(accountId, [recipient])).length > 0;
  }

  private async writeWeek({ accountId }: Pick<Scope, 'accountId'>): Promise<WriteMail> {
    const state = await this.reports.weekOf(accountId);
    return (end, by, email) => weeklyMail(state, end, by, email);
  }
}

/** Returns what the jobs of all recipients of a client's report, or of the weekly mail, have in common. */
function jobsOf({ accountId, clientId }: Scope) {
  const of = clientId === null ? { kind: 'week', subject: accountId } : { kind: 'report', subject: clientId };
  return { ...of, subject: String(of.subject), accountId, clientId };
}
