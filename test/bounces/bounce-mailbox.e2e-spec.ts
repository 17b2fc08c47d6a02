import { BounceMailbox } from '../../src/deliveries/bounces/bounces.service.js';
import { ImapServer } from '../support/imap.js';
import { report } from '../support/reports.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const imap = new ImapServer();
beforeAll(() => imap.listen());
afterAll(() => imap.close());
const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, BOUNCE_IMAP_URL: imap.url }));
let owner: Caller;
let form: FormBody;
let made = 0;
let visitor: string;
beforeEach(async () => {
  imap.messages = [];
  imap.isBroken = false;
  visitor = `visitor${++made}@example.org`;
  owner = await service().openAccount();
  form = await owner.makeForm({ notify_owner_on_submission: false, notify_submitter: true });
});

const read = () => service().app.get(BounceMailbox).read({ now: new Date() });

/** Sends a mail that comes back into the mailbox. @returns the outcomes of its delivery, when asked */
async function sendBounced(): Promise<() => Promise<string[]>> {
  const id = await service().deliver(form, { email: visitor });
  const status = [`Final-Recipient: rfc822; ${visitor}`, 'Action: failed', 'Status: 5.1.1'];
  const messageId = server.to(visitor).at(-1)?.mail.messageId ?? '';
  imap.add(report(status, ['Content-Type: message/rfc822', '', `Message-ID: ${messageId}`]).join('\r\n'));
  return async () => {
    const [delivery] = await owner.deliveriesOf(form, id);
    return delivery?.attempts.map(({ outcome }) => outcome) ?? [];
  };
}

describe('The mailbox of bounces', () => {
  it('is read once a message, whatever else comes', async () => {
    imap.add('Subject: Hello\r\n\r\nAn answer of a person');
    const outcomes = await sendBounced();

    await read();
    await read();

    expect(await outcomes()).toEqual(['accepted', 'bounced']);
    expect(imap.messages.map(({ seen }) => seen)).toEqual([true, true]);
    expect(imap.logins[0]).toMatch(/forms@example\.com.*pa\/ss/);
  });

  it('loses nothing when the connection or the process ends on the way, and records it once', async () => {
    const outcomes = await sendBounced();
    imap.isBroken = true;
    await read();
    expect(imap.messages[0]?.seen).toBe(false);
    expect(await outcomes()).toEqual(['accepted', 'bounced']);

    imap.isBroken = false;
    await read();
    expect(imap.messages[0]?.seen).toBe(true);
    expect(await outcomes()).toEqual(['accepted', 'bounced']);
    expect(imap.messages[0]?.flagged).toBe(false);
    expect(service().log).toContain('BOUNCE_IMAP_URL cannot be read');
    expect(service().log).not.toContain('pa/ss');
  });

  it('reads a message that a process ended over once more, and not again', async () => {
    const outcomes = await sendBounced();
    for (const message of imap.messages) message.flagged = true;
    imap.isBroken = true;
    await read();
    expect(await outcomes()).toEqual(['accepted']);

    imap.isBroken = false;
    await read();
    expect(await outcomes()).toEqual(['accepted', 'bounced']);
    expect(imap.messages).toMatchObject([{ seen: true, flagged: false }]);
  });
});
