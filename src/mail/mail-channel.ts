import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { hourOf } from '../deliveries/hour.js';
import { DigestsService } from '../deliveries/digests.service.js';
import { DeliveryWorker } from '../deliveries/delivery-worker.js';
import type { Delivery, DeliveryKind } from '../deliveries/delivery.entity.js';
import { attemptResult, type AttemptResult } from '../deliveries/attempt-result.js';
import type { DeliveryChannel } from '../deliveries/delivery-channel.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { FilesService } from '../files/files.service.js';
import { FormsService } from '../forms/forms.service.js';
import { Clock } from '../platform/kernel/clock.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { confirmationMail } from './confirmation-mail.js';
import { digestMail } from './digest-mail.js';
import { Mailer } from './mailer.js';
import type { Message } from './message.js';
import { noticeMail } from './notice-mail.js';
import { ownerMail } from './owner-mail.js';
import { submitterMail } from './submitter-mail.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Most submissions that a digest lists, and that it counts. */
const DIGEST_LISTED = 25;
const DIGEST_COUNT_MAX = 1_000;
/** How long a mail waits when its digest takes no more, in milliseconds. */
const GATHER_AGAIN_MS = 3 * 60_000;

/** Mails to addresses that somebody else entered. */
const TO_STRANGERS: readonly DeliveryKind[] = ['submitter_email', 'confirmation'];

/** Sends the deliveries that are mails. */
@Injectable()
export class MailChannel implements DeliveryChannel, OnModuleInit {
  readonly kinds: readonly DeliveryKind[] = [
    'owner_email',
    'submitter_email',
    'owner_notice',
    'owner_digest',
    'confirmation',
  ];

  constructor(
    private readonly mailer: Mailer,
    private readonly submissions: SubmissionsService,
    private readonly forms: FormsService,
    private readonly files: FilesService,
    private readonly deliveries: DeliveriesService,
    private readonly digests: DigestsService,
    private readonly accounts: AccountsService,
    private readonly recipients: RecipientsService,
    private readonly worker: DeliveryWorker,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.worker.register(this);
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    if (await this.isOverCap(delivery)) {
      return attemptResult(
        'refused',
        'suppressed',
        'Too many mails to this address or of this form.',
      );
    }
    if (await this.isForDigest(delivery)) return this.gather(delivery);
    const message = await this.compose(delivery);
    if (!message) return attemptResult('refused', 'gone', 'The submission or its form is gone.');
    try {
      const reply = await this.mailer.send(formatUuid(delivery.id), message, signal);
      if (reply === null)
        return attemptResult('delivered', 'written', 'Written to a file; SMTP_URL is not set.');
      return {
        ...attemptResult('delivered', 'accepted', reply),
        code: Number.parseInt(reply, 10) || 250,
      };
    } catch (error) {
      return failure(error);
    }
  }

  private async compose(delivery: Delivery): Promise<Message | null> {
    const { kind, recipient, formId, submissionId } = delivery;
    if (kind === 'owner_digest') return this.composeDigest(delivery);
    const form = await this.forms.find(formId);
    if (!form) return null;
    if (kind === 'confirmation') return this.composeConfirmation(form.accountId, recipient);
    if (kind === 'owner_notice') return noticeMail(form, this.config.mailFrom, recipient);
    const submission = submissionId && (await this.submissions.find(formId, submissionId));
    if (!submission) return null;
    const [full] = await this.submissions.withFiles(form, [submission]);
    if (!full) return null;
    if (kind === 'submitter_email') return submitterMail(full, this.config, recipient);
    const links = await this.files.links(full.files, this.clock.now());
    return ownerMail(full, links, this.config.mailFrom, recipient);
  }

  private async composeDigest(digest: Delivery): Promise<Message | null> {
    const covered = await this.digests.covered(digest, DIGEST_COUNT_MAX + 1);
    const first = [];
    for (const { formId, submissionId } of covered.slice(0, DIGEST_LISTED)) {
      const form = await this.forms.find(formId);
      const submission = submissionId && (await this.submissions.find(formId, submissionId));
      if (form && submission) first.push({ form, submission });
    }
    if (first.length === 0) return null;
    const isMore = covered.length > DIGEST_COUNT_MAX;
    const count = isMore ? `Over ${DIGEST_COUNT_MAX}` : String(covered.length);
    const hour = hourOf(digest.createdAt);
    return digestMail({ count, hour, first }, this.config.mailFrom, digest.recipient);
  }

  /** @returns null when there is nothing to confirm any more */
  private async composeConfirmation(accountId: number, recipient: string): Promise<Message | null> {
    const link = await this.recipients.linkFor(accountId, recipient);
    if (link === null) return null;
    const { name } = await this.accounts.get(accountId);
    return confirmationMail(name, link, this.config.mailFrom, recipient);
  }

  private async isForDigest(delivery: Delivery): Promise<boolean> {
    if (delivery.kind !== 'owner_email') return false;
    return this.digests.isOver(delivery, this.config.mailCapPerRecipientHour);
  }

  private async gather(delivery: Delivery): Promise<AttemptResult> {
    const form = await this.forms.find(delivery.formId);
    if (!form) return attemptResult('refused', 'gone', 'The submission or its form is gone.');
    if (await this.digests.gather(form.accountId, delivery)) {
      return attemptResult('delivered', 'summarised', 'It is in the digest that follows the hour.');
    }
    const answer = 'The digest of its hour is about to leave; the next one will have it.';
    return { ...attemptResult('deferred', 'summarised', answer), retryAfterMs: GATHER_AGAIN_MS };
  }

  /**
   * Tells whether a cap suppresses this mail. Anyone can type anyone's address into a form; the caps keep a
   * form from flooding a stranger. Mails count in the order of their ids, so that all workers agree.
   */
  private async isOverCap(delivery: Delivery): Promise<boolean> {
    if (!TO_STRANGERS.includes(delivery.kind)) return false;
    const { mailCapPerRecipientDay, mailCapPerFormHour } = this.config;
    const created = delivery.createdAt.getTime();
    const { toRecipient, ofForm } = await this.deliveries.countEarlier(delivery, {
      toRecipientSince: new Date(created - DAY_MS),
      ofFormSince: new Date(created - HOUR_MS),
    });
    return toRecipient >= mailCapPerRecipientDay || ofForm >= mailCapPerFormHour;
  }
}

/** Error codes of nodemailer that concern the mail itself; others concern us. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];
const LOGIN_REQUIRED = 530;

/** Returns the result of a refusal: 5xx is final, unless the server refuses us rather than the mail. */
function failure(error: unknown): AttemptResult {
  const {
    code = '',
    responseCode,
    response,
    message,
  } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
    message?: string;
  };
  const answer = response ?? message ?? 'No reason was given.';
  if (responseCode !== undefined) {
    const aboutTheMail = ABOUT_THE_MAIL.includes(code) && responseCode !== LOGIN_REQUIRED;
    const permanent = responseCode >= 500 && aboutTheMail;
    const name = permanent ? 'refused' : 'deferred';
    return {
      ...attemptResult(permanent ? 'refused' : 'deferred', name, answer),
      code: responseCode,
    };
  }
  return attemptResult('deferred', code === 'ETIMEDOUT' ? 'timed_out' : 'unreachable', answer);
}
