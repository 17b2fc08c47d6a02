import { chosenParts, type Mailbox, formatUuid, typedAddress, byteSize } from '../../platform/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { previewOf, lineLabel, senderOf } from '../../submissions/model/preview.js';
import { pageShown } from '../../submissions/model/page-address.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { button, facts, paragraph, notice, noticeBy, type Block, writeMail } from '../parts/layout.js';
import {
  type Message,
  type SentBy,
  timeText,
  type Attachment,
  cut,
  fill,
  fillSubject,
  headerText,
} from '../parts/message.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import { FACTS_BYTES, cutToFit } from '../parts/fitting.js';
import type { FileScan } from '../../submissions/files/scans/file-scan.entity.js';
import type { DigestEvery } from '../../deliveries/digests/digest-hour.js';
import type { SentValues } from '../../deliveries/delivery-planner.js';

/** A submission as a digest lists it. */
export interface DigestRow {
  formName: string;
  /** Path of its page. */
  path: string;
  createdAt: Date;
  /** Line with who sent it, and what. */
  text: string;
}

/** The content of a digest. */
export interface Digest {
  /** Its delivery. */
  id: Buffer;
  accountName: string | null;
  /** Name of the form that all of them came through; null for several. */
  formName: string | null;
  /** How many submissions it covers, in words such as `12` or `more than 1,000`. */
  count: string;
  /** When their hour began. */
  hour: Date;
  /** The first of them. */
  first: DigestRow[];
}

/** Returns a submission as a digest lists it. */
export function digestRow(form: Form, { id, createdAt, values }: Submission): DigestRow {
  const { from: who, rest } = previewOf(values.lines(), form.previewFields);
  return {
    ...{ formName: form.name, path: `/inbox/${form.identifier}/${formatUuid(id)}`, createdAt },
    text: [who, ...rest].filter((part) => part !== '').join(' · '),
  };
}

/** Writes the mail that lists an owner's submissions of an hour which got no mail of their own. */
export function digestMail(digest: Digest, baseUrl: string, from: Mailbox, to: string): Message {
  return mailOf(digest, baseUrl, from, to, {
    subject: `${digest.count} more submissions in the hour from ${timeText(digest.hour)}`,
    lead: 'This address reached its hourly limit of emails, so we list these submissions in one. The inbox has all of them in full.',
    timeOf: (at) => at.toISOString().slice(11, 16),
  });
}

/** Writes the mail that a destination sends in place of one for each submission. */
export function destinationDigestMail(digest: Digest, baseUrl: string, from: Mailbox, to: string): Message {
  const { count, formName } = digest;
  return mailOf(digest, baseUrl, from, to, {
    subject: `${formName ?? 'Several forms'}: ${count} new ${count === '1' ? 'submission' : 'submissions'}`,
    lead: 'These came since the last email. The inbox has all of them in full.',
    timeOf: timeText,
  });
}

function mailOf(
  { id, accountName, first }: Digest,
  baseUrl: string,
  from: Mailbox,
  to: string,
  { subject, lead, timeOf }: { subject: string; lead: string; timeOf: (at: Date) => string },
): Message {
  const rows = first.map(({ formName, path, createdAt, text }) => ({
    ...{ label: `${timeOf(createdAt)} ${formName}`, text },
    more: { label: 'Open', href: `${baseUrl}${path}` },
  }));
  return {
    ...notice(from, to, {
      subject,
      sender: accountName,
      blocks: [paragraph(lead), facts(rows), button('Open inbox', `${baseUrl}/inbox`)],
    }),
    thread: formatUuid(id),
  };
}

/** Names by which pages give a subject. */
const SUBJECTS = ['subject', '_subject'];

/** Returns the values of placeholders, such as `name` or `data.name`. The form's name wins over a field called `form.name`. */
export function placeholders({ form, submission }: Pick<SubmissionInFull, 'form' | 'submission'>): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, path, text } of submission.lines) {
    const key = [name, ...path].join('.');
    const earlier = values.get(key);
    values.set(key, earlier === undefined ? text : `${earlier}, ${text}`);
  }
  for (const { name, text } of submission.texts) if (!values.has(name)) values.set(name, text);
  // The page gives it as a field, which is no answer.
  if (submission.subject !== null) {
    for (const name of SUBJECTS) if (!values.has(name)) values.set(name, submission.subject);
  }
  return values
    .set('form.name', form.name)
    .set('submission.id', formatUuid(submission.id))
    .set('submission.created_at', submission.createdAt.toISOString());
}

