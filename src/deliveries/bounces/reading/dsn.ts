import { parseUuid } from '../../../platform/index.js';

/** Recipients of one report. */
const RECIPIENTS_MAX = 100;

/**
 * Reads a delivery status notification (RFC 3464), a complaint (RFC 5965), or the notice of a server that only names
 * failed recipients, as Exim. Whatever else there is in a message is none: people and programs answer mails too.
 */
export function readDsn(message: Uint8Array): Bounce[] {
  const mail = readMail(message);
  const status = textOf(mail, /^message\/(?:global-)?delivery-status$/);
  const complaint = textOf(mail, /^message\/feedback-report$/);
  const failed = mail.fields.get('x-failed-recipients');
  if (status === null && complaint === null && failed === undefined) return [];
  const deliveryId = deliveryIdOf(mail);
  if (!deliveryId) return [];
  if (complaint !== null) return [complaintIn(complaint, mail, deliveryId)];
  if (status !== null) return bouncesIn(status, deliveryId);
  return failuresIn(failed ?? '', mail, deliveryId);
}

function deliveryIdOf(mail: Mail) {
  return deliveryIdIn(
    originalOf(mail).get('message-id'),
    mail.fields.get('in-reply-to'),
    mail.fields.get('references'),
    idInText(mail),
  );
}

/** Returns the headers of the mail that came back, from the part that has it or its headers. */
function originalOf(mail: Mail): Fields {
  const part = textOf(mail, /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)$/) ?? '';
  const end = part.search(/\r?\n\r?\n/);
  return fieldsIn(end < 0 ? part : part.slice(0, end));
}

/** Servers without a part for it write the mail that came back under their own words. */
function idInText(mail: Mail) {
  return searchedIn(mail).find((line) => /^[> ]{0,4}Message-ID:/i.test(line));
}

function bouncesIn(status: string, deliveryId: Buffer): Bounce[] {
  const groups = status.split(/\r?\n[ \t]*\r?\n/).map(fieldsIn);
  return groups.slice(0, RECIPIENTS_MAX).flatMap((fields) => {
    const recipients = ['final-recipient', 'original-recipient'].flatMap((name) => addressIn(fields.get(name)));
    const action = fields.get('action')?.toLowerCase().trim() ?? 'failed';
    if (recipients.length === 0 || !['failed', 'delayed'].includes(action)) return [];
    const { code, reason, status: found } = reasonIn(fields);
    const kind: BounceKind = action === 'delayed' ? 'delayed' : kindOf(found, reason);
    return [{ deliveryId, recipients, kind, code, reason }];
  });
}

function reasonIn(fields: Fields) {
  const status = /\d\.\d+\.\d+/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const diagnostic = fields.get('diagnostic-code')?.replace(/^\s*[\w.-]+\s*;\s*/, '') ?? '';
  return { status, code: codeIn(diagnostic), reason: diagnostic === '' ? (status ?? '') : diagnostic };
}

function complaintIn(report: string, mail: Mail, deliveryId: Buffer): Bounce {
  const fields = fieldsIn(report);
  const named = [fields.get('original-rcpt-to'), originalOf(mail).get('to')];
  const type = fields.get('feedback-type')?.trim() ?? 'abuse';
  const reason = `The recipient reported it as spam (${type}).`;
  return { deliveryId, recipients: named.flatMap(addressIn), kind: 'complaint', code: null, reason };
}

/** Reads the words of Exim: after each failed address stands, indented, what its server said. */
function failuresIn(failed: string, mail: Mail, deliveryId: Buffer): Bounce[] {
  const lines = searchedIn(mail);
  return failed
    .split(',')
    .slice(0, RECIPIENTS_MAX)
    .flatMap((named) => {
      const [address] = addressIn(named);
      if (address === undefined) return [];
      const after = lines.slice(lines.findIndex((line) => line.includes(address)) + 1);
      const end = after.findIndex((line) => !/^\s+\S/.test(line));
      const words = after.slice(0, end === -1 ? after.length : end).join(' ');
      const reason = words.replace(/\s+/g, ' ').trim();
      const said = reason === '' ? 'The mail server of the recipient rejected it.' : reason;
      const kind = kindOf(null, said);
      return [{ deliveryId, recipients: [address], kind, code: codeIn(said), reason: said }];
    });
}

