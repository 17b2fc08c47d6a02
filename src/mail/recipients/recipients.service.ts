import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RecipientsAdded, type FormKey } from '../../forms/forms.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope } from '../../accounts/access/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { Config, DAY_MS, SigningService, NotFoundError, fact } from '../../platform/index.js';
import { runStatements, UnitOfWork } from '../../platform/database/index.js';
import { RecipientConfirmation } from './recipient-confirmation.entity.js';
import { RecipientsRepository } from './recipients.repository.js';

/** The link of a mail that asks for a confirmation was altered or is older than a week. */
class RecipientLinkExpired extends fact(
  NotFoundError,
  'recipient_link_expired',
  'This link has expired or is incomplete. Ask the owner of the form to send you a new one.',
) {}

const keyOf = (email: string) => RecipientConfirmation.keyOf(email);

/** Purpose of the signed link that asks a recipient to confirm. */
const LINK = 'recipient';
/** Purpose of one that names the form too, which may look like a client. */
const LINK_OF_FORM = 'recipient of form';
const ID_BYTES = 4;
const LINK_TTL_MS = 7 * DAY_MS;
/** An address is asked at most once in this time. */
const ASK_AGAIN_MS = DAY_MS;
/** How long another instance may still use what it knew; every submission asks. */
const COPY_TTL_MS = 1_000;
const COPIES_MAX = 10_000;

/** A recipient of a form's owner mails, and whether the address has confirmed. */
export interface Recipient {
  email: string;
  confirmed: boolean;
  /** When a mail last asked for it; null when none did. */
  askedAt: Date | null;
}

/** Keeps which addresses agreed to get the mails of an account's forms, and asks those that must. */
@Injectable()
export class RecipientsService {
  private readonly copies = new Map<string, { open: Set<string>; until: number }>();

