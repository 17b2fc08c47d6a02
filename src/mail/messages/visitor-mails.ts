import type { Config } from '../../platform/config/config.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { paragraph, button, type Block } from '../parts/blocks.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { writeMail } from '../parts/layout.js';
import type { Attachment, Message } from '../parts/message.js';
import { type SentBy, mayBeFrom } from '../parts/sent-by.js';
import { placeholders } from './placeholders.js';
import { fill, fillSubject, cut, headerText, CUT, Filling } from '../parts/template.js';
import type { Form } from '../../forms/model/form.entity.js';
import { LINK_DAYS } from '../../submissions/confirmations/confirmations.service.js';
import { h, type ComponentChild } from 'preact';
import { readMailHtml } from '../../forms/model/mail-html.js';
import type { Node } from '../../platform/html/read-html.js';

const DEFAULT_SUBJECT = 'We have received your submission: {{form.name}}';

/** Writes the mail that thanks the visitor, in the words of the form's owner; its file goes along. */
export function submitterMail(
  { form, submission }: SubmissionInFull,
  config: Config,
  to: string,
  by: SentBy,
  answersTo: string | null,
  attachments: Attachment[],
): Message {
  const values = placeholders({ form, submission });
  const subject = fillSubject(form.notifySubmitterSubject ?? DEFAULT_SUBJECT, values);
  const { html } = decodeVisitorMail(form.visitorMail);
  const { notifySubmitterBody: body, submissionText } = form;
  const block =
    (html === null ? null : htmlBlock(html, body === null ? null : fill(body, values), values)) ??
    paragraph(fill(body ?? submissionText, values));
  return {
    ...senders(form, config, by, answersTo),
    to,
    attachments,
    thread: formatUuid(submission.id),
    ...writeMail({ subject, heading: null, blocks: [block] }),
    automatic: 'auto-replied',
  };
}

/**
 * Asks a visitor whether they sent a submission. It says nothing that was sent, since it may go to a stranger: the names are the
 * owner's own.
 */
export function optInMail(
  form: Form,
  submissionId: Buffer,
  link: string,
  by: SentBy,
  answersTo: string | null,
  config: Config,
  to: string,
): Message {
  const { name } = by;
  const who = name === null ? '' : ` of ${cut(name)}`;
  return {
    ...senders(form, config, by, answersTo),
    to,
    thread: formatUuid(submissionId),
    ...writeMail({
      subject: fillSubject('Please confirm: {{form}}', new Map([['form', form.name]])),
      heading: 'Confirm that this was you',
      sender: name,
      blocks: [
        paragraph(
          `Somebody filled in “${cut(form.name)}”${who} with this email address. It is passed on once you confirm that this was you.`,
        ),
        button('Confirm that this was you', link),
      ],
      footer: [
        paragraph(
          `The link works for ${LINK_DAYS} days. If this was not you, ignore this email: nothing will be passed on, and we will not ask again.`,
        ),
      ],
    }),
    automatic: 'auto-replied',
  };
}

/**
 * Returns the addresses of a mail to a visitor. Receivers reject a From address whose domain does not permit our mail
 * server (SPF, DMARC). So the owner's address is used there only when MAIL_FROM_DOMAINS lists its domain;
 * otherwise, and through a client's own server, it becomes Reply-To. Where the form names none, answers go to the reply
 * address of the client or account.
 */
function senders(
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

/** Elements after which plain text begins a new paragraph, or a new line. */
const PARAGRAPHS = ['p', 'h1', 'h2', 'h3', 'blockquote', 'ul', 'ol', 'table'];
const LINES = ['li', 'tr'];

/**
 * Fills the HTML of an owner. Values stand as text, whatever they contain; in links they are encoded.
 * @param html that `mailHtmlProblem` has passed
 * @param plain the plain text of the mail; null makes one from the HTML
 * @returns null for HTML that was passed before there were limits, and is over them
 */
function htmlBlock(
  html: string,
  plain: string | null,
  values: ReadonlyMap<string, string>,
): Block | null {
  const filling = new Filling(values);
  const nodes = readMailHtml(html);
  if (nodes === null) return null;
  for (const node of nodes) fillNode(node, filling);
  const text = plain ?? tidied(nodes.map(textOf).join(''));
  const content = nodes.map(elementOf);
  return { kind: 'html', content: filling.isCut ? [...content, h('p', null, CUT)] : content, text };
}

function elementOf(node: Node): ComponentChild {
  if ('value' in node) return node.value;
  if (!('tagName' in node)) return null;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return h(node.tagName, attributes, ...node.childNodes.map(elementOf));
}

function fillNode(node: Node, filling: Filling): void {
  if ('value' in node) node.value = filling.of(node.value);
  if (!('tagName' in node)) return;
  for (const attribute of node.attrs) {
    attribute.value = filling.of(attribute.value, encodeURIComponent);
  }
  for (const child of node.childNodes) fillNode(child, filling);
}

function textOf(node: Node): string {
  if ('value' in node) return node.value.replace(/\s+/g, ' ');
  if (!('tagName' in node)) return '';
  const { tagName } = node;
  if (tagName === 'br') return '\n';
  const text = node.childNodes.map(textOf).join('');
  if (PARAGRAPHS.includes(tagName)) return `\n\n${text}\n\n`;
  if (LINES.includes(tagName)) return `\n${tagName === 'li' ? '- ' : ''}${text.trim()}`;
  if (tagName === 'td' || tagName === 'th') return `${text} `;
  const target = tagName === 'a' ? node.attrs[0]?.value.replace(/^mailto:/i, '') : undefined;
  return target === undefined || target === text ? text : `${text} (${target})`;
}

function tidied(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
