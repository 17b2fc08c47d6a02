import type { Mailbox } from '../platform/config/mailbox.js';
import type { Form } from '../forms/form.entity.js';
import { html } from '../platform/kernel/html.js';
import { htmlMail } from './mail-parts.js';
import type { Message } from './message.js';
import { headerText } from './template.js';

/** Writes the mail that tells an owner that a webhook was disabled after days of failures. */
export function noticeMail(form: Form, from: Mailbox, to: string): Message {
  const title = `The webhook of "${form.name}" was disabled`;
  const lines = [
    `For five days, no call to ${form.webhookUrl ?? 'the webhook'} succeeded, so it was disabled.`,
    'Submissions are still taken in and kept; only the webhook is no longer called.',
    `To enable it again, send PATCH /api/v1/forms/${form.identifier}/webhook with {"webhook":{"enabled":true,"resend":true}}; "resend" also sends what was missed.`,
  ];
  return {
    from,
    to,
    replyTo: null,
    subject: headerText(title),
    text: `${lines.join('\n\n')}\n`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        ${lines.map((line) => html`<p>${line}</p>`)}`,
    ),
    automatic: 'auto-generated',
  };
}
