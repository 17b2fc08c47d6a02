import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Config } from '../../platform/config/config.js';
import { Mailer } from '../../mail/mailer.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import type { Check, Outcome } from './check.js';

/** Checks that the mail server takes our login, and sends a test mail if a recipient is given. */
@Injectable()
export class MailCheck implements Check {
  readonly name = 'mail';
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
