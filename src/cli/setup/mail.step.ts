import { join } from 'node:path';
import { Mailer } from '../../mail/mailer.js';
import { MailCheck } from '../../operations/doctor/mail.check.js';
import type { Outcome } from '../../operations/doctor/check.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Refused } from '../kit/cli.errors.js';
import { readEmail } from '../kit/options.js';
import type { Change, Draft } from './draft.js';
import { changeOf, type SetupOptions, type Step } from './step.js';
import type { Terminal } from './terminal.js';
import { askServer } from './url-password.js';

const NONE = 'none';

/** Asks for the mail server, logs in to it, and sends a test email if a recipient is given. */
export class MailStep implements Step {
  readonly title = 'Email';
  private to: string | undefined;

  read({ smtpUrl, mailFrom, testEmail }: SetupOptions): Change {
    this.to = testEmail === undefined ? undefined : readEmail('--test-email', testEmail);
    return changeOf({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom });
  }

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const url = await askServer(
      terminal,
      `Mail server: ${NONE}, or such as smtp://user@mail.example.com:587`,
      NONE,
      draft.value('SMTP_URL'),
    );
    const change: Change = url === undefined ? {} : { SMTP_URL: url };
    this.to = undefined;
    if (url === null) return change;
    const { address } = draft.config.mailFrom;
    const proposal = parseEmailAddress(address) === null ? '' : address;
    const from = await terminal.ask('Sender of emails', draft.value('MAIL_FROM') ?? proposal);
    const to = await terminal.until(async () => {
      const answer = await terminal.ask('Send a test email to, or Enter for none');
      return answer === '' ? undefined : readEmail('It', answer);
    });
    this.to = to;
    return { ...change, ...(from !== '' && { MAIL_FROM: from }) };
  }

  async attempt({ config }: Draft): Promise<string> {
    const mailer = new Mailer(config);
    if (!mailer.isConfigured)
      return `Emails are written to files in ${join(config.dataDir, 'mail')} and reach nobody, until SMTP_URL is set.`;
    try {
      const { state, detail } = await this.check(new MailCheck(mailer, config));
      if (state === 'failed') throw new Refused(detail);
      return detail;
    } finally {
      await mailer.onApplicationShutdown();
    }
  }

  private async check(check: MailCheck): Promise<Outcome> {
    try {
      return await check.run(this.to);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Refused(
        `The mail server refuses the test email: ${words}. Check MAIL_FROM and the recipient.`,
        { cause: error },
      );
    }
  }
}
