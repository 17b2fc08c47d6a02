import { describe, expect, it } from '@jest/globals';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FAILED, ID, OURS, report, TO } from '../../../test/support/reports.js';
import { readDsn } from './dsn.js';

/** Reads a message of these lines; of what it finds the parts that tests compare. */
async function read(...lines: (string | Uint8Array)[]) {
  const parts = lines.map((line) => (typeof line === 'string' ? Buffer.from(`${line}\r\n`) : line));
  const found = await readDsn(Buffer.concat(parts));
  return found.map(({ deliveryId, ...rest }) => ({ id: formatUuid(deliveryId), ...rest }));
}

const GONE = {
  id: ID,
  recipients: [TO],
  kind: 'permanent',
  code: 550,
  reason: '550 5.1.1 No such user',
};

describe('A failure is of the address', () => {
  const ended = async (status: string | null, diagnostic: string | null) => {
    const fields = FAILED.filter((line) => !/^(?:Status|Diag)/.test(line));
    if (status !== null) fields.push(`Status: ${status}`);
    if (diagnostic !== null) fields.push(`Diagnostic-Code: smtp; ${diagnostic}`);
    const [found] = await read(...report(fields));
    return found?.kind;
  };

  it.each([
    ['5.1.1', null],
    ['5.2.1', '550 mailbox disabled'],
    ['5.0.0', '550 unknown user'],
    [null, '550 5.1.1 unknown'],
    [null, '550 unknown'],
  ])('with status %s and answer %s', async (status, diagnostic) => {
    expect(await ended(status, diagnostic)).toBe('permanent');
  });

  it.each([
    ['4.4.1', '421 try later'],
    ['5.2.2', '552 mailbox full'],
    ['5.3.4', '552 too big'],
    ['5.7.26', '550 5.7.26 SPF and DKIM did not pass'],
    ['5.0.0', '550 5.7.1 rejected as spam'],
    [null, '450 greylisted'],
    [null, null],
  ])('but not with status %s and answer %s', async (status, diagnostic) => {
    expect(await ended(status, diagnostic)).toBe('failed');
  });
});

describe('A message is read', () => {
  it('in eight bits and broken UTF-8', async () => {
    const [before = '', after = ''] = report(FAILED).join('\r\n').split('No such user');
    const found = await read(Buffer.from(before), Buffer.from([0xe4, 0xff]), after);
    expect(found).toMatchObject([{ id: ID, kind: 'permanent', code: 550 }]);
  });

  it('when its parts are encoded or nested', async () => {
    const text = Buffer.from(FAILED.join('\r\n')).toString('base64');
    const encoded = report([text]).map((line) =>
      line === 'Content-Type: message/delivery-status'
        ? 'Content-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64'
        : line,
    );
    const nested = [
      'Content-Type: multipart/mixed; boundary="outer"',
      '',
      '--outer',
      ...report(FAILED),
      '--outer--',
    ];
    expect(await read(...encoded)).toEqual([GONE]);
    expect(await read(...nested)).toEqual([GONE]);
  });

  it('up to a megabyte, and in a moment whatever it has', async () => {
    const huge = [...report(FAILED), 'x'.repeat(30 * 1024 ** 2)];
    const deep = Array.from(
      { length: 5_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=${n}\r\n\r\n--${n}`,
    );
    const blank = report([`Diagnostic-Code: ${' '.repeat(500_000)}`, `X: ${'@'.repeat(100_000)}`]);
    const begin = performance.now();

    expect(await read(...huge)).toEqual([GONE]);
    expect(await read(...deep)).toEqual([]);
    expect(await read(...blank)).toEqual([]);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it.each([
    [
      'an automatic answer',
      ['Auto-Submitted: auto-replied', `In-Reply-To: ${OURS}`, `From: ${TO}`, '', '550 I am away'],
    ],
    ['an answer of a person', [`References: ${OURS}`, `From: ${TO}`, '', `> Message-ID: ${OURS}`]],
    [
      'a report of a mail of others',
      report(FAILED, ['Content-Type: message/rfc822', '', 'Message-ID: <1@a.test>']),
    ],
    [
      'a read receipt',
      report(FAILED).map((line) => line.replace('delivery-status', 'disposition-notification')),
    ],
    ['garbage', ['\u0000\u0001--b', ':::', 'Content-Type: ;;;']],
    ['nothing', []],
  ])('and ignored when it is %s', async (_, lines) => {
    expect(await read(...lines)).toEqual([]);
  });
});