/** Where an owner's own text has the list of answers. */
const ANSWERS = /\{\{\s*answers\s*\}\}/;

/** Content of an owner's email besides the submission. */
interface About {
  accountName: string | null;
  /** Addresses of the files, in order. */
  fileLinks: string[];
  /** Results of their scans for viruses, by the id as hex digits. */
  scans: ReadonlyMap<string, FileScan>;
  baseUrl: string;
  verdict: Verdict;
  /** How a destination wants it; null for ours. */
  template: OwnerTemplate | null;
  attachments: Attachment[];
}

/** Writes the mail about a submission: all values in order under their names, files as links. */
export function ownerMail(
  { form, submission, files }: SubmissionInFull,
  { accountName, fileLinks, scans, baseUrl, verdict, template, attachments }: About,
  from: Mailbox,
  to: string,
): Message {
  const answers = submission.lines;
  const { fields } = form;
  const address = submission.values.visitor();
  const visitor = address !== null && fields.offers(address) ? null : address;
  const who = senderOf(answers) ?? visitor;
  const thread = formatUuid(submission.id);
  const page = `${baseUrl}/inbox/${form.identifier}/${thread}`;
  const source = pageShown(submission);
  const sent = cutToFit(
    files.map(({ id, field, name, size }, index) => {
      const scan = scans.get(id.toString('hex'));
      const text = name === '' ? 'File' : name;
      const about = { label: fields.labelOf(field), text, note: notes(byteSize(size), scan) };
      return scan?.isLocked ? about : { ...about, href: fileLinks[index] ?? '' };
    }),
    page,
    FACTS_BYTES / 2,
  );
  const values = cutToFit(
    fields
      .sorted(answers)
      .map(({ name, path, text, embedded }) => ({
        ...{ label: lineLabel(fields.labelOf(name), path), text },
        ...(embedded && { href: page }),
      })),
    page,
    FACTS_BYTES - sent.bytes,
  );
  const answersTo = addressIn(template?.replyToField ?? null, answers) ?? visitor;
  const canReply = answersTo !== null && hasPlainLocal(answersTo);
  const direct = template?.toAbout(submission.values) ?? [];
  const left = [counted(values.left, 'field'), counted(sent.left, 'file')].filter(Boolean);
  const list = [
    facts([...values.facts, ...sent.facts]),
    ...(left.length > 0 ? [paragraph(`The page of this submission has ${left.join(' and ')}.`)] : []),
  ];
  /** Writes the owner's own text, with the list of answers where it asks for it. */
  const inWords = (body: string): Block[] => {
    const filling = placeholders({ form, submission });
    return chosenParts(body, filling)
      .split(ANSWERS)
      .flatMap((part, index) => [
        ...(index === 0 ? [] : list),
        ...(part.trim() === '' ? [] : [paragraph(fill(part.trim(), filling))]),
      ]);
  };
  return {
    from,
    to,
    replyTo: canReply ? { name: '', address: answersTo } : null,
    ...(template && { named: { to: direct.length > 0 ? direct : [to], cc: template.cc } }),
    ...(attachments.length > 0 && { attachments, linksAttachments: true }),
    thread,
    ...writeMail({
      subject: template?.subject
        ? fillSubject(template.subject, placeholders({ form, submission }))
        : (subjectOf(submission) ??
          (who === null ? `New submission: ${form.name}` : `${form.name}: ${cut(who.trim())}`)),
      sender: accountName,
      preview: previewOf(answers, form.previewFields).rest.join(' · '),
      blocks: [
        ...(verdict.band === 'held' ? [paragraph(heldBecause(verdict))] : []),
        ...(template?.body ? inWords(template.body) : list),
        button('Open submission', page),
        paragraph(
          answersTo === null
            ? 'The visitor left no email address, so you cannot reply to them.'
            : canReply
              ? `Reply to this email to answer ${answersTo}.`
              : `Write to ${answersTo} to answer the visitor: not every mail server takes this address in a reply.`,
        ),
      ],
      footer: [
        paragraph(`Received ${timeText(submission.createdAt)}${source === null ? '' : ` from ${source}`}.`),
        paragraph(`You are receiving this because ${to} gets notifications for the form "${form.name}".`),
        button('Notification settings', `${baseUrl}/forms/${form.identifier}/settings#notifications`),
      ],
    }),
    automatic: 'auto-generated',
  };
}

