import type { Brand } from '../../brands/brands.service.js';
import type { ClientServer } from '../../brands/model/client-brand.entity.js';
import type { Config } from '../../platform/config/config.js';
import type { Mailbox } from '../../platform/config/mailbox.js';
import { headerText } from './template.js';
import type { Message } from './message.js';

/** Whom a mail comes from, and where its links lead. */
export interface SentBy {
  /** Name above the text; null for none. */
  name: string | null;
  from: Mailbox;
  /** Where answers go that would not reach the sender; null: to the From address. */
  replyTo: Mailbox | null;
  /** The mail server of a client; null for ours. */
  via: ClientServer | null;
  /** Beginning of the addresses of our pages. */
  baseUrl: string;
}

/**
 * Returns whom mails of an account or a client come from. Receivers reject a From address whose domain does not permit
 * the server (SPF, DMARC): through ours, a sender is used only when MAIL_FROM_DOMAINS lists its domain, and otherwise
 * becomes Reply-To under its own name.
 */
export function sentBy({ name, isOfClient, sender, baseUrl }: Brand, config: Config): SentBy {
  const ours = config.mailFrom;
  const own = isOfClient ? headerText(name ?? '') : ours.name;
  const by = { name, replyTo: null, via: null, baseUrl };
  if (!sender) return { ...by, from: { name: own, address: ours.address } };
  const wanted = { name: headerText(sender.from.name) || own, address: sender.from.address };
  if (sender.server) return { ...by, from: wanted, via: sender.server };
  if (mayBeFrom(wanted.address, config)) return { ...by, from: wanted };
  return { ...by, from: { name: wanted.name, address: ours.address }, replyTo: wanted };
}

/** Tells whether our mail server may send under an address that is not ours. */
export function mayBeFrom(address: string, { mail }: Config): boolean {
  return mail.fromDomains.includes(address.slice(address.lastIndexOf('@') + 1));
}

/** Returns a mail as it leaves through the sender's server, answered where it says unless the mail knows better. */
export function sendAs({ replyTo, via }: SentBy, message: Message): Message {
  return { ...message, replyTo: message.replyTo ?? replyTo, ...(via && { via }) };
}
