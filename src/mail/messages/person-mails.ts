import type { Mailbox } from '../../platform/config/mailbox.js';
import { button, facts, paragraph, type Block } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { timeText } from '../parts/time-text.js';

/** Who gets a mail about how they sign in. */
interface Recipient {
  email: string;
  name: string;
}

/** When something was done, and from which network address. */
interface Occasion {
  at: Date;
  address: string;
}

/** What was changed about how a person signs in, and the sentence that says so. */
const CHANGES = {
  'totp-added': 'Codes of an authenticator app are asked for now when you sign in.',
  'totp-removed': 'Codes of an authenticator app are no longer asked for when you sign in.',
  'codes-renewed': 'New recovery codes were made; the former ones no longer work.',
  'passkey-added': 'A passkey was added that you can sign in with.',
  'passkey-removed': 'A passkey was removed; nobody signs in with it any more.',
  'password-changed': 'Your password was changed.',
  'email-changed': 'The e-mail address that you sign in with was changed.',
  'set-up-anew':
    'A setup link, which only whoever runs this service can make, replaced all your ways to sign in.',
  'begun-anew':
    'It was proved for the first time that this address is yours, so all that signed in as you before has ended: passwords, codes, passkeys, linked identities and sessions. Set a password or a passkey of your own under "Account and sign-in".',
  'identity-linked':
    'An identity at a sign-in provider was linked to you: whoever has it signs in as you.',
  'identity-removed': 'An identity at a sign-in provider was unlinked from you.',
} as const;

/** Names a change of how a person signs in. */
export type SignInChange = keyof typeof CHANGES;

const UNEXPECTED =
  'If that was not you, change your password at once, sign out everywhere else, and tell whoever runs this service.';

/**
 * Returns the mail that tells a person how they sign in was changed, so that they notice when it was not
 * them.
 */
export function changeMail(
  from: Mailbox,
  to: Recipient,
  change: SignInChange,
  occasion: Occasion,
): Message {
  return mailTo(from, to, 'The way you sign in has changed', [
    paragraph(CHANGES[change]),
    factsOf(occasion),
    paragraph(UNEXPECTED),
  ]);
}

/**
 * Returns the mail that tells a person of a sign-in with a browser that they did not use before.
 * @param browser such as `Firefox on Windows`, and nothing that the request itself said
 */
export function browserMail(
  from: Mailbox,
  to: Recipient,
  browser: string,
  occasion: Occasion,
): Message {
  return mailTo(from, to, 'A sign-in with a new browser', [
    paragraph('Somebody signed in as you with a browser that you did not use here before.'),
    factsOf(occasion, browser),
    paragraph(UNEXPECTED),
  ]);
}

/**
 * Returns the mail that asks whether an address is to be what a person signs in with.
 * @param to with `isKnown`, they do so already and only show that it is theirs
 */
export function newAddressMail(
  from: Mailbox,
  to: Recipient & { isKnown: boolean },
  link: string,
  until: Date,
): Message {
  return mailTo(from, to, `Confirm your ${to.isKnown ? '' : 'new '}e-mail address`, [
    paragraph(
      to.isKnown
        ? `You asked to show that ${to.email} is yours.`
        : `You asked to sign in as ${to.email} from now on.`,
    ),
    button('Confirm the address', link),
    paragraph(`Open it where you are signed in. The link works once, until ${timeText(until)}.`),
    paragraph('If you did not ask for this, you need do nothing.'),
  ]);
}

function factsOf({ at, address }: Occasion, browser?: string): Block {
  return facts([
    { label: 'When', text: timeText(at) },
    { label: 'From', text: address },
    ...(browser === undefined ? [] : [{ label: 'Browser', text: browser }]),
  ]);
}

function mailTo(
  from: Mailbox,
  { email, name }: Recipient,
  subject: string,
  blocks: Block[],
): Message {
  return {
    from,
    to: email,
    replyTo: null,
    ...writeMail({ subject, blocks: [paragraph(`Hello ${name},`), ...blocks] }),
    automatic: 'auto-generated',
  };
}
