import { Injectable } from '@nestjs/common';
import { BrandsService, type Brand } from '../clients/brands/brands.service.js';
import { FailingRecipients } from '../deliveries/bounces/bounces.service.js';
import type { Delivery, DeliveryKind } from '../deliveries/model/delivery.entity.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { Channel, type DeliveryChannel } from '../deliveries/queue/delivery-worker.js';
import { RecipientsService } from './recipients/recipients.service.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Config, hook, Hooks, isSameMailbox, formatUuid } from '../platform/index.js';
import { NotesService } from '../triage/notes/notes.service.js';
import { attemptMail, MailCaps, Mailer } from './mailer.js';
import { FormMails } from './messages/form-mails.js';
import { confirmationMail, mentionMail } from './messages/person-mails.js';
import { type Message, sentBy, type SentBy } from './parts/message.js';
import type { Scope } from '../accounts/access/index.js';
import type { Form } from '../forms/model/form.entity.js';

/**
 * Writes the mail of a delivery of these kinds: a message, how its attempt ends without one, or null where what it is about
 * is gone.
 */
export const MailOf = hook<(delivery: Delivery) => Promise<Message | AttemptResult | null>, readonly DeliveryKind[]>();

/** Sends the deliveries that are mails. */
@Injectable()
@Channel([
  'owner_email',
  'submitter_email',
  'owner_notice',
  'owner_digest',
  'confirmation',
  'mention',
  'export_ready',
  'opt_in',
])
export class MailChannel implements DeliveryChannel {
  constructor(
    private readonly mailer: Mailer,
    private readonly caps: MailCaps,
    private readonly failing: FailingRecipients,
    private readonly config: Config,
    private readonly hooks: Hooks,
  ) {}

  async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    if (await this.caps.suppresses(delivery)) {
      const answer = 'Too many emails to this address or of this form.';
      return attemptResult('refused', 'suppressed', answer);
    }
    const failing = await this.failing.stopping(delivery);
    if (failing) {
      const answer = `Not sent, because emails to this address come back: ${failing.reason}`;
      return attemptResult('refused', 'bounced_before', answer);
    }
    const { kind, id } = delivery;
    const writer = this.hooks.all(MailOf).find(({ about }) => about.includes(kind));
    const written = await writer?.run(delivery);
    if (!written) {
      return attemptResult('refused', 'obsolete', 'The submission or its form is gone.');
    }
    if ('verdict' in written) return written;
    if (VISITORS.includes(kind) && isFromThere(written, this.config.mailFrom.address)) {
      const answer = 'This is an address that we send from. An answer to it would come back to us.';
      return attemptResult('refused', 'own_sender', answer);
    }
    return attemptMail(this.mailer, formatUuid(id), written, signal);
  }
}

/** The mails to an address that a visitor typed. */
const VISITORS: readonly DeliveryKind[] = ['submitter_email', 'opt_in'];

/** Tells whether a mail goes to where mails come from, or to a tag of that: it would lead to mails in a circle. */
function isFromThere({ to, from, replyTo }: Message, ours: string) {
  return [ours, from.address, ...(replyTo ? [replyTo.address] : [])].some((sender) => isSameMailbox(to, sender));
}

/** Asks whether somebody with this address is a member of an account itself, not of one of its clients. */
export const IsMember = hook<(accountId: number, email: string) => Promise<boolean>>();

/**
 * Knows whose look mails have. People of an account read under its own address, since they would sign in there: a
 * client's host may lead elsewhere one day. What is the account's alone does not go through a client's server either.
 */
@Injectable()
export class Readers {
  constructor(
    private readonly brands: BrandsService,
    private readonly forms: FormQueries,
    private readonly hooks: Hooks,
    private readonly config: Config,
  ) {}

  /**
   * Returns how a mail about forms of one account looks to who gets it: like the client whose forms all of them are, or
   * else like the account.
   * @param isOfAccount whether clients are not to know of it
   */
  async brandFor([first, ...others]: readonly [Form, ...Form[]], email: string, isOfAccount = false): Promise<Brand> {
    const { accountId } = first;
    const isOwn = isOfAccount || (await this.hooks.ask(IsMember, accountId, email));
    const [clientId = null, ...more] = new Set(
      await Promise.all([first, ...others].map((form) => this.brands.clientOf(form))),
    );
    const isOneClients = !isOwn && more.length === 0;
    return this.brands.ofCached({ accountId, clientId: isOneClients ? clientId : null });
  }

  /** Returns the form of a mail to somebody of an account, and who it is from; null where the form is gone. */
  async addressed({ formId, recipient }: Delivery): Promise<{ form: Form; by: SentBy } | null> {
    const form = await this.forms.find(formId);
    return form && { form, by: sentBy(await this.brandFor([form], recipient, true), this.config) };
  }

  /** Returns how a mail about a client looks to who gets it. */
  async brandOfClient({ accountId, clientId }: Scope, email: string): Promise<Brand> {
    const isOwn = await this.hooks.ask(IsMember, accountId, email);
    return this.brands.ofCached({ accountId, clientId: isOwn ? null : clientId });
  }
}

/** Writes the mails that no destination causes: to people about what they do here, and those that ask an address. */
@Injectable()
export class PersonalMails {
  constructor(
    private readonly forms: FormQueries,
    private readonly notes: NotesService,
    private readonly recipients: RecipientsService,
    private readonly mails: FormMails,
    private readonly brands: BrandsService,
    private readonly readers: Readers,
    private readonly config: Config,
  ) {}

  @MailOf(['mention'])
  async mention(delivery: Delivery): Promise<Message | null> {
    const about = await this.readers.addressed(delivery);
    const note = about && (await this.notes.findMentioning(about.form, delivery));
    if (!note) return null;
    const { form, by } = about;
    return mentionMail(form, note, by, delivery.recipient);
  }

  /** Asks a recipient; writes nothing where there is nothing to confirm any more. */
  @MailOf(['confirmation'])
  async confirmation({ formId, recipient }: Delivery): Promise<Message | null> {
    const form = await this.forms.find(formId);
    const link = form && (await this.recipients.linkFor(form, recipient));
    if (!link) return null;
    const by = sentBy(await this.brands.ofForm(form), this.config);
    const name = await this.recipients.senderNameOf(form);
    return confirmationMail(name, link, by, recipient);
  }

  @MailOf(['opt_in'])
  async optIn({ formId, submissionId, recipient }: Delivery): Promise<Message | null> {
    const form = await this.forms.find(formId);
    return form && submissionId && this.mails.asking(form, submissionId, recipient);
  }
}
