import type { Mailbox } from '../platform/config/mailbox.js';
import { html } from '../platform/kernel/html.js';
import { htmlMail } from './mail-parts.js';
import type { Message } from './message.js';
import { headerText } from './template.js';

/** Returns the mail that tells a person how they sign in was changed, so that they notice when it was not them. */
export function factorsMail(
  from: Mailbox,
  { email, name }: { email: string; name: string },
  at: Date,
  address: string,
): Message {
  const title = 'The way you sign in has changed';
  const lines = [
    `Hello ${name},`,
    `The codes that are asked for when you sign in were changed at ${at.toISOString()}, from ${address}.`,
    'If that was not you, change your password at once and tell whoever runs this service.',
  ];
  return {
    from,
    to: email,
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
