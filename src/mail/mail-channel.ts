import { Injectable } from '@nestjs/common';
import { Channel, type DeliveryChannel } from '../deliveries/queue/delivery-worker.js';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { type Brand, BrandsService } from '../brands/brands.service.js';
import { hourOf, type DigestEvery } from '../deliveries/digests/digest-hour.js';
import { DigestsService } from '../deliveries/digests/digests.service.js';
import type { Delivery, DeliveryKind } from '../deliveries/model/delivery.entity.js';
import type { Form, PreviewedSettings } from '../forms/model/form.entity.js';
import { Config } from '../platform/config/config.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions/submissions.service.js';
import { type Message, sendAs, sentBy } from './parts/message.js';
import { attemptMail, MailCaps, Mailer } from './mailer.js';
import { Readers } from './readers.js';
import {
  destinationDigestMail,
  digestMail,
  digestRow,
  type DigestRow,
  DestinationsByMail,
  type StoredTemplate,
} from './messages/owner-mail.js';
import {
  attemptResult,
  destinationPaused,
  type AttemptResult,
} from '../deliveries/model/outcome.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { isSameMailbox } from '../platform/kernel/text/email-address.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { ExportJobsService } from '../jobs/exports/export-jobs.service.js';
import { NotesService } from '../triage/notes/notes.service.js';
import { FailingRecipients } from '../bounces/bounces.service.js';
import { alarmMail, type AlarmsTold, FormMails, type FormMail } from './messages/form-mails.js';
import { confirmationMail, exportMail, mentionMail, noticeMail } from './messages/person-mails.js';
import { MINUTE_MS } from '../platform/kernel/time.js';
import type { Principal } from '../access/principal.js';
import { NotificationPlanner } from '../notifications/notification-planner.js';
import { SubmissionPages } from '../search/pages/submission-pages.service.js';

/** Most submissions that a digest lists, and that it counts. */
const LISTED = 25;
const COUNT_MAX = 1_000;

/** Writes the mails that tell owners of several submissions. */
@Injectable()
export class DigestMails {
  constructor(
    private readonly digests: DigestsService,
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly readers: Readers,
    private readonly config: Config,
  ) {}

  /**
   * Writes a digest; null when nothing is left that it could tell of.
   * @param isOfAccount whether clients are not to know of it
   */
  async compose(digest: Delivery, isOfAccount: boolean): Promise<Message | null> {
    const { id, createdAt, destinationId, recipient } = digest;
    const covered = await this.digests.covered(digest, COUNT_MAX + 1);
    const first: DigestRow[] = [];
    for (const { formId, submissionId } of covered.slice(0, LISTED)) {
      const form = await this.forms.find(formId);
      const submission = submissionId && (await this.submissions.find(formId, submissionId));
      // Of what can be a megabyte, a line is kept.
      if (form && submission) first.push(digestRow(form, submission));
    }
    const forms = await this.formsOf(covered);
    if (first.length === 0 || !forms) return null;
    const isMore = covered.length > COUNT_MAX;
    const count = isMore ? `Over ${COUNT_MAX}` : String(covered.length);
    const by = sentBy(await this.readers.brandFor(forms, recipient, isOfAccount), this.config);
    const { name: accountName, baseUrl, from } = by;
    const formName = forms.length === 1 ? forms[0].name : null;
    const content = { id, accountName, formName, count, hour: hourOf(createdAt), first };
    const write = destinationId ? destinationDigestMail : digestMail;
    return sendAs(by, write(content, baseUrl, from, recipient));
  }

  /** Writes the digest of a destination that tells of one submission alone. */
  about({ form, submission }: SubmissionInFull, to: string, brand: Readonly<Brand>): Message {
    const by = sentBy(brand, this.config);
    const { name: accountName, baseUrl, from } = by;
    const { id, createdAt } = submission;
    const content = { id, accountName, formName: form.name, count: '1', hour: hourOf(createdAt) };
    const mail = { ...content, first: [digestRow(form, submission)] };
    return sendAs(by, destinationDigestMail(mail, baseUrl, from, to));
  }

  /** Returns the forms that deliveries are of; null when there are none any more. */
  private async formsOf(covered: readonly Delivery[]): Promise<[Form, ...Form[]] | null> {
    const ids = [...new Set(covered.map(({ formId }) => formId))];
    const found = await Promise.all(ids.map((id) => this.forms.find(id)));
    const [first, ...others] = found.filter((form) => form !== null);
    return first ? [first, ...others] : null;
  }
}

