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
      subject: `Sign in at ${host}`,
      blocks: [
        paragraph(`Somebody at ${address} asked to sign in at ${host} as ${email}.`),
        button('Sign in', link),
        paragraph('Or type this code:'),
        code(digits),
        paragraph(
          `Both work once, for ${minutes} minutes, in the browser where they were asked for. Type the code nowhere else.`,
        ),
      ],
      footer: [
        paragraph('If that was not you, you need do nothing: without this mail nobody gets in.'),
      ],
    }),
    automatic: 'auto-generated',
  };
}
