import { useService } from '../support/service.js';
import { Inbox, json, multipart, send, urlencoded, type Sent } from '../support/submit.js';

const service = useService();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

const ENCODINGS = [
  ['urlencoded', urlencoded],
  ['multipart', multipart],
  ['JSON', json],
] as const;
/** Headers of a browser that does not name its page. */
const NOWHERE: Record<string, string>[] = [{}, { Origin: 'null' }];
const HONEYPOTS = ['formbackend_nono', '_gotcha'];

/** Submits, and tells what became of it. */
async function verdict(sent: Sent, headers: Record<string, string> = {}) {
  const id = await inbox.accept({ ...sent, headers });
  const { spam, spam_reason, values } = (await inbox.read(id)).submission;
  return { spam, reason: spam_reason, values };
}

describe.each(ENCODINGS)('A honeypot in %s (S-06)', (_, encode) => {
  it('makes it spam when it is filled in, and is never shown', async () => {
    for (const name of HONEYPOTS) {
      for (const value of ['buy', 'on', '0', ' ']) {
        const sent = encode([
          ['email', 'a'],
          [name, value],
        ]);
        expect(await verdict(sent)).toEqual({
          spam: true,
          reason: `The honeypot field "${name}" was filled in.`,
          values: { email: 'a' },
        });
      }
    }
    expect(await inbox.count()).toBe(0);
  });

  it('is nothing when it was left empty', async () => {
    for (const name of HONEYPOTS) {
      const sent = encode([
        [name, ''],
        ['email', 'a'],
      ]);
      expect(await verdict(sent)).toEqual({ spam: false, reason: null, values: { email: 'a' } });
    }
    expect(await inbox.count()).toBe(2);
  });

  it('is a trap though one of several was left empty, and though nothing else was sent', async () => {
    const both = [
      ['_gotcha', ''],
      ['_gotcha', 'x'],
    ] as const;
    expect(await verdict(encode(both))).toMatchObject({ spam: true, values: {} });
  });

  it('and captcha tokens are recognised by their exact names', async () => {
    const pairs = [
      ['gotcha', 'x'],
      ['_GOTCHA', 'x'],
      ['formbackend_nono2', 'x'],
      ['recaptcha_response', 'x'],
      ['botcheck', 'x'],
    ] as const;
    const tokens = ['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response'];
    const sent = encode([...pairs, ...tokens.map((token) => [token, 'x'] as const)]);
    expect(await verdict(sent)).toEqual({ spam: false, reason: null, values: Object.fromEntries(pairs) });
  });
});

it.each([
  ['null', false],
  ['false', false],
  ['[]', false],
  ['{}', false],
  ['""', false],
  ['true', true],
  ['0', true],
  ['["x"]', true],
  ['{"a":1}', true],
])('A honeypot that is %s in JSON is filled in: %s', async (value, spam) => {
  const sent = { type: 'application/json', body: `{"a":"1","_gotcha": ${value} }` };
  expect(await verdict(sent)).toMatchObject({ spam, values: { a: '1' } });
});

it('Spam is answered like any other submission (S-11)', async () => {
  const good = await inbox.submit(urlencoded([['a', '1']]));
  const spam = await inbox.submit(urlencoded([['_gotcha', '1']]));
  expect(Object.keys(spam.body)).toEqual(Object.keys(good.body));
  expect(spam).toMatchObject({ status: 200, body: { success: true, message: good.body.message } });
  expect([...spam.headers.keys()]).toEqual([...good.headers.keys()]);

  const browser = await inbox.submit({ ...urlencoded([['_gotcha', '1']]), headers: { Accept: 'text/html' } });
  expect(browser.status).toBe(303);
});