/** The mails that destinations can want. */
const OF_DESTINATIONS: readonly DeliveryKind[] = ['owner_email', 'owner_digest'];
/** How long a mail waits when its digest takes no more, in milliseconds. */
const GATHER_AGAIN_MS = 3 * MINUTE_MS;

/** Asks which alarms a notice tells; null for one about something else. */
export const ToldByNotice = hook<(delivery: Delivery) => Promise<AlarmsTold | null>>();

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
    private readonly mails: FormMails,
    private readonly submissions: SubmissionsService,
    private readonly notes: NotesService,
    private readonly exports: ExportJobsService,
    private readonly forms: FormQueries,
    private readonly caps: MailCaps,
    private readonly digests: DigestsService,
    private readonly digestMails: DigestMails,
    private readonly brands: BrandsService,
    private readonly readers: Readers,
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
    private readonly config: Config,
    private readonly hooks: Hooks,
  ) {}

  async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    if (await this.caps.suppresses(delivery)) {
      return attemptResult(
        'refused',
        'suppressed',
        'Too many emails to this address or of this form.',
      );
    }
    const failing = await this.failing.stopping(delivery);
    if (failing) {
      return attemptResult(
        'refused',
        'bounced_before',
        `Not sent, because emails to this address come back: ${failing.reason}`,
      );
    }
    const template = await this.templateOf(delivery);
    if (template === 'paused') return destinationPaused();
    if (template === 'passing')
      return attemptResult('deferred', 'gone', 'Its form is being deleted.');
    if (template === 'gone') {
      return attemptResult(
        'refused',
        'obsolete',
        'The destination is gone, or names this address no more.',
      );
    }
    if (template && delivery.kind === 'owner_email') {
      const { digest } = template;
      const gathered = await this.digests.gatherFor(digest, delivery);
      if (gathered !== 'over') return ofGathering(gathered === 'gathered', digest ?? 'hour');
    }
    if (await this.caps.defersToDigest(delivery)) return this.gather(delivery);
    const message = await this.compose(delivery, template);
    if (!message && delivery.kind === 'owner_digest')
      return attemptResult('delivered', 'summarised', 'There is nothing left to tell.');
    if (!message) return submissionGone();
    if (isToVisitor(delivery) && isFromThere(message, this.config.mailFrom.address)) {
      return attemptResult(
        'refused',
        'own_sender',
        'This is an address that we send from. An answer to it would come back to us.',
      );
    }
    return attemptMail(this.mailer, formatUuid(delivery.id), message, signal);
  }

  /** Returns how its destination wants a mail to an owner, or why there is none; null for what needs no destination. */
  private async templateOf({ kind, formId, destinationId, recipient }: Delivery) {
    if (!OF_DESTINATIONS.includes(kind) || !destinationId) return null;
    const form = await this.forms.find(formId);
    if (form)
      return this.hooks
        .ask(DestinationsByMail)
        .templateOf(form.accountId, destinationId, recipient);
    // What is left of a form that is deleted goes soon; a digest that tells of others too passes to one of them.
    return kind === 'owner_digest' ? 'passing' : 'gone';
  }

  private async compose(
    delivery: Delivery,
    template: StoredTemplate | null,
  ): Promise<Message | null> {
    const { kind, recipient, formId, submissionId, destinationId } = delivery;
    const isOfAccount = (template?.isForAccount ?? delivery.ofAccount) || delivery.isToPerson;
    if (kind === 'owner_digest') return this.digestMails.compose(delivery, isOfAccount);
    const form = await this.forms.find(formId);
    if (!form) return null;
    if (kind === 'confirmation') return this.composeConfirmation(form, recipient);
    const alarms = kind === 'owner_notice' ? await this.hooks.ask(ToldByNotice, delivery) : null;
    const brand = await this.readers.brandFor(
      [form, ...(alarms?.forms ?? [])],
      recipient,
      isOfAccount,
    );
    const by = sentBy(brand, this.config);
    const { baseUrl, from } = by;
    if (alarms) return sendAs(by, alarmMail(alarms.told, by, recipient));
    if (kind === 'owner_notice') {
      const name =
        destinationId &&
        (await this.hooks.ask(DestinationsByMail).nameOf(form.accountId, destinationId));
      const notice = noticeMail(form, name ?? null, baseUrl, from, recipient);
      return sendAs(by, notice);
    }
    if (kind === 'export_ready') {
      const job = await this.exports.findReady(form, delivery);
      const ready = job && exportMail(form, job, baseUrl, from, recipient);
      return ready && sendAs(by, ready);
    }
    if (kind === 'opt_in') return submissionId && this.mails.asking(form, submissionId, recipient);
    const full = submissionId && (await this.submissions.findInFull(form, submissionId));
    if (!full) return null;
    if (kind === 'mention') {
      const note = await this.notes.findMentioning(form, delivery);
      return note && sendAs(by, mentionMail(form, note, baseUrl, from, recipient));
    }
    if (kind !== 'submitter_email') {
      return this.mails.compose('owner', full, recipient, brand, template);
    }
    return this.mails.compose('visitor', full, recipient, await this.brands.ofForm(form));
  }

  /** @returns null when there is nothing to confirm any more */
  private async composeConfirmation(form: Form, recipient: string): Promise<Message | null> {
    const link = await this.recipients.linkFor(form, recipient);
    if (link === null) return null;
    const by = sentBy(await this.brands.ofForm(form), this.config);
    const name = await this.recipients.senderNameOf(form);
    return sendAs(by, confirmationMail(name, link, by.from, recipient));
  }

  private async gather(delivery: Delivery): Promise<AttemptResult> {
    const form = await this.forms.find(delivery.formId);
    if (!form) return submissionGone();
    return ofGathering(await this.digests.gather(form.accountId, delivery), 'hour');
  }
}

