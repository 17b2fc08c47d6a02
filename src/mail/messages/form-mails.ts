import { h, type ComponentChild } from 'preact';
import { Injectable } from '@nestjs/common';
import type { Form } from '../../forms/model/form.entity.js';
import { button, facts, paragraph, type Block, noticeBy, writeMail } from '../parts/layout.js';
import {
  type Message,
  type SentBy,
  timeText,
  withTimes,
  type Attachment,
  mayBeFrom,
  sendAs,
  sentBy,
  headerText,
  fill,
  fillSubject,
  cut,
  CUT,
  Filling,
} from '../parts/message.js';
import { Config, formatUuid, chosenParts, type Node, Clock } from '../../platform/index.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { placeholders, ownerMail, type OwnerTemplate } from './owner-mail.js';
import { LINK_DAYS, Confirmations } from '../../submissions/confirmations/confirmations.service.js';
import { thanksIn, translated, wordsFor } from '../../forms/model/form-language.js';
import type { Words } from '../../languages/words.js';
import { mailHtmlProblem, readMailHtml } from '../../forms/model/mail-html.js';
import { BrandsService, type Brand } from '../../clients/brands/brands.service.js';
import { FilesService } from '../../submissions/files/files.service.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import type { FileScan } from '../../submissions/files/scans/file-scan.entity.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';

/** A finding about a form, as a mail tells of it. */
export interface AlarmTold {
  formId: number;
  name: string;
  identifier: string;
  code: string;
  /** Says what is wrong; the message says how to mend it too. */
  text: string;
  message: string;
  /** Whether it is over. */
  isOver: boolean;
  /** When the last submission came, in ISO 8601, and the page it came from; absent where that is not what matters. */
  lastAt?: string;
  page?: string;
}

/** Most findings that a mail lists. */
const LISTED_MAX = 50;

/** Subjects by the code of the finding. */
const BEGUN: Record<string, ((name: string) => string) | undefined> = {
  form_silent: (name) => `No submissions from ${name}`,
  never_connected: (name) => `No submissions to ${name} yet`,
  visitors_refused: (name) => `${name} refuses its visitors`,
  verdicts_changed: (name) => `${name}: almost everything is marked as spam`,
  spam_rising: (name) => `${name} receives much more spam than usual`,
  page_broken: (name) => `The page of ${name} is broken`,
  canary_failing: (name) => `A test submission to ${name} failed`,
  webhook_failing: (name) => `The webhook of ${name} is failing`,
  destination_failing: (name) => `A destination of ${name} is failing`,
  secret_unreadable: (name) => `Secrets of ${name} cannot be read`,
  owner_email_failing: (name) => `Emails about ${name} are not delivered`,
  submitter_email_failing: (name) => `Emails to visitors of ${name} are not delivered`,
  opt_in_failing: (name) => `Emails to visitors of ${name} are not delivered`,
  recipient_bounces: (name) => `Emails about ${name} bounce`,
};
const OVER: Record<string, ((name: string) => string) | undefined> = {
  form_silent: (name) => `${name} is receiving again`,
  never_connected: (name) => `${name} has received its first submission`,
};
/** Things to check when a form receives nothing. */
const CHECKS =
  'Common causes: the form or its address was removed from the page, a script blocks it, or the site is down. Submit the form once to check.';

/** Writes the mail that tells an owner what is unusual about forms, or that it is over. */
export function alarmMail(told: readonly AlarmTold[], by: SentBy, to: string): Message {
  const { baseUrl } = by;
  const [first] = told;
  const isOne = told.length === 1 && first !== undefined;
  const blocks = isOne ? ofOne(first, baseUrl) : ofSeveral(told, baseUrl);
  return noticeBy(by, to, {
    subject: isOne ? subjectOf(first) : subjectOfSeveral(told),
    sender: by.name,
    blocks,
    footer: [
      paragraph(
        'You are receiving this because you look after these forms. Change or turn off these alerts under "Activity" on each form.',
      ),
    ],
  });
}