/** Returns an address as reports write it: `rfc822; <ann@example.com>`. */
function addressIn(value: string | undefined) {
  const found = value?.split(/[\s<>;,"]+/).find((part) => part.includes('@'));
  return found === undefined ? [] : [found];
}

function searchedIn({ parts }: Mail) {
  return searchedLines(parts.find(({ type }) => type === 'text/plain')?.text ?? '');
}

function textOf({ parts }: Mail, wanted: RegExp) {
  return parts.find(({ type }) => wanted.test(type))?.text ?? null;
}

/** Bytes of a message that are read: what matters comes before the mail that came back. */
export const MESSAGE_MAX_BYTES = 256 * 1024;
/** Most parts of a message, and most that are in each other. */
const PARTS_MAX = 50;
const DEPTH_MAX = 8;
/** Longest part of a text that is searched, in characters. */
const SEARCHED_MAX = 64 * 1024;

/** Header fields by their names in lower case; of a name that comes twice the first. */
type Fields = ReadonlyMap<string, string>;

/** A part of a message that has no others. A message in it is one. */
interface MailPart {
  /** In lower case, such as `text/plain`. */
  type: string;
  text: string;
}

/** A message, as far as its beginning says. */
interface Mail {
  fields: Fields;
  parts: MailPart[];
}

/**
 * Reads the structure of a message (RFC 2045, 2046) in time that grows with its length alone: each line is looked at once
 * for each part around it.
 */
function readMail(message: Uint8Array): Mail {
  // One character a byte: each part says what its bytes are.
  const text = Buffer.from(message.subarray(0, MESSAGE_MAX_BYTES)).toString('latin1');
  const lines = linesOf(text);
  const parts: MailPart[] = [];
  for (const part of partsIn(lines, DEPTH_MAX)) if (parts.push(part) === PARTS_MAX) break;
  return { fields: headOf(lines).fields, parts };
}

function headOf(lines: readonly string[]): { fields: Fields; body: string[] } {
  const found = lines.indexOf('');
  const end = found < 0 ? lines.length : found;
  return { fields: fieldsIn(lines.slice(0, end).join('\n')), body: lines.slice(end + 1) };
}

/** Returns the parts of a message or a part that have no others. @param depth in which parts are looked for */
function* partsIn(lines: readonly string[], depth: number): Generator<MailPart> {
  const { fields, body } = headOf(lines);
  const boundary = boundaryOf(fields);
  if (boundary === null || depth === 0) yield partOf(fields, body);
  else for (const section of sectionsOf(body, boundary)) yield* partsIn(section, depth - 1);
}

/** Returns the lines between boundaries; those before the first and behind the last belong to no part. */
function sectionsOf(lines: readonly string[], boundary: string) {
  const sections: string[][] = [];
  for (const line of lines) {
    const rest = line.startsWith(`--${boundary}`) ? line.slice(2 + boundary.length).trimEnd() : null;
    if (rest === '--') break;
    if (rest === '') sections.push([]);
    else sections.at(-1)?.push(line);
  }
  return sections;
}

/** Reads header fields, as many as stand in the beginning of a text. */
function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>();
  const lines = linesOf(text.slice(0, SEARCHED_MAX).replace(/\r?\n[ \t]+/g, ' '));
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name === '' || fields.has(name.toLowerCase())) continue;
    fields.set(name.toLowerCase(), value.replace(/\s+/g, ' ').trim());
  }
  return fields;
}

/** Returns the lines of the beginning of a text. */
function searchedLines(text: string) {
  return linesOf(text.slice(0, SEARCHED_MAX));
}

function linesOf(text: string) {
  return text.split(/\r?\n/);
}

function typeOf(fields: Fields) {
  return fields.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? 'text/plain';
}

/** Returns the boundary between the parts of a part; null where it has none. */
function boundaryOf(fields: Fields) {
  if (!typeOf(fields).startsWith('multipart/')) return null;
  const [, quoted, plain] = /;\s?boundary\s?=\s?(?:"([^"]+)"|([^\s;"]+))/i.exec(fields.get('content-type') ?? '') ?? [];
  return quoted ?? plain ?? null;
}

function partOf(fields: Fields, body: readonly string[]): MailPart {
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase();
  // What is not UTF-8 becomes replacement characters.
  const text = new TextDecoder().decode(bytesOf(body, encoding));
  return { type: typeOf(fields), text };
}

function bytesOf(lines: readonly string[], encoding: string | undefined): Buffer {
  if (encoding === 'base64') return Buffer.from(lines.join(''), 'base64');
  const text = lines.join('\n');
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1');
  const decoded = text.replace(/=(?:\n|([\dA-F]{2}))/gi, (_, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** An id of a message whose left part is a UUID, as ids of deliveries are. */
const OURS = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/i;

/** Returns the delivery that the first of these message ids names; null when none does. */
export function deliveryIdIn(...texts: (string | null | undefined)[]): Buffer | null {
  for (const text of texts) {
    const id = parseUuid(OURS.exec(text ?? '')?.[1]?.toLowerCase() ?? '');
    if (id) return id;
  }
  return null;
}

/**
 * How a mail came back. `permanent`: its address takes no mail. `failed`: it was not delivered for another reason, such
 * as a full mailbox. `delayed`: it is still tried. `complaint`: its recipient called it spam.
 */
export type BounceKind = 'permanent' | 'failed' | 'delayed' | 'complaint';

/** A report that a mail came back, or will. */
export interface Bounce {
  /** The delivery that the mail was of. */
  deliveryId: Buffer;
  /** Addresses that the report names for one recipient: that of the mail is among them, or the report is of another. */
  recipients: string[];
  kind: BounceKind;
  /** Reply code of SMTP; null when the report has none. */
  code: number | null;
  /** The words of the receiver. */
  reason: string;
}

/**
 * Statuses that say nothing about the address: a full mailbox, a mail that is too large, its content, or a policy
 * such as one against the sender (RFC 3463).
 */
const NOT_OF_THE_ADDRESS = /^5\.(?:2\.[23]|3\.4|6\.\d+|7\.\d+)$/;
/** A status of RFC 3463, and a reply code of SMTP, each by itself. */
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const REPLY = /(?<![\d.])([245]\d\d)(?![\d.])/;

/**
 * Tells how a mail failed that is not tried any more.
 * @param status such as `5.1.1`; null when the report has none
 * @param reason is searched for a status, or a reply code, when there is none
 */
export function kindOf(status: string | null, reason: string): BounceKind {
  const found = statusIn(reason);
  // A server that only says 5.0.0 often says more in words.
  const known = status === null || /^5\.0\.0$/.test(status) ? (found ?? status) : status;
  if (known !== null) {
    return known.startsWith('5') && !NOT_OF_THE_ADDRESS.test(known) ? 'permanent' : 'failed';
  }
  return codeIn(reason)?.toString().startsWith('5') ? 'permanent' : 'failed';
}

function statusIn(text: string) {
  return STATUS.exec(text)?.[1] ?? null;
}

/** Returns the reply code of SMTP in the words of a receiver; null when they have none. */
export function codeIn(text: string): number | null {
  const found = REPLY.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
