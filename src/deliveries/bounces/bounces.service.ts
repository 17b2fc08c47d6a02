import {
  type ImapMailbox,
  isLoopback,
  countersBy,
  counter,
  Measured,
  inSlices,
  formatUuid,
  Signals,
  BackgroundTask,
  type TaskRun,
  Config,
  MINUTE_MS,
} from '../../platform/index.js';
import { Injectable, Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Delivery } from '../model/delivery.entity.js';
import { beginningOf, type OutcomeName } from '../model/outcome.js';
import { FORM_TOPICS, formTarget } from '../../forms/model/form-changes.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { BouncesRepository } from './bounces.repository.js';
import { type Bounce, type BounceKind, readDsn, MESSAGE_MAX_BYTES } from './reading/dsn.js';
import { FailingRecipient } from './model/failing-recipient.entity.js';
import type { Principal } from '../../accounts/access/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import type { Form } from '../../forms/model/form.entity.js';

/** Reports whose mails one statement looks up, and those that one transaction records. */
const LOOKED_UP_AT_ONCE = 500;
const RECORDED_AT_ONCE = 50;

const OUTCOMES = {
  permanent: 'bounced',
  failed: 'bounced',
  delayed: 'delayed',
  complaint: 'complained',
} as const satisfies Record<BounceKind, OutcomeName>;

/** Takes reports of mails that came back: who sends a report has to know the delivery and its recipient. */
@Injectable()
export class BouncesService {
  private readonly logger = new Logger(BouncesService.name);
  /** Counts reports that were recorded, by their kind. */
  private readonly taken = countersBy('kind');

  constructor(
    private readonly rows: BouncesRepository,
    private readonly forms: FormQueries,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {
    for (const kind of Object.keys(OUTCOMES)) this.taken.of(kind);
  }

  @Measured()
  metrics() {
    return [
      counter(
        'fcs_mail_reports_total',
        'Reports about mails after a server had accepted them, by this process: permanent, failed, delayed, complaint.',
        this.taken,
      ),
    ];
  }

  /**
   * Records reports; ignores reports of other mails, and any recorded before.
   * @returns how many were recorded
   */
  async take(bounces: readonly Bounce[]) {
    let count = 0;
    for (const some of inSlices(bounces, LOOKED_UP_AT_ONCE)) {
      // Most of what a provider reports may be about mails of others.
      const ours = (await this.mailsOf(some)).map(([bounce]) => bounce);
      await nextTurn();
      for (const few of inSlices(ours, RECORDED_AT_ONCE)) {
        count += await this.takeSome(few);
        await nextTurn();
      }
    }
    return count;
  }

  /** Pairs reports with the mails that they are about; leaves out reports of other mails. */
  private async mailsOf(bounces: readonly Bounce[], tx?: EntityManager) {
    const found = await this.rows.in(tx).mails(bounces.map(({ deliveryId }) => deliveryId));
    const byId = new Map(found.map((delivery) => [formatUuid(delivery.id), delivery]));
    return bounces.flatMap((bounce): [Bounce, Delivery][] => {
      const delivery = byId.get(formatUuid(bounce.deliveryId));
      return delivery && isOf(bounce, delivery) ? [[bounce, delivery]] : [];
    });
  }

  /** Records reports in one transaction. @returns how many */
  private async takeSome(bounces: readonly Bounce[]) {
    const recorded = await this.unitOfWork.run(async (tx) => {
      const all: [Bounce, Delivery][] = [];
      for (const [bounce, delivery] of await this.mailsOf(bounces, tx)) {
        if (await this.record(tx, bounce, delivery)) all.push([bounce, delivery]);
      }
      return all;
    });
    for (const [{ kind, code }, { id, formId }] of recorded) {
      this.taken.of(kind).add();
      this.signals.give(FORM_TOPICS.changed, formId);
      this.logger.log('A mail came back', { deliveryId: formatUuid(id), kind, code });
    }
    return recorded.length;
  }

  private async record(tx: EntityManager, bounce: Bounce, found: Delivery) {
    const { kind, code, reason } = bounce;
    const rows = this.rows.in(tx);
    const at = this.unitOfWork.now();
    const answer = beginningOf(reason === '' ? 'No reason was given.' : reason);
    const report = { at, durationMs: 0, trigger: 'scheduled', outcome: OUTCOMES[kind] } as const;
    if (!(await rows.record(found, { ...report, code, answer }))) return false;
    const { id: deliveryId, recipient, formId } = found;
    const submissionId = isToVisitor(found) ? found.submissionId : null;
    if (kind !== 'permanent' && (kind !== 'complaint' || !isToVisitor(found))) return true;
    const form = await this.forms.find(formId, tx);
    if (!form) return true;
    const row = { accountId: form.accountId, deliveryId, formId, submissionId, kind };
    await rows.add({
      ...{ ...row, reason: answer, since: at },
      email: recipient.toLowerCase(),
      emailHash: FailingRecipient.hashOf(recipient),
    });
    return true;
  }
}

function isOf({ recipients }: Bounce, { recipient }: Delivery) {
  return recipients.some((each) => each.toLowerCase() === recipient.toLowerCase());
}

function isToVisitor({ kind }: Delivery) {
  return kind === 'submitter_email' || kind === 'opt_in';
}

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
const SEEN = '\\Seen';
/** A flag that every server keeps, for a message that somebody has begun to read. */
const BEGUN = '\\Flagged';

/**
 * Reads the mailbox of BOUNCE_IMAP_URL. A message is marked as seen once it is stored what it says; until then the next
 * run reads it again, and a report that comes twice is stored once. Where a process ended over a message it is read once
 * more, and marked as seen before.
 */
@Injectable()
export class BounceMailbox {
  private readonly logger = new Logger(BounceMailbox.name);