/** Returns the subject that the page of a submission gives; null without one. Anybody can send it, so it is cut. */
function subjectOf({ subject }: Submission) {
  const text = headerText(subject ?? '');
  return text === '' ? null : cut(text);
}

/** Returns the address in a field; null where there is none. */
function addressIn(field: string | null, answers: { name: string; text: string }[]) {
  const found = answers.find(({ name }) => name === field);
  return found ? typedAddress(found.text) : null;
}

/**
 * Tells whether every mail server takes an address in a header: the part before the `@` is ASCII, as servers without
 * SMTPUTF8 want it (RFC 6531). They refuse the whole mail for any other. Domains are written in ASCII.
 */
function hasPlainLocal(address: string) {
  return /^[\x21-\x7e]+@/.test(address);
}

/** Says how large a file is, and what a scan for viruses found. */
function notes(size: string, scan: FileScan | undefined) {
  if (scan?.virus != null) {
    return `${size}, infected: ${scan.virus}${scan.isLocked ? ', locked' : ''}`;
  }
  return scan?.state === 'unscanned' ? `${size}, not scanned for viruses yet` : size;
}

/** Says why a submission is held, and what that means. */
function heldBecause({ parts, infection }: Verdict) {
  const reasons = parts.filter((part) => part.points > 0 || part === infection).map(({ reason }) => reason);
  const what = infection ? 'A file is infected, so we keep it locked.' : 'This may be spam.';
  return `${what} ${reasons.join(' ')} The email to the visitor and the webhook are on hold until you mark it as not spam.`;
}

function counted(count: number, noun: string) {
  if (count === 0) return '';
  return count === 1 ? `1 more ${noun}` : `${count} more ${noun}s`;
}

/** Content of a digest of a saved view. */
export interface ViewDigestContent {
  /** Name of the view, and its filter. */
  name: string;
  line: string;
  every: 'day' | 'week';
  /** How many are new, such as `12` or `Over 1000`. */
  count: string;
  /** The newest of them, newest first. */
  newest: {
    form: Pick<Form, 'name' | 'identifier' | 'previewFields'>;
    submission: Pick<Submission, 'id' | 'createdAt' | 'lines'>;
  }[];
}

/** Writes the mail that tells a person what is new in a saved view. @param endPath ends it without signing in */
export function viewDigestMail(
  { name, line, every, count, newest }: ViewDigestContent,
  endPath: string,
  by: SentBy,
  to: string,
): Message {
  const { baseUrl } = by;
  const end = baseUrl + endPath;
  const rows = newest.map(({ form, submission }) => {
    const { from: who, rest } = previewOf(submission.lines, form.previewFields);
    return {
      label: form.name,
      text: [who, ...rest].filter((part) => part !== '').join(' · '),
      note: timeText(submission.createdAt),
      more: { label: 'Open', href: `${baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}` },
    };
  });
  const isOne = count === '1';
  return {
    ...noticeBy(by, to, {
      subject: `${name}: ${count} new ${isOne ? 'submission' : 'submissions'}`,
      sender: by.name,
      blocks: [
        ...(isOne ? [] : [paragraph('The newest ones:')]),
        facts(rows),
        button('Open view', `${baseUrl}/inbox?${new URLSearchParams({ q: line }).toString()}`),
      ],
      footer: [
        paragraph(
          `You are receiving this because you turned on a digest for the view "${name}". We send it once a ${every}, if there is something new.`,
        ),
        button('Stop this digest', end),
      ],
    }),
    unsubscribe: end,
  };
}

/** How a destination wants the mail about a submission; null for what ours says. */
export interface OwnerTemplate {
  /** Returns everybody to whom the mail about these values is, whoever of them this copy goes to. */
  toAbout: (values: SentValues) => string[];
  cc: string[];
  /** Name of the field whose address answers go to. */
  replyToField: string | null;
  subject: string | null;
  body: string | null;
  /** How often a recipient is told of several submissions together; null: of each at once. */
  digest: DigestEvery | null;
  /** Whether files go along, as far as there is room. */
  attaches: boolean;
}
