import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../accounts/accounts.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Config, Clock, COMMAND_LINE, parseEmailAddress } from '../../platform/index.js';
import { ChecksService, MendsService, type Outcome, minuteText, warns, fails, passes } from './check.js';
import { Mailer } from '../../mail/mailer.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { InstanceWatch } from '../../health/watch/instance-watch.service.js';
import { FormCounts } from '../../search/inbox/inbox.service.js';
import { CanaryService } from '../../health/canary/canary.service.js';
import { Akismet, Rspamd } from '../../spam/external/external-filter.js';

/** Checks that the mail server takes our login, and sends a test mail if a recipient is given. */
@Injectable()
export class MailCheck {
  constructor(
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** @param to recipient of a test mail; none is sent without it */
  @ChecksService({ name: 'mail', settings: ['SMTP_URL', 'MAIL_FROM'], isSlow: true })
  async run(to?: string): Promise<Outcome> {
    const from = this.config.mailFrom;
    if (!this.mailer.isConfigured) {
      return warns('SMTP_URL is not set. Emails are saved to files and not sent.');
    }
    try {
      await this.mailer.verify();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      return fails(
        words.includes('SMTP_URL')
          ? words
          : `${words}. Check the host, port, user and password in SMTP_URL, and the firewall.`,
      );
    }
    if (to === undefined) {
      if (parseEmailAddress(from.address) === null) {
        return warns(`Emails come from ${from.address}, which other mail servers reject. Set MAIL_FROM.`);
      }
      return passes(`The mail server accepts the login. Emails come from ${from.address}.`);
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
    return passes(
      `The mail server accepted a test email to ${to}: ${reply ?? ''}. Its header Authentication-Results shows whether spf, dkim and dmarc pass.`,
    );
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

/** Most differences that are named; the others are only counted. */
const NAMED_MAX = 20;

/** Checks that submissions come in and go on, as they used to. */
@Injectable()
export class WorkChecks {
  constructor(
    private readonly counts: FormCounts,
    private readonly accounts: AccountsService,
    private readonly statistics: StatisticsService,
    private readonly deliveries: DeliveriesService,
    private readonly instance: InstanceWatch,
    private readonly canaries: CanaryService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Checks that the stored count of every form is the number of its submissions. */
  @ChecksService({ name: 'submission counts', settings: [], isSlow: true, canMend: true })
  async submissionCounts(): Promise<Outcome> {
    const { forms, wrong } = await this.counts.compare();
    if (wrong.length === 0) return passes(`The counts of ${forms} forms are right.`);
    const named = wrong
      .slice(0, NAMED_MAX)
      .map(({ identifier, counted, there }) => `${identifier} says ${counted} and has ${there}`);
    if (wrong.length > NAMED_MAX) named.push(`${wrong.length - NAMED_MAX} more`);
    return fails(named.join('; '));
  }

  @MendsService()
  async mendCounts(): Promise<void> {
    await this.counts.mend();
  }

  /** Checks for due deliveries that no worker attempts. */
  @ChecksService({ name: 'deliveries', settings: ['WORKERS'] })
  async lateDeliveries(): Promise<Outcome> {
    const stuck = await this.deliveries.countLate(this.clock.now());
    if (stuck === 0) return passes('No delivery is late.');
    return fails(
      `${stuck} deliveries are more than ten minutes late. Start a process with WORKERS=on or WORKERS=only, or look at what the mail server says.`,
    );
  }

  /** Checks that submissions come in as they used to, of all forms together. */
  @ChecksService({ name: 'submissions', settings: ['BASE_URL'] })
  async submissions(): Promise<Outcome> {
    const now = this.clock.now();
    const { lastAt, silentFrom } = await this.instance.look(now);
    if (lastAt === null) return passes('No form has received a submission lately.');
    const last = `The last submission came between ${minuteText(lastAt)} and an hour later.`;
    if (silentFrom === null) return passes(`${last} How often they come is not known yet.`);
    if (silentFrom > now) return passes(`${last} Silence would be unusual from ${minuteText(silentFrom)} on.`);
    return fails(
      `No submissions to any form since ${minuteText(lastAt)}, which is unusual for all of them together. Check from outside that BASE_URL answers: its DNS, its certificate, the proxy and the firewall.`,
    );
  }

  /** Checks that the test submissions of canaries get through; what is wrong with a page is for its owner. */
  @ChecksService({ name: 'canaries', settings: ['CANARY', 'BASE_URL', 'WORKERS', 'SMTP_URL'] })
  async testSubmissions(): Promise<Outcome> {
    const failure = await this.canaries.failureOfService();
    if (!failure) return passes('No test submission was lost on its way.');
    const { since, step, detail } = failure;
    return fails(`Test submissions have failed at the step ${step} since ${minuteText(since)}: ${detail}`);
  }

  /** Checks that mails get out: that some are accepted where there should be, and that few fail or come back. */
  @ChecksService({ name: 'mail flow', settings: ['SMTP_URL', 'MAIL_FROM'] })
  async mailFlow(): Promise<Outcome> {
    // What is saved to disk was accepted by nobody.
    if (!this.mailer.isConfigured) return passes('Skipped: no mail server.');
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
    return fails(
      `No email of the last 24 hours was accepted, although ${due} are due; ${acceptedBefore} were in the seven days before. Run ${COMMAND_LINE} doctor to ask the mail server, check SMTP_URL, and look at the answers under Failed deliveries of a form.`,
    );
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
  return passes(due + accepted === 0 ? 'No email was due lately.' : sentence);
}

/** Time for the answer of each filter, in milliseconds. */
const ANSWER_MS = 5_000;

/** Asks whether the spam filters that forms may ask are there. */
@Injectable()
export class SpamFiltersCheck {
  constructor(
    private readonly rspamd: Rspamd,
    private readonly akismet: Akismet,
    private readonly config: Config,
  ) {}

  @ChecksService({ name: 'spam filters', settings: ['RSPAMD_URL', 'AKISMET_KEY', 'AKISMET_URL'], isSlow: true })
  async check(): Promise<Outcome> {
    const { rspamdUrl, akismetKey, akismetUrl } = this.config.filters;
    const asked = [
      ...(rspamdUrl === undefined ? [] : [{ url: rspamdUrl, filter: this.rspamd }]),
      ...(akismetKey === undefined ? [] : [{ url: akismetUrl, filter: this.akismet }]),
    ];
    if (asked.length === 0) {
      return passes('Neither RSPAMD_URL nor AKISMET_KEY is set. Forms use no external spam filter.');
    }
    const wrong: string[] = [];
    for (const { url, filter } of asked) {
      try {
        await filter.verify(AbortSignal.timeout(ANSWER_MS));
      } catch (error) {
        wrong.push(`${filter.name} at ${url}: ${(error as Error).message}`);
      }
    }
    const names = asked.map(({ filter }) => filter.name).join(' and ');
    if (wrong.length === 0) return passes(`${names} can be reached.`);
    return fails(
      `${wrong.join(' ')} Submissions are scored without it. Check RSPAMD_URL, AKISMET_KEY and the firewall.`,
    );
  }
}