describe('A form for certain domains (S-08)', () => {
  beforeEach(async () => {
    const whitelisted_domains = 'https://www.example.com,shop.test,*.wild.test,münchen.de';
    inbox = await Inbox.open(service(), { whitelisted_domains });
  });
  const allowed = async (headers: Record<string, string>, encode = urlencoded) => {
    const { spam, reason } = await verdict(encode([['a', '1']]), headers);
    expect(reason === null).toBe(!spam);
    return !spam;
  };

  it.each<[string, boolean]>([
    ['https://www.example.com', true],
    ['https://www.example.com:443', true],
    ['HTTPS://WWW.EXAMPLE.COM', true],
    ['http://www.example.com', false],
    ['https://www.example.com:8443', false],
    ['https://example.com', false],
    ['https://evil-www.example.com', false],
    ['https://www.example.com.evil.test', false],
    ['https://www.example.com@evil.test', false],
    ['https://evil.test/www.example.com', false],
    ['https://evil.test#https://www.example.com', false],
    ['https://www-example-com.translate.goog', true],
    ['http://shop-test.translate.goog', false],
    ['https://shop.test', true],
    ['http://shop.test:8080', true],
    ['https://SHOP.test.', true],
    ['https://a.shop.test', false],
    ['https://eshop.test', false],
    ['https://a.wild.test', true],
    ['https://a.b.wild.test', true],
    ['https://wild.test', false],
    ['https://evilwild.test', false],
    ['https://.wild.test.evil', false],
    ['https://xn--mnchen-3ya.de', true],
    ['https://munchen.de', false],
    ['null', false],
    ['', false],
    ['nonsense', false],
    ['file://shop.test', false],
    ['data:shop.test', false],
    ['chrome-extension://shop.test', false],
  ])('takes the origin %s: %s, in every encoding', async (origin, expected) => {
    for (const [, encode] of ENCODINGS) {
      expect(await allowed({ Origin: origin }, encode)).toBe(expected);
    }
  });

  it.each<[string, boolean]>([
    ['https://www.example.com/contact?x=1', true],
    ['https://shop.test/', true],
    ['https://evil.test/?https://www.example.com/', false],
    ['https://user@evil.test/', false],
    ['about:blank', false],
  ])('goes by the referer %s when there is no origin: %s', async (referer, expected) => {
    expect(await allowed({ Referer: referer })).toBe(expected);
  });

  it('believes the origin before the referer', async () => {
    const [good, bad] = ['https://shop.test', 'https://evil.test'];
    expect(await allowed({ Origin: bad, Referer: `${good}/` })).toBe(false);
    expect(await allowed({ Origin: good, Referer: `${bad}/` })).toBe(true);
  });

  it('says why: which origin it was, or that none was sent', async () => {
    const sent = urlencoded([['a', '1']]);
    expect((await verdict(sent, { Origin: 'https://evil.test' })).reason).toBe(
      'It came from https://evil.test, which is not an allowed domain.',
    );
    for (const headers of NOWHERE) {
      expect((await verdict(sent, headers)).reason).toMatch(/did not name the page/);
    }
    expect(await inbox.count()).toBe(0);
  });

  it('explains an origin of any length', async () => {
    const origin = `https://${`${'a'.repeat(60)}.`.repeat(4)}test`;
    expect((await verdict(urlencoded([['a', '1']]), { Origin: origin })).spam).toBe(true);
  });
});

it('A form for all domains takes a submission from nowhere', async () => {
  for (const headers of [...NOWHERE, { Origin: 'https://any.test' }]) {
    expect(await verdict(urlencoded([['a', '1']]), headers)).toMatchObject({ spam: false });
  }
  expect(await inbox.count()).toBe(3);
});

describe('What a visitor sends', () => {
  it('never says where the browser goes (S-09)', async () => {
    const evil = 'https://evil.test/';
    const names = ['_next', 'redirect', '_redirect', 'redirect_url', 'redirectTo', 'next', 'returnUrl'];
    const sent = urlencoded(names.map((name) => [name, evil]));
    const query = `?${names.map((name) => `${name}=${encodeURIComponent(evil)}`).join('&')}`;
    const answer = await inbox.submit({ ...sent, headers: { Accept: 'text/html' } }, query);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).not.toContain('evil');
    expect((await inbox.all())[0]?.values).toEqual(Object.fromEntries(names.map((name) => [name, evil])));
  });

  it('never gets into a header (S-10)', async () => {
    const breaking = 'x\r\nSet-Cookie: evil=1\r\n\r\n<script>';
    const { headers } = await inbox.submit({ ...urlencoded([[breaking, breaking]]), headers: { Accept: 'text/html' } });
    expect(headers.get('Set-Cookie')).toBeNull();
    for (const path of ['%0d%0aSet-Cookie:%20evil=1', 'x?%0d%0aSet-Cookie:%20evil=1']) {
      const answer = await send(`${service().url}/f/${path}`, urlencoded([['a', '1']]));
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
  });
});
