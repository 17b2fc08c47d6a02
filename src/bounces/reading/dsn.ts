import type { Attachment, Email } from 'postal-mime';
import { codeIn, kindOf, type Bounce, type BounceKind } from '../model/bounce.js';
import { deliveryIdIn } from './message-ids.js';

/** Bytes of a message that are read: what matters comes before the mail that came back. */
export const MESSAGE_MAX_BYTES = 1024 ** 2;
/** Recipients of one report, and part of a text that is searched, in characters. */
const RECIPIENTS_MAX = 100;
const SEARCHED_MAX = 64 * 1024;

type Fields = ReadonlyMap<string, string>;

/**
 * Reads a delivery status notification (RFC 3464), a complaint (RFC 5965), or the notice of a server that only names
 * failed recipients, as Exim. Whatever else there is in a message is none: people and programs answer mails too.
 */
export async function readDsn(message: Uint8Array): Promise<Bounce[]> {
  const { default: PostalMime } = await import('postal-mime');
  let email: Email;
  try {
    const options = { forceRfc822Attachments: true } as const;
    email = await PostalMime.parse(message.subarray(0, MESSAGE_MAX_BYTES), options);
  } catch {
    return [];
  }
  const status = partOf(email, /^message\/(?:global-)?delivery-status$/);
  const complaint = partOf(email, /^message\/feedback-report$/);
  const failed = email.headers.find(({ key }) => key === 'x-failed-recipients')?.value;
  if (status === null && complaint === null && failed === undefined) return [];
  const deliveryId = deliveryIdOf(email);
  if (!deliveryId) return [];
  if (complaint !== null) return [complaintIn(complaint, email, deliveryId)];
  if (status !== null) return bouncesIn(status, deliveryId);
  return failuresIn(failed ?? '', email, deliveryId);
}

function deliveryIdOf(email: Email): Buffer | null {
  const original = originalOf(email);
  return deliveryIdIn(
    original.get('message-id'),
    email.inReplyTo,
    email.references,
    idInText(email),
  );
}

/** Returns the headers of the mail that came back, from the part that has it or its headers. */
function originalOf(email: Email): Fields {
  const part = partOf(email, /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)$/);
  return fieldsIn(part?.split(/\r?\n\r?\n/, 1)[0] ?? '');
}

/** Servers without a part for it write the mail that came back under their own words. */
function idInText(email: Email): string | undefined {
  return linesOf(email).find((line) => /^[> ]{0,4}Message-ID:/i.test(line));
}

function bouncesIn(status: string, deliveryId: Buffer): Bounce[] {
  const groups = status.split(/\r?\n[ \t]*\r?\n/).map(fieldsIn);
  return groups.slice(0, RECIPIENTS_MAX).flatMap((fields) => {
    const recipients = ['final-recipient', 'original-recipient'].flatMap((name) =>
      addressIn(fields.get(name)),
    );
    const action = fields.get('action')?.toLowerCase().trim() ?? 'failed';
    if (recipients.length === 0 || !['failed', 'delayed'].includes(action)) return [];
    const { code, reason, status: found } = reasonIn(fields);
    const kind: BounceKind = action === 'delayed' ? 'delayed' : kindOf(found, reason);
    return [{ deliveryId, recipients, kind, code, reason }];
  });
}

function reasonIn(fields: Fields): { status: string | null; code: number | null; reason: string } {
  const status = /\d\.\d+\.\d+/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const diagnostic = fields.get('diagnostic-code')?.replace(/^\s*[\w.-]+\s*;\s*/, '') ?? '';
  return {
    status,
    code: codeIn(diagnostic),
    reason: diagnostic === '' ? (status ?? '') : diagnostic,
  };
}

function complaintIn(report: string, email: Email, deliveryId: Buffer): Bounce {
  const fields = fieldsIn(report);
  const named = [fields.get('original-rcpt-to'), originalOf(email).get('to')];
  const type = fields.get('feedback-type')?.trim() ?? 'abuse';
  const reason = `The recipient reported it as spam (${type}).`;
  return {
    deliveryId,
    recipients: named.flatMap(addressIn),
    kind: 'complaint',
    code: null,
    reason,
  };
}

/** Reads the words of Exim: after each failed address stands, indented, what its server said. */
function failuresIn(failed: string, email: Email, deliveryId: Buffer): Bounce[] {
  const lines = linesOf(email);
  return failed
    .split(',')
    .slice(0, RECIPIENTS_MAX)
    .flatMap((named) => {
      const [address] = addressIn(named);
      if (address === undefined) return [];
      const after = lines.slice(lines.findIndex((line) => line.includes(address)) + 1);
      const end = after.findIndex((line) => !/^\s+\S/.test(line));
      const reason = unfolded(after.slice(0, end === -1 ? after.length : end).join(' ')).trim();
      const said = reason === '' ? 'The mail server of the recipient rejected it.' : reason;
      const kind = kindOf(null, said);
      return [{ deliveryId, recipients: [address], kind, code: codeIn(said), reason: said }];
    });
}

/** Returns an address as reports write it: `rfc822; <ann@example.com>`. */
function addressIn(value: string | undefined): string[] {
  const found = value?.split(/[\s<>;,"]+/).find((part) => part.includes('@'));
  return found === undefined ? [] : [found];
}

function linesOf({ text = '' }: Email): string[] {
  return text.slice(0, SEARCHED_MAX).split('\n');
}

/** Reads header fields by their names in lower case; of a name that comes twice the first. */
function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>();
  for (const line of unfoldedLines(text)) {
    const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name !== '' && !fields.has(name.toLowerCase())) {
      fields.set(name.toLowerCase(), unfolded(value).trim());
    }
  }
  return fields;
}

function unfoldedLines(text: string): string[] {
  return text
    .slice(0, SEARCHED_MAX)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
}

function unfolded(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function partOf({ attachments }: Email, type: RegExp): string | null {
  const part = attachments.find(({ mimeType }) => type.test(mimeType.toLowerCase()));
  return part ? textOf(part) : null;
}

/** Reads text of any encoding: what is not UTF-8 becomes replacement characters. */
function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
