import { Browser } from '../support/people.js';
import { useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const mailbox = useMailServer();
const service = useService(() => ({ SMTP_URL: mailbox.url, WORKERS: 'off' }));
let browser: Browser;
let made = 0;
let email: string;
beforeEach(async () => {
  ({ browser } = await service().openWithOwner());
  email = `ann${++made}@example.org`;
});

const add = (more: object = {}) => browser.post('/clients', { 'client.name': 'Ann', 'client.email': email, ...more });
const invitations = () => mailbox.mails.filter(({ to }) => to.includes(email));

describe('The person of a new client', () => {
  it('is invited with it, and the client has the open invitation on its page', async () => {
    expect((await browser.get('/new-client')).text).toMatch(/name="invite"[^>]* checked/);

    const added = await add({ invite: 'true' });

    expect(added.headers.location).toMatch(/^\/clients\/\d+\/people$/);
    const page = (await browser.get(added.headers.location ?? '')).text;
    expect(page).toContain('invitation sent');
    expect(page).toMatch(/action="\/invitations\/[\w-]+\/withdraw"/);
    expect(invitations()).toHaveLength(1);
  });

  it('reads from the first step on who invites to what, in the mail and on the page', async () => {
    await add({ invite: 'true' });
    const [invited] = invitations();
    const link = /(\/invitation\?at=[^#\s]+)#(\S+)/.exec(invited?.mail.text ?? '') ?? [];
    const [, path = '', invitation = ''] = link;
    const invitee = new Browser(service());
    expect((await invitee.get(path)).text).toContain('You are invited to join “');
    expect((await invitee.post('/invitation', { invitation })).text).toMatch(/Person \d+ invites you to join “/);
  });

  it('is not invited without the tick', async () => {
    expect((await add()).headers.location).toMatch(/^\/clients\/\d+$/);
    expect(invitations()).toEqual([]);
  });

  it('is told when the mail could not be sent; the client is there all the same', async () => {
    mailbox.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });

    const { headers } = await add({ invite: 'true' });

    const page = (await browser.get(headers.location ?? '')).text;
    expect(page).toContain('could not be sent');
    expect(page).not.toContain('invitation sent');
  });
});
