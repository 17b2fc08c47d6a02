import { codeIn, kindOf, type Bounce, type BounceKind } from '../model/bounce.js';
import { fieldsIn, readMail, searchedLines, type Fields, type Mail } from './mail-parts.js';
import { deliveryIdIn } from './message-ids.js';

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

function deliveryIdOf(mail: Mail): Buffer | null {
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
function idInText(mail: Mail): string | undefined {
  return linesOf(mail).find((line) => /^[> ]{0,4}Message-ID:/i.test(line));
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

function complaintIn(report: string, mail: Mail, deliveryId: Buffer): Bounce {
  const fields = fieldsIn(report);
  const named = [fields.get('original-rcpt-to'), originalOf(mail).get('to')];
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
function failuresIn(failed: string, mail: Mail, deliveryId: Buffer): Bounce[] {
  const lines = linesOf(mail);
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
function addressIn(value: string | undefined): string[] {
  const found = value?.split(/[\s<>;,"]+/).find((part) => part.includes('@'));
  return found === undefined ? [] : [found];
}

function linesOf({ parts }: Mail): string[] {
  return searchedLines(parts.find(({ type }) => type === 'text/plain')?.text ?? '');
}

function textOf({ parts }: Mail, wanted: RegExp): string | null {
  return parts.find(({ type }) => wanted.test(type))?.text ?? null;
}
