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
      subject: `Do you want emails about form submissions from "${who}"?`,
      blocks: [
        paragraph(
          `"${who}" wants to send submissions of one of its forms to ${to}. We send nothing until you agree.`,
        ),
        button('Review and agree', link),
      ],
      footer: [
        paragraph(
          'The link works for a week. If you do not want these emails, ignore this one: we will send nothing more.',
        ),
      ],
    }),
    automatic: 'auto-generated',
  };
}
