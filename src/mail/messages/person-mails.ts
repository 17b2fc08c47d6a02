import { type Mailbox, formatUuid } from '../../platform/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { button, code, facts, paragraph, notice, noticeBy, type Block } from '../parts/layout.js';
import { type Message, timeText, type SentBy, dayText, headerText, cut } from '../parts/message.js';
import type { SubmissionNote } from '../../triage/notes/submission-note.entity.js';

/**
 * Writes the mail that tells an owner that calls were stopped after days of failures.
 * @param destination its name; null for the webhook of the form
 */
export function noticeMail(form: Form, destination: string | null, by: SentBy, to: string): Message {
  const page = `${by.baseUrl}/forms/${form.identifier}`;
  const name = { label: 'Form', text: form.name };
  const content =
    destination === null
      ? {
          subject: `Webhook of "${form.name}" turned off`,
          blocks: [
            paragraph(
              'Every call of this webhook failed for five days, so we turned it off. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Webhook', text: form.webhookUrl ?? '' }]),
            paragraph(
              'Once your server works again, turn the webhook on. You can then also send all missed submissions.',
            ),
            button('Open form', page),
            paragraph('Or use the API with an API token:'),
            code(enableCommand(`${by.baseUrl}/api/v1/forms/${form.identifier}/webhook`)),
          ],
        }
      : {
          subject: `Destination "${headerText(destination)}" of "${form.name}" paused`,
          blocks: [
            paragraph(
              'Every call of this destination failed for five days, so we paused it. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Destination', text: destination }]),
            paragraph('See its log for the error. Once fixed, resume it; you can also send missed submissions.'),
            button('Open destinations', `${page}/destinations`),
          ],
        };
  return noticeBy(by, to, content);
}

/** Returns a command to copy, which sends what was missed too. */
function enableCommand(address: string) {
  return [
    `curl -X PATCH ${address} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '{"webhook":{"enabled":true,"resend":true}}'`,
  ].join('\n');
}

/** Longest beginning of a note that the mail has, in characters. */
const NOTE_SHOWN = 1_000;

/** Writes the mail that tells a person of a note that mentions them. */
export function mentionMail(
  form: Form,
  { submissionId, authorName, text }: SubmissionNote,
  by: SentBy,
  to: string,
): Message {
  const id = formatUuid(submissionId);
  const shown = text.length > NOTE_SHOWN ? `${text.slice(0, NOTE_SHOWN)}…` : text;
  return {
    ...noticeBy(by, to, {
      subject: `${cut(authorName)} mentioned you: ${form.name}`,
      blocks: [
        paragraph(`${authorName} mentioned you in a note on a submission.`),
        facts([
          { label: 'Form', text: form.name },
          { label: 'Note', text: shown },
        ]),
        button('Open submission', `${by.baseUrl}/inbox/${form.identifier}/${id}`),
      ],
    }),
    thread: id,
  };
}

/**
 * Asks an address whether it wants the mails of an account's forms. It says nothing that a client wrote,
 * since it may go to a stranger: the name of the account is the owner's own.
 */
export function confirmationMail(accountName: string, link: string, by: SentBy, to: string): Message {
  const who = cut(accountName);
  return noticeBy(by, to, {
    subject: `Do you want emails about form submissions from "${who}"?`,
    blocks: [
      paragraph(`"${who}" wants to send submissions of one of its forms to ${to}. We send nothing until you agree.`),
      button('Review and agree', link),
    ],
    footer: [
      paragraph(
        'The link works for a week. If you do not want these emails, ignore this one: we will send nothing more.',
      ),
    ],
  });
}

/** Writes the mail that shows whether the sender of a client works. */
export function senderTestMail(by: SentBy, to: string): Message {
  return noticeBy(by, to, {
    subject: 'Test of the sender',
    sender: by.name,
    blocks: [
      paragraph(`This email came from ${by.from.address}${by.via ? ` through ${by.via.host}` : ''}.`),
      paragraph('Emails to visitors and to the people of this client come the same way.'),
    ],
  });
}

/** Recipient of an email about sign-in. */
interface Recipient {
  email: string;
  name: string;
}

/** When something was done, and from which network address. */
interface Occasion {
  at: Date;
  address: string;
}

