import { FAILED, GONE, ID, OURS, read, report, TO } from '../../../../test/support/reports.js';

describe('A report of', () => {
  it('Postfix, with folded fields, names recipient, status and reason', () => {
    const status = [
      'Reporting-MTA: dns; mx.example.net',
      'X-Postfix-Queue-ID: 4F0A1',
      'X-Postfix-Sender: rfc822; forms@example.com',
      'Arrival-Date: Mon,  2 Nov 2026 10:00:00 +0000 (UTC)',
      '',
      `Final-Recipient: rfc822; ${TO}`,
      `Original-Recipient: rfc822;${TO}`,
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mail.example.org',
      'Diagnostic-Code: smtp; 550 5.1.1 <jane@example.org>: Recipient address',
      '    rejected: User unknown in local recipient table',
    ];
    expect(read(...report(status, ['Content-Type: message/rfc822', '', `Message-Id: ${OURS}`]))).toEqual([
      {
        ...GONE,
        recipients: [TO, TO],
        reason: '550 5.1.1 <jane@example.org>: Recipient address rejected: User unknown in local recipient table',
      },
    ]);
  });

  it('Exchange, with the headers alone and a status in brackets', () => {
    const status = [
      'Reporting-MTA: dns;AM0PR01.prod.example.net',
      'Received-From-MTA: dns;mail.example.com',
      'Arrival-Date: Mon, 2 Nov 2026 10:00:00 +0000',
      '',
      `Final-Recipient: rfc822;${TO}`,
      'Action: failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jane@example.org not found by SMTP address lookup',
    ];
    const original = ['Content-Type: text/rfc822-headers', '', 'Subject: x', 'Message-ID:', ` ${OURS}`];
    expect(read(...report(status, original))).toMatchObject([
      { id: ID, kind: 'permanent', code: 550, reason: expect.stringContaining('RecipientNotFound') },
    ]);
  });

  it('Gmail, which names the mail that it answers', () => {
    const status = [
      'Reporting-MTA: dns; googlemail.com',
      `X-Original-Message-ID: ${OURS}`,
      '',
      `Final-Recipient: rfc822; ${TO}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.',
      ' 550 5.1.1 For more information, go to the help page.',
    ];
    const original = ['Content-Type: text/plain', '', 'no headers'];
    expect(read(...report(status, original, [`In-Reply-To: ${OURS}`]))).toMatchObject([
      { id: ID, recipients: [TO], kind: 'permanent', code: 550 },
    ]);
  });

  it('Exim without any part, which names failed recipients in a header', () => {
    const message = (reason: string) => [
      'From: Mail Delivery System <Mailer-Daemon@mx.example.net>',
      'Auto-Submitted: auto-replied',
      `X-Failed-Recipients: ${TO}`,
      'Subject: Mail delivery failed: returning message to sender',
      '',
      'A message that you sent could not be delivered to all of its recipients:',
      '',
      `  ${TO}`,
      '    host mail.example.org [192.0.2.25]',
      `    SMTP error from remote mail server after RCPT TO:<${TO}>:`,
      `    ${reason}`,
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      'Return-path: <forms@example.com>',
      `Message-ID: ${OURS}`,
    ];
    expect(read(...message('550 5.1.1 No such user'))).toMatchObject([
      { id: ID, recipients: [TO], kind: 'permanent', code: 550, reason: expect.stringMatching(/No such user$/) },
    ]);
    expect(read(...message('552 5.2.2 mailbox full'))).toMatchObject([{ kind: 'failed' }]);
  });

  it('two recipients is two, each with its own end', () => {
    const other = ['', 'Final-Recipient: rfc822;joe@example.org', 'Action: failed', 'Status: 4.4.7'];
    expect(read(...report([...FAILED, ...other]))).toMatchObject([
      { recipients: [TO], kind: 'permanent' },
      { recipients: ['joe@example.org'], kind: 'failed', reason: '4.4.7' },
    ]);
  });

  it('a complaint names whom the mail went to', () => {
    const lines = report(['Feedback-Type: abuse', 'User-Agent: Loop/1', 'Version: 1']).map((line) =>
      line
        .replace('message/delivery-status', 'message/feedback-report')
        .replace('=delivery-status', '=feedback-report'),
    );
    expect(read(...lines)).toMatchObject([{ id: ID, recipients: [TO], kind: 'complaint', code: null }]);
  });

  it('a delay stops nothing, nor does what is delivered, relayed or expanded', () => {
    const as = (action: string) => FAILED.map((line) => line.replace('failed', action));
    expect(read(...report(as('delayed')))).toMatchObject([{ kind: 'delayed' }]);
    for (const action of ['delivered', 'relayed', 'expanded']) {
      expect(read(...report(as(action)))).toEqual([]);
    }
  });
});
