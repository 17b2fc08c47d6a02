import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Config } from '../../platform/config/config.js';
import { Mailer } from '../../mail/mailer.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import type { Check, Outcome } from './check.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { COMMAND_LINE } from '../../platform/kernel/command-line.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { StatisticsService } from '../../statistics/counts/statistics.service.js';

/** Checks that the mail server takes our login, and sends a test mail if a recipient is given. */
@Injectable()
export class MailCheck implements Check {
  readonly name = 'mail';
  readonly isSlow = true;
  readonly settings = ['SMTP_URL', 'MAIL_FROM'];

  constructor(
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** @param to recipient of a test mail; none is sent without it */
  async run(to?: string): Promise<Outcome> {
    const from = this.config.mailFrom;
    if (!this.mailer.isConfigured) {
      return {
        state: 'warning',
        detail: 'SMTP_URL is not set. Emails are saved to files and not sent.',
      };
    }
    try {
      await this.mailer.verify();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const detail = words.includes('SMTP_URL')
        ? words
        : `${words}. Check the host, port, user and password in SMTP_URL, and the firewall.`;
      return { state: 'failed', detail };
    }
    if (to === undefined) {
      if (parseEmailAddress(from.address) === null) {
        const detail = `Emails come from ${from.address}, which other mail servers reject. Set MAIL_FROM.`;
        return { state: 'warning', detail };
      }
      return {
        state: 'ok',
        detail: `The mail server accepts the login. Emails come from ${from.address}.`,
      };
    }
    const text = 'If you can read this, the Form Collection Service can send email.';
    const reply = await this.mailer.send(randomUUID(), {
      from,
      to,
      replyTo: null,
      subject: 'Test email from the Form Collection Service',
      text: `${text}\n`,
      html: `<p>${text}</p>`,
      automatic: 'auto-generated',
    });
    return {
      state: 'ok',
      detail: `The mail server accepted a test email to ${to}: ${reply ?? ''}. Its header Authentication-Results shows whether spf, dkim and dmarc pass.`,
    };
  }
}

/** Mails that must be due without one that is accepted: a single address may be wrong. */
const DUE_LEAST = 3;
/** Mails of a day from which the share of those that fail says something. */
const SHARED_LEAST = 20;
/** Share of mails that fail or come back that is a warning, and that is a failure. */
const SHARE_WARNED = 0.1;
const SHARE_FAILED = 0.5;

/** Mails about submissions of the last 24 hours, and of the seven days before. */
interface MailFlow {
  accepted: number;
  /** Those that were given up or came back. */
  failed: number;
  /** Those that wait after a try that failed, or are late. */
  waiting: number;
  acceptedBefore: number;
}

/** Checks that mails get out: that some are accepted where there should be, and that few fail or come back. */
@Injectable()
export class MailFlowCheck implements Check {
  readonly name = 'mail flow';
  readonly settings = ['SMTP_URL', 'MAIL_FROM'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly statistics: StatisticsService,
    private readonly deliveries: DeliveriesService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<Outcome> {
    // What is saved to disk was accepted by nobody.
    if (!this.mailer.isConfigured) return { state: 'ok', detail: 'Skipped: no mail server.' };
    const now = this.clock.now();
    const ids = (await this.accounts.list()).map(({ id }) => id);
    const { lastDay, before } = await this.statistics.lately(ids, now);
    return judgeMailFlow({
      accepted: lastDay.mailsDelivered + lastDay.mailsLate,
      failed: lastDay.mailsFailed,
      waiting: await this.deliveries.countMailsWaiting(now),
      acceptedBefore: before.mailsDelivered + before.mailsLate,
    });
  }
}

/** Judges the mails of a day. */
export function judgeMailFlow({ accepted, failed, waiting, acceptedBefore }: MailFlow): Outcome {
  const due = failed + waiting;
  if (accepted === 0 && acceptedBefore > 0 && due >= DUE_LEAST) {
    return {
      state: 'failed',
      detail: `No email of the last 24 hours was accepted, although ${due} are due; ${acceptedBefore} were in the seven days before. Run ${COMMAND_LINE} doctor to ask the mail server, check SMTP_URL, and look at the answers under Failed deliveries of a form.`,
    };
  }
  const all = accepted + failed;
  const share = all === 0 ? 0 : failed / all;
  if (all >= SHARED_LEAST && share > SHARE_WARNED) {
    return {
      state: share > SHARE_FAILED ? 'failed' : 'warning',
      detail: `${failed} of ${all} emails of the last 24 hours failed or came back (${Math.round(share * 100)} %). Mail servers block senders of such emails. Correct the recipients that do not exist, give forms that email their visitors a spam filter or a captcha, and run ${COMMAND_LINE} doctor to check the DNS records of MAIL_FROM.`,
    };
  }
  const sentence = `Of the emails of the last 24 hours, ${accepted} were accepted and ${failed} failed or came back.`;
  return { state: 'ok', detail: due + accepted === 0 ? 'No email was due lately.' : sentence };
}