/** Changes of the ways to sign in, each with its sentence. */
const CHANGES = {
  'totp-added': 'Two-step verification was turned on.',
  'totp-removed': 'Two-step verification was turned off.',
  'codes-renewed': 'New recovery codes were created. The old ones no longer work.',
  'passkey-added': 'A passkey was added.',
  'passkey-removed': 'A passkey was removed.',
  'password-changed': 'Your password was changed.',
  'email-changed': 'The email address you sign in with was changed.',
  'set-up-anew':
    'A setup link replaced all your ways to sign in. Only the operator of this service can create such a link.',
  'begun-anew':
    'You verified this address for the first time. To protect you, we removed everything that could sign in as you before: passwords, codes, passkeys, linked identities and sessions. Set a password or add a passkey under "Account and sign-in".',
  'identity-linked': 'An identity from a sign-in provider was linked. It can now sign in as you.',
  'identity-removed': 'An identity from a sign-in provider was unlinked.',
} as const;

/** Names a change of how a person signs in. */
export type SignInChange = keyof typeof CHANGES;

const UNEXPECTED =
  'If this was not you, change your password immediately, sign out on all other devices, and tell the operator of this service.';

/** Returns the mail that tells a person how they sign in was changed, so that they notice when it was not them. */
export function changeMail(from: Mailbox, to: Recipient, change: SignInChange, occasion: Occasion): Message {
  return mailTo(from, to, 'Your sign-in settings changed', [
    paragraph(CHANGES[change]),
    factsOf(occasion),
    paragraph(UNEXPECTED),
  ]);
}

/**
 * Returns the mail that tells a person of a sign-in with a browser that they did not use before.
 * @param browser such as `Firefox on Windows`, and nothing that the request itself said
 */
export function browserMail(from: Mailbox, to: Recipient, browser: string, occasion: Occasion): Message {
  return mailTo(from, to, 'New sign-in to your account', [
    paragraph('Someone signed in as you with a browser we have not seen before.'),
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
  return mailTo(from, to, `Verify your ${to.isKnown ? '' : 'new '}email address`, [
    paragraph(to.isKnown ? `You asked us to verify ${to.email}.` : `You asked to sign in as ${to.email} from now on.`),
    button('Verify address', link),
    paragraph(`Open the link in the browser where you are signed in. It works once, until ${timeText(until)}.`),
    paragraph('If you did not ask for this, you can ignore this email.'),
  ]);
}

function factsOf({ at, address }: Occasion, browser?: string) {
  return facts([
    { label: 'Time', text: timeText(at) },
    { label: 'IP address', text: address },
    ...(browser === undefined ? [] : [{ label: 'Browser', text: browser }]),
  ]);
}

function mailTo(from: Mailbox, { email, name }: Recipient, subject: string, blocks: Block[]) {
  return notice(from, email, { subject, blocks: [paragraph(`Hello ${name},`), ...blocks] });
}

/** The invited person, and the end of the invitation. */
interface Invited {
  email: string;
  name: string;
  expiresAt: Date;
}

/** Invites a person into an account, or to a client of it. */
export function invitationMail(
  by: SentBy,
  { email, name, expiresAt }: Invited,
  accountName: string,
  inviterName: string,
  link: string,
): Message {
  return noticeBy(by, email, {
    subject: `${inviterName} invites you to "${accountName}"`,
    blocks: [
      paragraph(`Hello ${name},`),
      paragraph(`${inviterName} invites you to "${accountName}", to work with its forms and their submissions.`),
      button('Accept invitation', link),
    ],
    footer: [
      paragraph(
        `The link works once, until ${dayText(expiresAt)}. If you did not expect this invitation, you can ignore this email.`,
      ),
    ],
  });
}

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
export function signInMail(from: Mailbox, { email, link, code: digits, minutes, address }: SignInByMail): Message {
  const { host } = new URL(link);
  return notice(from, email, {
    subject: `Sign in to ${host}`,
    blocks: [
      paragraph(`Someone asked to sign in to ${host} as ${email}. The request came from the IP address ${address}.`),
      button('Sign in', link),
      paragraph('Or enter this code:'),
      code(digits),
      paragraph(
        `Both work once, for ${minutes} minutes, and only in the browser that asked for them. Never enter the code anywhere else.`,
      ),
    ],
    footer: [paragraph('Was this not you? You can ignore this email: nobody can sign in without it.')],
  });
}
