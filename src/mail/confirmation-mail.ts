import type { Mailbox } from '../platform/config/mailbox.js';
import { html } from '../platform/kernel/html.js';
import { htmlMail } from './mail-parts.js';
import type { Message } from './message.js';
import { cut, headerText } from './template.js';

/**
 * Asks an address whether it wants the mails of an account's forms. It says nothing that a client wrote,
 * since it may go to a stranger: the name of the account is the owner's own.
 */
export function confirmationMail(
  accountName: string,
  link: string,
  from: Mailbox,
  to: string,
): Message {
  const who = cut(accountName);
  const title = `Get the mails of forms of "${who}"?`;
  const before = `"${who}" would like to send you what visitors submit through one of its forms. Nothing is sent to ${to} until you agree.`;
  const after =
    'The link works for a week. If you do not want this, you need do nothing: no mails will come.';
  return {
    from,
    to,
    replyTo: null,
    subject: headerText(title),
    text: `${[title, before, `Agree here:\n${link}`, after].join('\n\n')}\n`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        <p>${before}</p>
        <p><a href="${link}">See and agree</a></p>
        <p>${after}</p>`,
    ),
    automatic: 'auto-generated',
  };
}
