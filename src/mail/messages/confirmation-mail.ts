import type { Mailbox } from '../../platform/config/mailbox.js';
import { button, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { cut } from '../parts/template.js';

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
  return {
    from,
    to,
    replyTo: null,
    ...writeMail({
      subject: `Get the mails of forms of "${who}"?`,
      blocks: [
        paragraph(
          `"${who}" would like to send you what visitors submit through one of its forms. Nothing is sent to ${to} until you agree.`,
        ),
        button('See and agree', link),
      ],
      footer: [
        paragraph(
          'The link works for a week. If you do not want this, you need do nothing: no mails will come.',
        ),
      ],
    }),
    automatic: 'auto-generated',
  };
}
