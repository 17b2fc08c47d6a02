import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientDeleted, type ClientKey, ClientsService } from '../clients/clients.service.js';
import { Clock, DAY_MS, MINUTE_MS } from '../platform/kernel/time.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import { ReportLinkOver, nameOf, WHOLE_ACCOUNT, NobodyGetsReport } from './week.js';
import { FailingRecipients } from '../bounces/bounces.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts, LEASE_SECONDS } from '../deliveries/queue/call-timeouts.js';
import { attemptMail, Mailer } from '../mail/mailer.js';
import { Readers } from '../mail/readers.js';
import { reportMail, weeklyMail, type WeeklyMailContent } from '../mail/messages/report-mails.js';
import { type Message, sentBy, type SentBy } from '../mail/parts/message.js';
import { Config } from '../platform/config/config.js';
import { ReportRecipient } from './report-recipient.entity.js';
import { type ClientReport, ReportsService } from './reports.service.js';
import { RecipientsService } from '../deliveries/recipients/recipients.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/task-runner.js';
import { LeasedWork, type Leased } from '../platform/background/leased-work.js';
import { turnIdOf } from '../platform/database/leased-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import type { Principal, Scope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountChangeForbidden } from '../accounts/account.errors.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';

/** Purpose of the signed link in a mailed report. */
const LINK = 'report';
const LINK_TTL_MS = 400 * DAY_MS;

/** Writes a mail to an address. @param end path that ends these mails */
type Write = (end: string, by: SentBy, email: string) => Message;

/** Returns how the mail of a report is written. */
function reportOf({ client, month, forms, totals, before }: ClientReport): Write {
  const content = {
    ...{ clientName: client.name, month: nameOf(month), sums: totals, before },
    forms: forms.map((each) => ({ ...each, name: each.form.name })),
  };
  const report = `/clients/${client.id}/report?month=${month}`;
  return (end, by, email) => reportMail(content, { report, end }, by, email);
}

/** Returns how the weekly mail is written. */
function weekOf(state: WeeklyMailContent): Write {
  return (end, by, email) => weeklyMail(state, end, by, email);
}

/** Mails a report, or the weekly mail, to one recipient. */
@Injectable()
export class ReportPost {
  constructor(
    private readonly readers: Readers,
    private readonly failing: FailingRecipients,
    private readonly mailer: Mailer,
    private readonly timeouts: CallTimeouts,
    private readonly config: Config,
    private readonly signing: SigningService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a mail like the client, or like the account to one of its own people, and says how that ended. Nothing goes
   * to an address whose emails come back.
   * @param messageId the same for each try of one mail
   * @param unwanted ends it early
   */
  async send(
    write: Write,
    { id, accountId, clientId, isWeekly, email }: ReportRecipient,
    messageId: string,
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const failing = await this.failing.among(accountId, [email]);
    if (failing.some((row) => row.stops('owner_email')))
      return attemptResult('refused', 'bounced_before', 'Emails to this address come back.');
    const scope = { accountId, clientId: isWeekly ? null : clientId };
    const by = sentBy(await this.readers.brandOfClient(scope, email), this.config);
    const message = write(await this.pathFor(id), by, email);
    return this.timeouts.run((signal) => {
      const ended = AbortSignal.any([signal, ...(unwanted ? [unwanted] : [])]);
      return attemptMail(this.mailer, messageId, message, ended);
    });
  }

  /** Makes the path that ends the reports to a recipient. */
  async pathFor(recipientId: Buffer): Promise<string> {
    const expiresAt = new Date(this.clock.now().getTime() + LINK_TTL_MS);
    return `/recipients/reports/${await this.signing.sign(LINK, recipientId, expiresAt)}`;
  }

  /** Returns the id of the recipient. @throws ReportLinkOver when the link was altered, or is too old */
  async open(link: string): Promise<Buffer> {
    const id = await this.signing.verify(LINK, link, this.clock.now());
    if (id === null) throw new ReportLinkOver();
    return id;
  }
}

/**
 * Mails the reports of a month that is over, and the weekly mails. Workers on one database claim recipients with a lease. A worker that is
 * killed between the mail server's answer and its commit leaves a report that is sent once more under the same id of
 * a message, as with other mails.
 */
@Injectable()
export class ReportMailWorker {
  private readonly logger = new Logger(ReportMailWorker.name);

