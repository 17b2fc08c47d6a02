import { textOf } from '../support/page.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, send, urlencoded } from '../support/submit.js';

const BASE_URL = 'https://forms.example.com';
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ONE = urlencoded([['email', 'jane@example.com']]);

const service = useService({ BASE_URL });
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

describe('A form that is not there', () => {
  const UNKNOWN = ['0123456789abcdef', 'x', '', 'ABCDEF0123456789', '%00', '..%2f', "'--"];

  it('is a 404 in JSON for a script and a page for a browser', async () => {
    for (const identifier of UNKNOWN) {
      const url = `${service().url}/f/${identifier}`;
      const script = await send(url, ONE);
      expect({ identifier, status: script.status }).toEqual({ identifier, status: 404 });
      expect(script.body.errors).toMatchObject([{ code: 'FORM_NOT_FOUND' }]);

      const browser = await send(url, { ...ONE, headers: { Accept: NAVIGATION } });
      expect(browser.status).toBe(404);
      expect(textOf(browser.text, 'h1')).toEqual(['Your submission was not sent']);
    }
  });

  it('is one that was deleted a moment ago', async () => {
    expect((await inbox.submit(ONE)).status).toBe(200);
    await inbox.owner.delete(`/api/v1/forms/${inbox.form.identifier}`).expect(200);
    expect((await inbox.submit(ONE)).status).toBe(404);
  });

  it('is a page for a browser that opens it, and a problem for others', async () => {
    for (const path of ['', '/thanks']) {
      const url = `/f/0123456789abcdef${path}`;
      const page = await send(service().url + url, { method: 'GET', headers: { Accept: NAVIGATION } });
      expect({ status: page.status, h1: textOf(page.text, 'h1') }).toEqual({
        status: 404,
        h1: ['This link does not work'],
      });
      expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      await service().anonymous().get(url).expect(refusal(404, 'form_not_found'));
    }
  });
});

describe('A form opened in a browser', () => {
  const visit = (query: string) => send(inbox.url + query, { method: 'GET', headers: { Accept: NAVIGATION } });

  it('explains itself, with a snippet and a form that works', async () => {
    const { status, headers, text } = await visit('');
    const action = `${BASE_URL}/f/${inbox.form.identifier}`;
    expect(status).toBe(200);
    expect(textOf(text, 'code').join()).toContain(`<form data-fcs action="${action}" method="post"`);
    // Without an action it goes to where the page is.
    expect(text).toContain('<form method="post" accept-charset="UTF-8">');
    // A browser holds also the redirect that follows to the policy.
    expect(headers.get('Content-Security-Policy')).toContain('form-action http: https:;');
  });

  it('says that the method is missing when it carries fields, and stores nothing', async () => {
    const { status, text } = await visit('?email=jane%40example.com');
    expect(status).toBe(200);
    expect(textOf(text, 'h1')).toEqual(['Your submission was not sent']);
    expect(textOf(text, 'code')).toContain('method="post"');
    expect(await inbox.all()).toEqual([]);
  });

  it('is the same address with /F/, for what is sent to it too, but no other identifier', async () => {
    while (!/[a-f]/.test(inbox.form.identifier)) inbox = await Inbox.open(service());
    const address = `${service().url}/F/${inbox.form.identifier}`;
    const page = await send(address, { method: 'GET', headers: { Accept: NAVIGATION } });

    const sent = await send(address, ONE);
    const asked = await send(address, { method: 'OPTIONS' });

    expect([page.status, sent.status, asked.status]).toEqual([200, 200, 204]);
    expect(await inbox.all()).toHaveLength(1);
    const other = `${service().url}/f/${inbox.form.identifier.toUpperCase()}`;
    expect((await send(other, ONE)).status).toBe(404);
  });

  it('takes no other method', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await send(inbox.url, { ...ONE, method })).status).toBe(405);
    }
  });
});