function ofOne(told: AlarmTold, baseUrl: string) {
  const { name, identifier, text, message, isOver, lastAt, page, code } = told;
  const rows = [{ label: 'Form', text: name }];
  if (lastAt) rows.push({ label: 'Last submission', text: timeText(new Date(lastAt)) });
  if (page) rows.push({ label: 'From the page', text: page });
  return [
    paragraph(withTimes(isOver ? `Resolved: ${text}` : message)),
    facts(rows),
    ...(code === 'form_silent' && !isOver ? [paragraph(CHECKS)] : []),
    button('Open activity', activityAddress(baseUrl, identifier)),
  ];
}

function ofSeveral(all: readonly AlarmTold[], baseUrl: string) {
  const more = all.length - LISTED_MAX;
  const rows = all
    .slice(0, LISTED_MAX)
    .map((told) => ({
      label: told.name,
      text: `${subjectOf(told)}. ${told.isOver ? '' : withTimes(told.message)}`.trim(),
      more: { label: 'Open activity', href: activityAddress(baseUrl, told.identifier) },
    }));
  return [
    facts(rows),
    ...(more > 0 ? [paragraph(`… and ${more} more.`)] : []),
    button('Open forms', `${baseUrl}/forms`),
  ];
}

function subjectOf({ name, code, isOver }: AlarmTold) {
  const quoted = `"${headerText(name)}"`;
  if (isOver) return OVER[code]?.(quoted) ?? `${quoted} is back to normal`;
  return BEGUN[code]?.(quoted) ?? `${quoted} needs attention`;
}

function subjectOfSeveral(told: readonly AlarmTold[]) {
  const names = (some: readonly AlarmTold[]) => new Set(some.map(({ identifier }) => identifier)).size;
  const begun = names(told.filter(({ isOver }) => !isOver));
  const forms = (count: number) => (count === 1 ? 'A form' : `${count} forms`);
  if (begun > 0) return `${forms(begun)} ${begun === 1 ? 'needs' : 'need'} attention`;
  const over = names(told);
  return `${forms(over)} ${over === 1 ? 'is' : 'are'} back to normal`;
}

function activityAddress(baseUrl: string, identifier: string) {
  return `${baseUrl}/forms/${identifier}/activity`;
}

/** Writes the mail that thanks the visitor, in the words of the form's owner; its file goes along. */
function submitterMail(
  { form, submission }: SubmissionInFull,
  config: Config,
  to: string,
  by: SentBy,
  answersTo: string | null,
  attachments: Attachment[],
): Message {
  const words = wordsFor(form, submission.language);
  const own = translated(form, words);
  const values = placeholders({ form, submission });
  const ourSubject = words.say('mail.thanks_subject', { form: '{{form.name}}' });
  const subject = fillSubject(own.notify_submitter_subject ?? form.notifySubmitterSubject ?? ourSubject, values);
  const body = own.notify_submitter_body ?? form.notifySubmitterBody;
  // Its HTML is in the owner's language.
  const html = own.notify_submitter_body === undefined ? decodeVisitorMail(form.visitorMail).html : null;
  const block =
    (html === null ? null : htmlBlock(html, body === null ? null : fill(body, values), values)) ??
    paragraph(fill(body ?? thanksIn(form, words), values));
  return {
    ...senders(form, config, by, answersTo),
    to,
    attachments,
    thread: formatUuid(submission.id),
    ...writeMail({ subject, heading: null, blocks: [block], words }),
    automatic: 'auto-replied',
  };
}

/**
 * Asks a visitor whether they sent a submission. It says nothing that was sent, since it may go to a stranger: the names are the
 * owner's own.
 */
