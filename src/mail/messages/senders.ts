import type { Form } from '../../forms/model/form.entity.js';
import type { Config } from '../../platform/config/config.js';
import type { Message } from '../parts/message.js';
import { mayBeFrom, type SentBy } from '../parts/sent-by.js';
import { headerText } from '../parts/template.js';

/**
 * Returns the addresses of a mail to a visitor. Receivers reject a From address whose domain does not permit our mail
 * server (SPF, DMARC). So the owner's address is used there only when MAIL_FROM_DOMAINS lists its domain;
 * otherwise, and through a client's own server, it becomes Reply-To. Where the form names none, answers go to the reply
 * address of the client or account.
 */
export function senders(
  form: Form,
  config: Config,
  { from: ours, via, replyTo: own }: SentBy,
  answersTo: string | null,
): Pick<Message, 'from' | 'replyTo'> {
  const name = headerText(form.notifySubmitterFromName ?? ours.name);
  const from = { name, address: ours.address };
  const wanted = form.notifySubmitterFrom;
  if (wanted === null) {
    return { from, replyTo: answersTo === null ? own : { name, address: answersTo } };
  }
  if (!via && mayBeFrom(wanted, config)) return { from: { name, address: wanted }, replyTo: null };
  return { from, replyTo: { name, address: wanted } };
}
