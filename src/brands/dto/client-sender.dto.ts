import { asked, wrapped } from '../../platform/http/wrapped.js';
import { parseMailbox, type Mailbox } from '../../platform/config/mailbox.js';
import { Optional, Parsed } from '../../platform/kernel/validation.js';
import type { SenderChanges } from '../client-senders.service.js';
import type { ClientSender } from '../model/client-brand.entity.js';
import { parseSmtpUrl } from '../model/smtp-address.js';

/** Longest name of a sender, in characters. */
const NAME_MAX = 255;

/** Returns a sender as it is shown, or null for what is none. */
function parseSender(value: unknown): string | null {
  const mailbox = typeof value === 'string' ? parseMailbox(value) : null;
  return mailbox && Array.from(mailbox.name).length <= NAME_MAX ? textOf(mailbox) : null;
}

function textOf({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** Changes to the sender of a client. Absent fields stay as they are. */
class SenderChangesDto {
  /** Sender of mails to visitors, owners and people of the client; null takes ours, and removes the mail server. */
  @Parsed(
    'not_a_sender',
    parseSender,
    'must be a sender such as Forms of Acme <forms@acme.example>',
  )
  @Optional({ nullable: true })
  from?: string | null;

  /** Mail server that these mails go through, with user and password: stored sealed, and never shown again. Null removes it. */
  @Parsed(
    'not_an_smtp_url',
    parseSmtpUrl,
    'must be the address of a mail server on port 25, 465, 587 or 2525, such as smtps://user:password@mail.example.com:465',
  )
  @Optional({ nullable: true })
  smtp_url?: string | null;
}

export class ChangeSenderDto extends asked('sender', SenderChangesDto) {
  static changes({ sender: { from, smtp_url: smtpUrl } }: ChangeSenderDto): SenderChanges {
    return {
      ...(from !== undefined && { from: from === null ? null : parseMailbox(from) }),
      ...(smtpUrl !== undefined && { smtpUrl }),
    };
  }
}

export class SenderDto {
  /** Null while mails come from the service. */
  from: string | null;
  /** Whether a mail server of the client is set. */
  has_smtp: boolean;
  /** Its host; null without one. */
  smtp_host: string | null;

  static of(sender: ClientSender | null): SenderDto {
    const host = sender?.server?.host ?? null;
    return { from: sender && textOf(sender.from), has_smtp: host !== null, smtp_host: host };
  }
}

/** Whom the mails for a client come from. */
export class SenderAnswerDto extends wrapped('sender', SenderDto) {}