function optInMail(
  form: Form,
  submissionId: Buffer,
  link: string,
  words: Words,
  by: SentBy,
  answersTo: string | null,
  config: Config,
  to: string,
): Message {
  const { name } = by;
  const formName = cut(form.name);
  const text =
    name === null
      ? words.say('mail.confirm_text', { form: formName })
      : words.say('mail.confirm_text_of', { form: formName, name: cut(name) });
  return {
    ...senders(form, config, by, answersTo),
    to,
    thread: formatUuid(submissionId),
    ...writeMail({
      subject: headerText(words.say('mail.confirm_subject', { form: formName })),
      heading: words.say('mail.confirm_heading'),
      sender: name,
      blocks: [paragraph(text), button(words.say('mail.confirm_heading'), link)],
      footer: [paragraph(words.say('mail.confirm_footer', { count: LINK_DAYS }))],
      words,
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
function htmlBlock(html: string, plain: string | null, values: ReadonlyMap<string, string>): Block | null {
  const filling = new Filling(values);
  const chosen = chosenParts(html, values);
  if (chosen !== html && mailHtmlProblem(chosen) !== null) return null;
  const nodes = readMailHtml(chosen);
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

function fillNode(node: Node, filling: Filling) {
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

function tidied(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Files that go along with a mail, in bytes of all together; the others are links. */
const ATTACHED_MAX_BYTES = 5 * 1024 * 1024;

/** The mails that a form sends for a submission, by who gets them. */
export type FormMail = 'owner' | 'visitor';

/** Writes the mails that forms send for submissions. */
@Injectable()
export class FormMails {
  constructor(
    private readonly files: FilesService,
    private readonly owned: VisitorAttachments,
    private readonly brands: BrandsService,
    private readonly verdicts: VerdictsService,
    private readonly confirmations: Confirmations,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the mail about a submission for one recipient, as the settings of its form say.
   * @param brand how it looks to them
   * @param template of a destination, for mails to owners
   */
  async compose(
    mail: FormMail,
    full: SubmissionInFull,
    to: string,
    brand: Readonly<Brand>,
    template: OwnerTemplate | null = null,
  ): Promise<Message> {
    const by = sentBy(brand, this.config);
    if (mail === 'visitor') {
      const attachments = await this.alongWith(full.form);
      const mail = submitterMail(full, this.config, to, by, brand.replyTo, attachments);
      return sendAs(by, mail);
    }
    const { name: accountName, baseUrl, from } = by;
    const fileLinks = await this.files.links(full.files, this.clock.now(), baseUrl);
    const scans = await this.files.scansOf(full.files);
    const verdict = await this.verdicts.of(full.submission);
    const attachments = template?.attaches ? await this.attached(full, scans) : [];
    const about = { accountName, fileLinks, scans, baseUrl, verdict, template, attachments };
    return sendAs(by, ownerMail(full, about, from, to));
  }

  /** Writes the mail that asks a visitor to confirm a submission; null once it waits no longer. */
  async asking(form: Form, submissionId: Buffer, to: string): Promise<Message | null> {
    const path = await this.confirmations.pathFor(submissionId);
    if (path === null) return null;
    const brand = await this.brands.ofForm(form);
    const by = sentBy(brand, this.config);
    const link = by.baseUrl + path;
    const words = wordsFor(form, await this.confirmations.languageOf(form.id, submissionId));
    return sendAs(by, optInMail(form, submissionId, link, words, by, brand.replyTo, this.config, to));
  }

  /** Returns the file that the owner sends along with each mail to a visitor. */
  private async alongWith({ id }: Form): Promise<Attachment[]> {
    const found = await this.owned.open(id);
    if (!found) return [];
    const { name: filename, mediaType: contentType, content } = found;
    return [{ filename, contentType, content }];
  }

  /** Opens the files that go along: the first ones, for which there is room. */
  private async attached({ form, submission, files }: SubmissionInFull, scans: ReadonlyMap<string, FileScan>) {
    const attached: Attachment[] = [];
    let room = ATTACHED_MAX_BYTES;
    for (const { id, name, mediaType, size } of files) {
      if (scans.get(id.toString('hex'))?.isLocked) continue;
      room -= size;
      if (room < 0) break;
      const { bytes } = await this.files.open(form.id, submission.id, id);
      attached.push({ filename: name || 'file', contentType: mediaType, content: bytes });
    }
    return attached;
  }
}