  constructor(
    private readonly recipients: RecipientsRepository,
    private readonly forms: FormQueries,
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly deliveries: DeliveriesService,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /**
   * Returns the addresses that owner mails may go to.
   * @param tx the transaction that asks, which takes no second connection
   */
  async reachable(accountId: number, emails: string[], tx?: EntityManager): Promise<string[]> {
    const open = await this.openAmong(accountId, emails, tx);
    return open.size === 0 ? emails : emails.filter((email) => !open.has(keyOf(email)));
  }

  /**
   * Lists who gets the owner mails of a form: whom it names, or else the address of its account.
   * @throws FormNotFound
   */
  async list(scope: Scope, identifier: string): Promise<Recipient[]> {
    return this.listFor(await this.forms.get(scope, identifier));
  }

  async listFor({ accountId, notifyOwnerEmails, ownerRecipients }: Form): Promise<Recipient[]> {
    if (notifyOwnerEmails === null) {
      const email = await this.accounts.emailOf(accountId);
      return email === null ? [] : [{ email, confirmed: true, askedAt: null }];
    }
    const rows = await this.recipients.listAmong(accountId, ownerRecipients.map(keyOf));
    return ownerRecipients.map((email) => {
      const row = rows.find(({ emailKey }) => emailKey === keyOf(email));
      const confirmed = !this.mustConfirm || row?.confirmedAt !== null;
      return { email, confirmed, askedAt: row?.askedAt ?? null };
    });
  }

  /**
   * Asks the recipients of a form that have not confirmed and were not asked within a day.
   * @throws FormNotFound
   */
  async ask(scope: Scope, identifier: string): Promise<Recipient[]> {
    const form = await this.forms.get(scope, identifier);
    const open = (await this.listFor(form)).filter(({ confirmed }) => !confirmed);
    const emails = open.map(({ email }) => email);
    if (emails.length > 0) await this.unitOfWork.run((tx) => this.askEach(tx, form, emails));
    this.deliveries.wakeWorker();
    return this.listFor(form);
  }

  /** Asks any of these addresses that have not confirmed and were not asked within a day, about a form. */
  async askAmong(form: Form, emails: string[]) {
    const open = await this.openAmong(form.accountId, emails);
    const asked = emails.filter((email) => open.has(keyOf(email)));
    if (asked.length === 0) return;
    await this.unitOfWork.run((tx) => this.askEach(tx, form, asked));
    this.deliveries.wakeWorker();
  }

  /** Makes the link that confirms an address; null when it is confirmed already. */
  async linkFor(form: Form, email: string): Promise<string | null> {
    const { id, accountId } = form;
    if (!(await this.openAmong(accountId, [email])).has(keyOf(email))) return null;
    const ids = Buffer.alloc(2 * ID_BYTES);
    ids.writeInt32BE(id);
    ids.writeInt32BE(accountId, ID_BYTES);
    const payload = Buffer.concat([ids, Buffer.from(keyOf(email))]);
    const expiresAt = new Date(this.unitOfWork.now().getTime() + LINK_TTL_MS);
    const link = await this.signing.sign(LINK_OF_FORM, payload, expiresAt);
    const { baseUrl } = await this.brands.ofForm(form);
    return `${baseUrl}/recipients/${link}`;
  }

  /**
   * Says what a link confirms: an address, for the forms of an account.
   * @throws RecipientLinkExpired
   */
  async open(link: string): Promise<{ accountName: string; accountId: number; email: string }> {
    const now = this.unitOfWork.now();
    const named = await this.signing.verify(LINK_OF_FORM, link, now);
    const payload = named?.subarray(ID_BYTES) ?? (await this.signing.verify(LINK, link, now));
    if (payload === null) throw new RecipientLinkExpired();
    const accountId = payload.readInt32BE(0);
    const form = named && (await this.forms.find(named.readInt32BE(0)));
    const accountName = await (form ? this.senderNameOf(form) : this.ownNameOf(accountId));
    return { accountName, accountId, email: payload.toString('utf8', ID_BYTES) };
  }

  /** Returns the name that recipients of a form know: that of its client, or of the account. */
  async senderNameOf(form: Form) {
    const { name } = await this.brands.ofForm(form);
    return name ?? this.ownNameOf(form.accountId);
  }

  /**
   * Confirms what a link stands for; a second time changes nothing.
   * @throws RecipientLinkExpired
   */
  async confirm(link: string): Promise<{ accountName: string; email: string }> {
    const { accountId, ...opened } = await this.open(link);
    await this.unitOfWork.run((tx) => this.recipients.in(tx).confirm(accountId, [opened.email], this.unitOfWork.now()));
    this.copies.clear();
    return opened;
  }

  /**
   * Stores new recipients. One that the account itself enters is confirmed at once, also when a client
   * entered it before.
   */
  @RecipientsAdded()
  async add(tx: EntityManager, form: FormKey, emails: string[], by: Scope): Promise<void> {
    const { confirmRecipients } = this.config.mail;
    const asks = confirmRecipients === 'all' || (this.mustConfirm && by.clientId !== null);
    const now = this.unitOfWork.now();
    const keys = [...new Set(emails.map(keyOf))];
    await this.recipients.in(tx).add(form.accountId, keys, asks ? null : now);
    this.copies.clear();
    if (asks) await this.askEach(tx, form, emails);
    else if (this.mustConfirm) await this.recipients.in(tx).confirm(form.accountId, keys, now);
  }

  private async ownNameOf(accountId: number) {
    return (await this.accounts.get(accountId)).name;
  }

  private get mustConfirm() {
    return this.config.mail.confirmRecipients !== 'off';
  }

  private async askEach(tx: EntityManager, form: FormKey, emails: string[]) {
    const { id: formId } = form;
    if (formId === null) return;
    const now = this.unitOfWork.now();
    const since = new Date(now.getTime() - ASK_AGAIN_MS);
    const planned = [];
    for (const recipient of emails) {
      if (await this.recipients.in(tx).ask(form.accountId, keyOf(recipient), since, now)) {
        planned.push({ kind: 'confirmation' as const, recipient });
      }
    }
    const entry = { formId, submissionId: null, planned };
    await runStatements(tx, this.deliveries.outboxInserts([entry]));
  }

  /** Returns the keys of the addresses that have not confirmed. */
  private async openAmong(accountId: number, emails: string[], tx?: EntityManager): Promise<Set<string>> {
    if (!this.mustConfirm || emails.length === 0) return new Set();
    const keys = emails.map(keyOf);
    const id = JSON.stringify([accountId, keys]);
    const known = this.copies.get(id);
    if (known && known.until > performance.now()) return known.open;
    const rows = await this.recipients.in(tx).listAmong(accountId, keys);
    const open = new Set(rows.filter((row) => row.confirmedAt === null).map(({ emailKey }) => emailKey));
    if (this.copies.size >= COPIES_MAX) this.copies.clear();
    this.copies.set(id, { open, until: performance.now() + COPY_TTL_MS });
    return open;
  }

  /** @param tx the transaction that asks, which takes no second connection */
  async of({ accountId, notifyOwnerEmails, ownerRecipients }: Form, tx?: EntityManager): Promise<string[]> {
    if (notifyOwnerEmails !== null) {
      return this.reachable(accountId, ownerRecipients, tx);
    }
    const email = await this.accounts.emailOf(accountId, tx);
    return email === null ? [] : [email];
  }
}
