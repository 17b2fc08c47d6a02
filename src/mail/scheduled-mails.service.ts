import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/index.js';
import { FailingRecipients } from '../deliveries/bounces/bounces.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts, LEASE_SECONDS } from '../deliveries/queue/call-timeouts.js';
import {
  type Turn,
  Config,
  fact,
  NotFoundError,
  DAY_MS,
  formatUuid,
  makeUuid,
  SigningService,
} from '../platform/index.js';
import { Jobs, type Job, UnitOfWork } from '../platform/database/index.js';
import { attemptMail, Mailer } from './mailer.js';
import { type Message, sentBy, type SentBy } from './parts/message.js';
import { Readers } from './mail-channel.js';

/** Rules of jobs that send a mail: a mail server gets ten minutes to recover, then twice as long after each try. */
export const MAILED = { leaseSeconds: LEASE_SECONDS, againSeconds: 600 };

/** Purpose of the signed link that ends mails; the digests of views had it first. */
const LINK = 'view-digest';
const LINK_TTL_MS = 400 * DAY_MS;

/** The link was altered, or is more than a year old. */
class MailLinkOver extends fact(
  NotFoundError,
  'mail_link_over',
  'This link has expired or is incomplete. You can also stop these emails where they were turned on.',
) {}

/** Writes a mail to an address. @param end path that ends these mails without signing in */
export type WriteMail = (end: string, by: SentBy, email: string) => Message;

/** Sends the mails that somebody gets again and again, each by a job, and ends them by a link. */
@Injectable()
export class ScheduledMails {
  constructor(
    private readonly jobs: Jobs,
    private readonly readers: Readers,
    private readonly failing: FailingRecipients,
    private readonly mailer: Mailer,
    private readonly timeouts: CallTimeouts,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /**
   * Sends the mail of a turn. A worker that is killed between the mail server's answer and its commit leaves a mail that is
   * sent once more under the same id of a message.
   * @throws MailDeferred when it is to be tried again
   */
  async sendIn({ job, lost, unwanted }: Turn, email: string, write: WriteMail) {
    unwanted.throwIfAborted();
    const { verdict, answer } = await this.send(job, email, write, job.turnId, lost);
    if (verdict !== 'delivered' && verdict !== 'refused') throw new MailDeferred(answer ?? verdict);
  }

  /**
   * Sends a mail like the client, or like the account to one of its own people, and says how that ended. Nothing goes
   * to an address whose emails come back.
   * @param messageId the same for each try of one mail
   * @param unwanted ends it early
   */
  async send(
    { id, accountId, clientId }: Pick<Job, 'id'> & Scope,
    email: string,
    write: WriteMail,
    messageId = formatUuid(makeUuid()),
    unwanted?: AbortSignal,
  ): Promise<AttemptResult> {
    const failing = await this.failing.among(accountId, [email]);
    if (failing.some((row) => row.stops('owner_email')))
      return attemptResult('refused', 'bounced_before', 'Emails to this address come back.');
    const brand = await this.readers.brandOfClient({ accountId, clientId }, email);
    const expiresAt = new Date(this.unitOfWork.now().getTime() + LINK_TTL_MS);
    const end = `/recipients/digests/${await this.signing.sign(LINK, id, expiresAt)}`;
    const message = write(end, sentBy(brand, this.config), email);
    return this.timeouts.run((signal) => {
      const ended = AbortSignal.any([signal, ...(unwanted ? [unwanted] : [])]);
      return attemptMail(this.mailer, messageId, message, ended);
    });
  }

  /** Returns the id of the job that a link is about. @throws MailLinkOver */
  async open(link: string): Promise<Buffer> {
    const id = await this.signing.verify(LINK, link, this.unitOfWork.now());
    if (id === null) throw new MailLinkOver();
    return id;
  }

  /** Ends the mails that a link is about; what has ended already stays so. @throws MailLinkOver */
  async end(link: string) {
    const id = await this.open(link);
    await this.unitOfWork.run((tx) => this.jobs.in(tx).remove({ id }));
  }
}

/** A mail server takes a mail later, perhaps. */
class MailDeferred extends Error {}
