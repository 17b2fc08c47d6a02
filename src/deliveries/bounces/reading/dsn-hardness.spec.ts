import { FAILED, GONE, ID, OURS, read, report, TO } from '../../../../test/support/reports.js';
import { expectShortTurns } from '../../../../test/support/cpu-time.js';

/** Longest time, in milliseconds of computing, with what else the process does. */
const TURN_MAX_MS = 250;

describe('A failure is of the address', () => {
  const ended = (status: string | null, diagnostic: string | null) => {
    const fields = FAILED.filter((line) => !/^(?:Status|Diag)/.test(line));
    if (status !== null) fields.push(`Status: ${status}`);
    if (diagnostic !== null) fields.push(`Diagnostic-Code: smtp; ${diagnostic}`);
    const [found] = read(...report(fields));
    return found?.kind;
  };

  it.each([
    ['5.1.1', null],
    ['5.0.0', '550 unknown user'],
    [null, '550 5.1.1 unknown'],
    [null, '550 unknown'],
  ])('with status %s and answer %s', (status, diagnostic) => {
    expect(ended(status, diagnostic)).toBe('permanent');
  });

  it.each([
    ['4.4.1', '421 try later'],
    ['5.2.2', '552 mailbox full'],
    ['5.7.26', '550 5.7.26 SPF and DKIM did not pass'],
    ['5.0.0', '550 5.7.1 rejected as spam'],
    [null, '450 greylisted'],
    [null, null],
  ])('but not with status %s and answer %s', (status, diagnostic) => {
    expect(ended(status, diagnostic)).toBe('failed');
  });
});

describe('A message is read', () => {
  it('in eight bits and broken UTF-8', () => {
    const [before = '', after = ''] = report(FAILED).join('\r\n').split('No such user');
    const found = read(Buffer.from(before), Buffer.from([0xe4, 0xff]), after);
    expect(found).toMatchObject([{ id: ID, kind: 'permanent', code: 550 }]);
  });

  it('when its parts are encoded or nested', () => {
    const text = Buffer.from(FAILED.join('\r\n')).toString('base64');
    const encoded = report([text]).map((line) =>
      line === 'Content-Type: message/delivery-status'
        ? 'Content-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64'
        : line,
    );
    const nested = ['Content-Type: multipart/mixed; boundary="outer"', '', '--outer', ...report(FAILED), '--outer--'];
    expect(read(...encoded)).toEqual([GONE]);
    expect(read(...nested)).toEqual([GONE]);
  });

  it('from its beginning, whatever follows', () => {
    expect(read(...report(FAILED), 'x'.repeat(30 * 1024 ** 2))).toEqual([GONE]);
  });

  const long = (unit: string) => unit.repeat(1024 ** 2 / unit.length);
  const header = (text: string) => ['X-Failed-Recipients: a@b.c', text, '', `Message-ID: ${OURS}`];
  const multipart = (text: string) => [...header('Content-Type: multipart/mixed; boundary=b'), text];

  it.each([
    ['many recipients', header(`To: ${long('a@b.c,')}`)],
    ['many failed recipients', [`X-Failed-Recipients: ${long('a@b.c,')}`, '', `Message-ID: ${OURS}`]],
    ['groups', header(`To: ${long('g:a;,')}`)],
    ['a folded subject', header(`Subject: x${long('\r\n x')}`)],
    ['blanks before a colon', header(long('X \t'))],
    ['many fields', header(long('X: 1\r\n'))],
    ['empty parts', multipart(long('--b\r\n\r\n'))],
    ['blank lines before the first part', multipart(long('\r\n'))],
    ['HTML', multipart(`--b\r\nContent-Type: text/html\r\n\r\n${long('<br>')}`)],
    ['flowed text', ['Content-Type: text/plain; format=flowed', ...header(''), long('> > a \r\n')]],
    ['wrong boundaries', multipart(long('--a\r\n'))],
    ['parameters', header(`Content-Type: multipart/mixed; ${long('boundary = ; ')}`)],
    ['encoded text', [...header('Content-Transfer-Encoding: quoted-printable'), long('=4')]],
    [
      'messages in each other',
      multipart(long('--b\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n')),
    ],
    [
      'parts in each other',
      Array.from({ length: 9_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=${n}\r\n\r\n--${n}`),
    ],
    ['addresses with reasons', ['X-Failed-Recipients: a@b.c', '', `Message-ID: ${OURS}`, long('  a@b.c\r\n')]],
    ['fields of a report', report([long('Final-Recipient: rfc822;a@b.c\r\n\r\n')])],
    ['blanks of a report', report([`Diagnostic-Code: ${long(' ')}`])],
  ])('with %s in no more time than its length takes', async (_, lines) => {
    await expectShortTurns(TURN_MAX_MS, async () => {
      read(...lines);
      await Promise.resolve();
    });
  });

  it.each([
    [
      'an automatic answer',
      ['Auto-Submitted: auto-replied', `In-Reply-To: ${OURS}`, `From: ${TO}`, '', '550 I am away'],
    ],
    ['an answer of a person', [`References: ${OURS}`, `From: ${TO}`, '', `> Message-ID: ${OURS}`]],
    ['a report of a mail of others', report(FAILED, ['Content-Type: message/rfc822', '', 'Message-ID: <1@a.test>'])],
    ['a read receipt', report(FAILED).map((line) => line.replace('delivery-status', 'disposition-notification'))],
    ['garbage', ['\u0000\u0001--b', ':::', 'Content-Type: ;;;']],
  ])('and ignored when it is %s', (_, lines) => {
    expect(read(...lines)).toEqual([]);
  });
});
