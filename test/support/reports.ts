import { readDsn } from '../../src/deliveries/bounces/reading/dsn.js';
import { formatUuid } from '../../src/platform/kernel/uuid.js';

/** The delivery, the id of its mail and its recipient, where a test names no others. */
export const ID = '0198c0de-1111-7222-8333-444455556666';
export const OURS = `<${ID}@forms.example.com>`;
export const TO = 'jane@example.org';

/** A report as RFC 3464 has it. */
export function report(
  status: string[],
  original: string[] = ['Content-Type: message/rfc822', '', `Message-ID: ${OURS}`, `To: ${TO}`],
  head: string[] = [],
): string[] {
  return [
    'From: MAILER-DAEMON@mx.example.net',
    'To: forms@example.com',
    'Subject: =?utf-8?q?Unzustellbar=3A_Ihre_Nachricht?=',
    'MIME-Version: 1.0',
    ...head,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Your message could not be delivered.',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    ...status,
    '',
    '--b',
    ...original,
    '',
    'Hello',
    '--b--',
  ];
}

/** The part of a report about an address that does not exist. */
export const FAILED = [
  'Reporting-MTA: dns; mx.example.net',
  '',
  `Final-Recipient: rfc822; ${TO}`,
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 No such user',
];

/** Content of such a report, as it is read. */
export const GONE = { ...{ id: ID, recipients: [TO], kind: 'permanent', code: 550 }, reason: '550 5.1.1 No such user' };

/** Reads a message of these lines; of what it finds the parts that tests compare. */
export function read(...lines: (string | Uint8Array)[]) {
  const parts = lines.map((line) => (typeof line === 'string' ? Buffer.from(`${line}\r\n`) : line));
  const found = readDsn(Buffer.concat(parts));
  return found.map(({ deliveryId, ...rest }) => ({ id: formatUuid(deliveryId), ...rest }));
}