  constructor(
    private readonly rows: ReportRecipientsRepository,
    private readonly reports: ReportsService,
    private readonly post: ReportPost,
    private readonly clients: ClientsService,
    private readonly recipients: RecipientsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sends what is due. */
  @BackgroundTask('mail reports', MINUTE_MS)
  work({ now, signal }: TaskRun): Promise<void> {
    const { rows } = this;
    const due = new LeasedWork(this.unitOfWork, rows.leasesAt(now), LEASE_SECONDS);
    return due.each(async (leased) => {
      const { row, token, unwanted } = leased;
      const isDone = await this.take(leased).catch((error: unknown) => {
        this.logger.warn('A report could not be mailed', { error });
        return false;
      });
      // What the end of the process interrupts is no try.
      if (!isDone && unwanted.aborted) return;
      const again = isDone ? null : row.fail();
      if (!isDone && again === null)
        this.logger.warn('A report is given up', { clientId: row.clientId, tries: row.tries });
      if (again === null) row.advance(now);
      await this.unitOfWork.run((tx) => rows.in(tx).store(row, token, again ?? undefined));
    }, signal);
  }

  /** Mails a report, unless its recipient has yet to confirm. @returns false when it is to be tried again */
  private async take({ row, unwanted, lost }: Leased<ReportRecipient>): Promise<boolean> {
    const { accountId, clientId, email } = row;
    const client = row.isWeekly ? null : await this.clients.find(accountId, clientId);
    const reached = await this.recipients.reachable(accountId, [email]);
    if (!(client ?? row.isWeekly) || reached.length === 0) return true;
    const write = client
      ? reportOf(await this.reports.of(client, row.month))
      : weekOf(await this.reports.weekOf(accountId));
    if (unwanted.aborted) return false;
    const { verdict, answer } = await this.post.send(write, row, turnIdOf(row), lost);
    if (verdict === 'delivered') return true;
    this.logger.warn('A report could not be mailed', { clientId, verdict, answer });
    return verdict === 'refused';
  }
}

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
export class ReportMails {
  constructor(
    private readonly rows: ReportRecipientsRepository,
    private readonly reports: ReportsService,
    private readonly post: ReportPost,
    private readonly clients: ClientsService,
    private readonly access: FormQueries,
    private readonly recipients: RecipientsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @ClientDeleted()
  removeOf(tx: EntityManager, { id }: ClientKey): Promise<void> {
    return this.rows.in(tx).removeOf(id);
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
    this.limits.admit('report-mail', clientId);
    await this.audit.recordAloneBy(principal, {
      action: 'report.sent',
      target: { kind: 'client', id: clientId, name: report.client.name },
      details: { month: report.month },
    });
    return this.sendAll(principal, clientId, reportOf(report));
  }

  /** Sends the weekly mail as `send` does. @throws NobodyGetsReport, RateLimited */
  async sendWeekly(principal: Principal): Promise<SentReport[]> {
    const { accountId } = principal;
    await this.assertReached(principal, WHOLE_ACCOUNT);
    const state = await this.reports.weekOf(accountId);
    this.limits.admit('weekly-mail', accountId);
    const target = { kind: 'account', id: accountId, name: null } as const;
    await this.audit.recordAloneBy(principal, { action: 'weekly_mail.sent', target });
    return this.sendAll(principal, WHOLE_ACCOUNT, weekOf(state));
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
    await this.post.open(link);
  }

  /** Ends the reports that a link is about; what has ended already stays so. @throws ReportLinkOver */
  async end(link: string): Promise<void> {
    const id = await this.post.open(link);
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
    write: Write,
  ): Promise<SentReport[]> {
    const rows = await this.rows.list(accountId, clientId);
    const emails = await this.recipients.reachable(
      accountId,
      rows.map(({ email }) => email),
    );
    const reached = rows.filter(({ email }) => emails.includes(email));
    return Promise.all(
      reached.map(async (row) => {
        const ended = await this.post.send(write, row, formatUuid(makeUuid()));
        return { to: row.email, ended };
      }),
    );
  }
}