  constructor(
    private readonly bounces: BouncesService,
    private readonly config: Config,
  ) {}

  @BackgroundTask('read the mailbox of bounces', MINUTE_MS)
  async read({ signal }: TaskRun): Promise<void> {
    const { mailbox } = this.config.bounces;
    if (mailbox === undefined) return;
    try {
      await this.readFrom(mailbox, signal);
    } catch (error) {
      this.logger.warn('The mailbox of BOUNCE_IMAP_URL cannot be read at the moment', { error });
    }
  }

  private async readFrom(mailbox: ImapMailbox, signal?: AbortSignal) {
    const { ImapFlow } = await import('imapflow');
    const { host, port, secure, user, password: pass, folder } = mailbox;
    const client = new ImapFlow({
      ...{ host, port, secure },
      doSTARTTLS: !secure && !isLoopback(host) ? true : undefined,
      auth: { user, pass },
      logger: false,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
    // It also rejects what is under way; without a listener the process would end.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.mailboxOpen(folder);
      const unseen = await client.search({ seen: false }, { uid: true });
      for (const uid of typeof unseen === 'object' ? unseen : []) {
        if (signal?.aborted) return;
        const range = String(uid);
        const source = { maxLength: MESSAGE_MAX_BYTES };
        const message = await client.fetchOne(range, { source, flags: true }, { uid: true });
        if (!message || !message.source) continue;
        const isBegun = message.flags?.has(BEGUN) === true;
        const mark = [isBegun ? SEEN : BEGUN];
        const isMarked = await client.messageFlagsAdd(range, mark, { uid: true });
        if (isBegun && !isMarked) continue;
        try {
          await this.bounces.take(readDsn(message.source));
        } catch (error) {
          await client.messageFlagsRemove(range, [SEEN, BEGUN], { uid: true });
          throw error;
        }
        await client.messageFlagsSet(range, [SEEN], { uid: true });
      }
      await client.logout();
    } finally {
      client.close();
    }
  }
}

/** Most addresses of a form that are listed, the newest. */
const LISTED_MAX = 100;

/** Knows which addresses take no mails of an account, until somebody has them tried again. */
@Injectable()
export class FailingRecipients {
  constructor(
    private readonly rows: BouncesRepository,
    private readonly forms: FormQueries,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns why a mail is not sent; null when it is. */
  async stopping({ formId, kind, recipient }: Delivery): Promise<FailingRecipient | null> {
    const form = await this.forms.find(formId);
    const found = form ? await this.among(form.accountId, [recipient]) : [];
    return found.find((row) => row.stops(kind)) ?? null;
  }

  /** Returns those among some addresses, newest first. */
  among(accountId: number, emails: readonly string[]): Promise<FailingRecipient[]> {
    return this.rows.listAmong(accountId, emails);
  }

  /**
   * Lists those that get the owner mails of a form, and those that its own mails showed, newest first. Visitors are
   * only listed to who may read submissions, and others of the account to its members.
   * @throws FormNotFound
   */
  async list(principal: Principal, identifier: string): Promise<FailingRecipient[]> {
    return this.listFor(principal, await this.forms.get(principal, identifier));
  }

  /**
   * Has mails sent to an address again; one that is not listed stays as it is.
   * @throws FormNotFound
   */
  async tryAgain(principal: Principal, identifier: string, email: string): Promise<FailingRecipient[]> {
    const form = await this.forms.get(principal, identifier);
    const key = email.toLowerCase();
    const row = (await this.listFor(principal, form)).find((each) => each.email === key);
    if (row) {
      await this.unitOfWork.run(async (tx) => {
        await this.rows.in(tx).remove(form.accountId, key);
        const about = { target: formTarget(form), details: { delivery_id: formatUuid(row.deliveryId) } };
        await this.audit.recordBy(tx, principal, { action: 'recipient.tried_again', ...about });
      });
    }
    return this.listFor(principal, form);
  }

  private async listFor(principal: Principal, form: Form) {
    const { accountId, id, notifyOwnerEmails, ownerRecipients } = form;
    const accountEmail = notifyOwnerEmails === null ? await this.accounts.emailOf(accountId) : null;
    const owners = accountEmail === null ? ownerRecipients : [accountEmail];
    const ofOwners = await this.rows.listAmong(accountId, owners);
    const ofForm = (await this.rows.listOfForm(id, LISTED_MAX)).filter(
      (row) =>
        ofOwners.every(({ email }) => email !== row.email) &&
        (row.submissionId === null ? principal.clientId === null : principal.has('submissions:read')),
    );
    return [...ofOwners, ...ofForm].sort((a, b) => b.since.getTime() - a.since.getTime());
  }
}