/** Tells whether an address that a visitor typed gets a mail. */
function isToVisitor({ kind }: Delivery): boolean {
  return kind === 'submitter_email' || kind === 'opt_in';
}

/** Tells whether a mail goes to where mails come from, or to a tag of that: it would lead to mails in a circle. */
function isFromThere({ to, from, replyTo }: Message, ours: string): boolean {
  return [ours, from.address, ...(replyTo ? [replyTo.address] : [])].some((sender) =>
    isSameMailbox(to, sender),
  );
}

/** Returns the result of a mail about what is there no more. */
function submissionGone(): AttemptResult {
  return attemptResult('refused', 'obsolete', 'The submission or its form is gone.');
}

/** Returns how an attempt ends of which a digest tells. */
function ofGathering(isGathered: boolean, every: DigestEvery): AttemptResult {
  if (isGathered) {
    const answer = `Included in the next ${every === 'hour' ? 'hourly' : 'daily'} summary.`;
    return attemptResult('delivered', 'summarised', answer);
  }
  const answer = `The digest of its ${every} is about to leave; the next one will have it.`;
  return { ...attemptResult('deferred', 'summarised', answer), retryAfterMs: GATHER_AGAIN_MS };
}

/** Named as the recipient of a mail that would go to nobody. */
const SOMEBODY = 'somebody@example.com';
/** The kind of delivery that each mail is. */
const KIND_OF = { owner: 'owner_email', visitor: 'submitter_email' } as const;
/** Settings with which both mails are sent, and nothing else. */
const BOTH = { notifyOwnerOnSubmission: true, notifySubmitter: true, webhookUrl: null };

/** A mail of a form as it would be sent now. */
export interface MailPreview {
  mail: FormMail;
  /** Whether the settings have it sent at all. */
  isOn: boolean;
  /** Recipients; empty when no address is known. */
  recipients: string[];
  message: Message;
  /** The submission that it is about; null when that is a sample. */
  submissionId: Buffer | null;
}

/** Shows the mails of a form before anybody gets them. */
@Injectable()
export class MailPreviews {
  constructor(
    private readonly forms: FormQueries,
    private readonly examples: SubmissionPages,
    private readonly planner: NotificationPlanner,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly brands: BrandsService,
  ) {}

  /**
   * Writes a mail about the newest submission, or about a sample where there is none to be seen.
   * @param settings in place of those that are stored
   * @param to in place of those who would get it
   * @throws FormNotFound, TooManyRecipients
   */
  async of(
    principal: Principal,
    identifier: string,
    mail: FormMail,
    settings: PreviewedSettings,
    to: string | null = null,
  ): Promise<MailPreview> {
    const form = (await this.forms.get(principal, identifier)).with(settings);
    const { full, isSample } = await this.examples.of(principal, form);
    const planned = await this.planner.ofSettings(form.with(BOTH), full.submission.values);
    const recipients = planned
      .filter(({ kind }) => kind === KIND_OF[mail])
      .map(({ recipient }) => recipient);
    const reader = to ?? recipients[0] ?? SOMEBODY;
    const brand = await (mail === 'visitor'
      ? this.brands.ofForm(form)
      : this.readers.brandFor([form], reader));
    return {
      mail,
      isOn: isOn(mail, form),
      recipients,
      message: await this.mails.compose(mail, full, reader, brand),
      submissionId: isSample ? null : full.submission.id,
    };
  }
}

function isOn(mail: FormMail, form: Form): boolean {
  return mail === 'owner' ? form.notifyOwnerOnSubmission : form.notifySubmitter === true;
}
