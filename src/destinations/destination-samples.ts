import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { FailingRecipients } from '../bounces/failing-recipients.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail } from '../mail/attempt-mail.js';
import { Mailer } from '../mail/mailer.js';
import { FormMails } from '../mail/messages/form-mails.js';
import { Readers } from '../mail/readers.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import type { TestCall } from '../webhooks/webhook-test-calls.js';
import { DestinationCaller } from './destination-caller.js';
import { templateIn } from './destination-mails.js';
import type { Destination } from './model/destination.entity.js';
import { recipientsIn } from './model/mail-recipients.js';

/** Sends samples to destinations, by a call or a mail. */
@Injectable()
export class DestinationSamples {
  constructor(
    private readonly caller: DestinationCaller,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly mailer: Mailer,
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
    private readonly timeouts: CallTimeouts,
  ) {}

  /** Sends one now, and measures how long it takes. */
  async send(destination: Destination, full: SubmissionInFull): Promise<TestCall> {
    const begin = performance.now();
    const result = await this.timeouts.run((signal) =>
      destination.host === null
        ? this.mail(destination, full, signal)
        : this.caller.call(destination, full, `test_${randomBytes(16).toString('hex')}`, signal),
    );
    return { result, durationMs: Math.round(performance.now() - begin) };
  }

  /** Sends a mail to the first recipient that takes mails. */
  private async mail(
    { settings, accountId, isForAccount }: Destination,
    full: SubmissionInFull,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const [first] = await this.recipients.reachable(accountId, recipientsIn(settings));
    if (first === undefined) {
      await this.recipients.askAmong(full.form, recipientsIn(settings));
      return attemptResult(
        'refused',
        'suppressed',
        'None of the recipients has confirmed yet. We have asked them by email.',
      );
    }
    if ((await this.failing.among(accountId, [first])).length > 0) {
      return attemptResult('refused', 'bounced_before', `Emails to ${first} come back.`);
    }
    const brand = await this.readers.brandFor([full.form], first, isForAccount);
    const message = await this.mails.compose('owner', full, first, brand, templateIn(settings));
    return attemptMail(this.mailer, formatUuid(makeUuid()), message, signal);
  }
}
