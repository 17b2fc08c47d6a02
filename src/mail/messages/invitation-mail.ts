import type { Mailbox } from '../../platform/config/mailbox.js';
import { button, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { dayText } from '../parts/time-text.js';

/** The invited person, and the end of the invitation. */
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
  return {
    from,
    to: email,
    replyTo: null,
    ...writeMail({
      subject: `${inviterName} invites you to "${accountName}"`,
      blocks: [
        paragraph(`Hello ${name},`),
        paragraph(
          `${inviterName} invites you to "${accountName}", to work with its forms and their submissions.`,
        ),
        button('Accept invitation', link),
      ],
      footer: [
        paragraph(
          `The link works once, until ${dayText(expiresAt)}. If you did not expect this invitation, you can ignore this email.`,
        ),
      ],
    }),
    automatic: 'auto-generated',
  };
}
