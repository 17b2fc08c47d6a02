import type { Mailbox } from '../../platform/config/mailbox.js';
import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import { lineLabel } from '../../submissions/model/answer-lines.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { previewOf, senderOf } from '../../submissions/model/preview.js';
import { button, facts, paragraph, type Block } from '../parts/blocks.js';
import { FACTS_BYTES, cutToFit } from '../parts/fitting.js';
import { pageShown } from '../../submissions/model/page-address.js';
import { writeMail } from '../parts/layout.js';
import type { Attachment, Message } from '../parts/message.js';
import { cut, fill, fillSubject, headerText } from '../parts/template.js';
import type { FileScan } from '../../files/scans/file-scan.entity.js';
import { timeText } from '../parts/time-text.js';
import type { OwnerTemplate } from './owner-template.js';
import { placeholders } from './placeholders.js';

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
  const { labels } = form;
  const visitor = submission.values.visitor();
  const who = senderOf(answers) ?? visitor;
  const thread = formatUuid(submission.id);
  const page = `${baseUrl}/inbox/${form.identifier}/${thread}`;
  const source = pageShown(submission);
  const sent = cutToFit(
    files.map(({ id, field, name, size }, index) => {
      const scan = scans.get(id.toString('hex'));
      const text = name === '' ? 'File' : name;
      const about = { label: labels.of(field), text, note: notes(byteSize(size), scan) };
      return scan?.isLocked ? about : { ...about, href: fileLinks[index] ?? '' };
    }),
    page,
    FACTS_BYTES / 2,
  );
  const values = cutToFit(
    labels.sorted(answers).map(({ name, path, text, embedded }) => ({
      ...{ label: lineLabel(labels.of(name), path), text },
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
    ...(left.length > 0
      ? [paragraph(`The page of this submission has ${left.join(' and ')}.`)]
      : []),
  ];
  /** Writes the owner's own text, with the list of answers where it asks for it. */
  const inWords = (body: string): Block[] => {
    const filling = placeholders({ form, submission });
    return body
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
        paragraph(
          `Received ${timeText(submission.createdAt)}${source === null ? '' : ` from ${source}`}.`,
        ),
        paragraph(
          `You are receiving this because ${to} gets notifications for the form "${form.name}".`,
        ),
        button('Notification settings', `${baseUrl}/forms/${form.identifier}/notifications`),
      ],
    }),
    automatic: 'auto-generated',
  };
}

/** Returns the subject that the page of a submission gives; null without one. Anybody can send it, so it is cut. */
function subjectOf({ subject }: Submission): string | null {
  const text = headerText(subject ?? '');
  return text === '' ? null : cut(text);
}

/** Returns the address in a field; null where there is none. */
function addressIn(field: string | null, answers: { name: string; text: string }[]): string | null {
  const found = answers.find(({ name }) => name === field);
  return found ? typedAddress(found.text) : null;
}

/**
 * Tells whether every mail server takes an address in a header: the part before the `@` is ASCII, as servers without
 * SMTPUTF8 want it (RFC 6531). They refuse the whole mail for any other. Domains are written in ASCII.
 */
function hasPlainLocal(address: string): boolean {
  return /^[\x21-\x7e]+@/.test(address);
}

/** Says how large a file is, and what a scan for viruses found. */
function notes(size: string, scan: FileScan | undefined): string {
  if (scan?.virus != null) {
    return `${size}, infected: ${scan.virus}${scan.isLocked ? ', locked' : ''}`;
  }
  return scan?.state === 'unscanned' ? `${size}, not scanned for viruses yet` : size;
}

/** Says why a submission is held, and what that means. */
function heldBecause({ parts, infection }: Verdict): string {
  const reasons = parts
    .filter((part) => part.points > 0 || part === infection)
    .map(({ reason }) => reason);
  const what = infection ? 'A file is infected, so we keep it locked.' : 'This may be spam.';
  return `${what} ${reasons.join(' ')} The email to the visitor and the webhook are on hold until you mark it as not spam.`;
}

function counted(count: number, noun: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 more ${noun}` : `${count} more ${noun}s`;
}
