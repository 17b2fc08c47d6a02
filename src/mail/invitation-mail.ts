import type { Mailbox } from '../platform/config/mailbox.js';
import { htmlMail } from './mail-parts.js';
import type { Message } from './message.js';
import { headerText } from './template.js';
import { html } from '../platform/kernel/html.js';

/** Who is invited, and until when. */
interface Invited {
  email: string;
  name: string;
  expiresAt: Date;
}

/** Invites a person into an account, or to a client of it. */
export function invitationMail(
  from: Mailbox,
  { email, name, expiresAt }: Invited,
  accountName: string,
  inviterName: string,
  link: string,
): Message {
  const title = `${inviterName} invites you to "${accountName}"`;
  const before = [
    `Hello ${name},`,
    `${inviterName} invites you to look after forms and what is sent through them, in "${accountName}".`,
  ];
  const after = `The link works once, until ${expiresAt.toISOString().slice(0, 10)}. If you expect no invitation, you need do nothing.`;
  return {
    from,
    to: email,
    replyTo: null,
    subject: headerText(title),
    text: `${[...before, `Accept it here:\n${link}`, after].join('\n\n')}\n`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        ${before.map((line) => html`<p>${line}</p>`)}
        <p><a href="${link}">Accept the invitation</a></p>
        <p>${after}</p>`,
    ),
    automatic: 'auto-generated',
  };
}
