import type { Mailbox } from '../../platform/config/mailbox.js';
import { button, code, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';

/** The link and the code by which a person signs in. */
export interface SignInByMail {
  email: string;
  link: string;
  /** Code to type where the link cannot be opened. */
  code: string;
  minutes: number;
  /** Network address of the request for the mail. */
  address: string;
}

/**
 * Returns the mail that signs a person in. It quotes nothing that the request carried, such as the name of
 * the browser: a stranger could write to the person that way.
 */
export function signInMail(
  from: Mailbox,
  { email, link, code: digits, minutes, address }: SignInByMail,
): Message {
  const { host } = new URL(link);
  return {
    from,
    to: email,
    replyTo: null,
    ...writeMail({
      subject: `Sign in to ${host}`,
      blocks: [
        paragraph(
          `Someone asked to sign in to ${host} as ${email}. The request came from the IP address ${address}.`,
        ),
        button('Sign in', link),
        paragraph('Or enter this code:'),
        code(digits),
        paragraph(
          `Both work once, for ${minutes} minutes, and only in the browser that asked for them. Never enter the code anywhere else.`,
        ),
      ],
      footer: [
        paragraph('Was this not you? You can ignore this email: nobody can sign in without it.'),
      ],
    }),
    automatic: 'auto-generated',
  };
}
