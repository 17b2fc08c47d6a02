import request from 'supertest';
import { Browser } from '../support/people.js';

import { refusal } from '../support/refusal.js';
import { useService, useOwner, type Caller } from '../support/service.js';

const BRAND = '/api/v1/account/brand';
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service, 'Studio Nord', 'studio@example.com');

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)]);
const WEBP = Buffer.concat([Buffer.from('RIFF1234WEBPVP8 '), Buffer.alloc(100)]);

const change = (brand: object) => owner.patch(BRAND, { brand });
const withLogo = (bytes: Buffer) => change({ logo: bytes.toString('base64') });

const logoOf = async (caller: Caller): Promise<string> =>
  new URL((await caller.read(BRAND)).brand.logo_url ?? '').pathname;

describe('The brand of an account', () => {
  it('is changed in part, and shown', async () => {
    await change({ colour: 'teal', reply_to: 'hello@studio.example' }).expect(200);
    await change({ colour: null }).expect(200);
    expect((await owner.get(BRAND).expect(200)).body).toEqual({
      brand: {
        name: 'Studio Nord',
        colour: null,
        reply_to: 'hello@studio.example',
        logo_url: null,
        sign_in_url: expect.stringContaining('/sign-in?at=') as unknown,
      },
    });
  });

  it('is its own account’s, and changed only by who may do everything', async () => {
    const some = service().as((await owner.makeToken({ rights: ['tokens:write'] })).token);
    const client = await owner.makeClientCaller();
    for (const caller of [some, client]) {
      await caller.patch(BRAND, { brand: { colour: 'red' } }).expect(refusal(403, 'account_change_forbidden'));
    }
    await change({ colour: 'teal' }).expect(200);
    const other = await service().openAccount('Other');
    expect((await other.get(BRAND)).body).toMatchObject({ brand: { colour: null } });
  });

  it.each([
    ['colour', 'expression(alert(1))', 'not_a_colour'],
    ['colour', 'red;}', 'not_a_colour'],
    ['reply_to', 'nobody', 'not_an_email'],
    ['logo', '<svg>', 'not_base64'],
  ])('refuses a %s such as %s, and names it', async (field, value, code) => {
    const { body } = await change({ [field]: value }).expect(422);
    expect(body).toMatchObject({ errors: [{ field: `brand.${field}`, code }] });
  });
});

describe('A logo', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ])('is served as %s, to everybody, for ever', async (type, bytes) => {
    await withLogo(bytes).expect(200);

    const { body, headers } = await service()
      .anonymous()
      .get(await logoOf(owner))
      .expect(200);

    expect(Buffer.from(body).equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('immutable') as unknown,
    });
  });

  it('has another address when it is another, and the former is gone', async () => {
    await withLogo(Buffer.concat([PNG, Buffer.from('another')])).expect(200);
    const former = await logoOf(owner);
    await withLogo(JPEG).expect(200);
    expect(await logoOf(owner)).not.toBe(former);
    await service().anonymous().get(former).expect(refusal(404, 'logo_not_found'));
    for (const name of ['x', '0'.repeat(64), '%2e%2e%2f']) {
      await service().anonymous().get(`/files/logos/${name}`).expect(404);
    }
  });

  it.each([
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', Buffer.from('GIF89a')],
    ['larger than 100 kB', Buffer.concat([PNG, Buffer.alloc(100_001)])],
  ])('that is %s is refused', async (_, bytes) => {
    await withLogo(bytes).expect(refusal(422, 'logo_refused'));
    expect((await owner.get(BRAND)).body).toMatchObject({ brand: { logo_url: null } });
  });
});

describe('The page of name and looks', () => {
  const upload = (browser: Browser, fields: Record<string, string>, logo?: Buffer) => {
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const call = request(service().url)
      .post('/brand')
      .redirects(0)
      .set({ 'Sec-Fetch-Site': 'same-origin', Cookie: cookies });
    for (const [name, value] of Object.entries(fields)) void call.field(name, value);
    if (logo) void call.attach('brand.logo', logo, 'logo.svg');
    return call;
  };
  const FIELDS = {
    'account.name': 'Studio Süd',
    'account.email': 'office@example.com',
    'brand.colour': '#ff0',
    'brand.reply_to': 'hello@example.com',
  };

  it('takes them all, and shows them again', async () => {
    const browser = await service().makeBrowser(owner);
    expect((await upload(browser, FIELDS, PNG)).status).toBe(303);
    const { text } = await browser.get('/brand');
    for (const value of Object.values(FIELDS)) expect(text).toContain(`value="${value}"`);
    expect(text).toContain(`src="${await logoOf(owner)}"`);
    expect((await upload(browser, { ...FIELDS, remove_logo: 'true' })).status).toBe(303);
    expect((await browser.get('/brand')).text).not.toContain('/files/logos/');
  });

  it('is for owners', async () => {
    const browser = await service().makeBrowser(owner, { clientId: null, role: 'editor' });
    expect((await browser.get('/brand')).status).toBe(403);
    expect((await upload(browser, FIELDS)).status).toBe(403);
  });
});

describe('What others see of it', () => {
  beforeEach(async () => {
    await withLogo(PNG).expect(200);
    await change({ colour: '#ffff00' }).expect(200);
  });

  it('is name, logo and a readable colour on the pages of clients, and not on one’s own', async () => {
    const clientId = await owner.makeClient();
    const browser = await service().makeBrowser(owner, { clientId, actions: ['see'] });
    const { text } = await browser.get('/inbox');
    expect(text).toContain('<span>Studio Nord</span>');
    expect(text).toContain(`src="${await logoOf(owner)}"`);
    const [, path = ''] = /href="(\/assets\/accent\/[^"]+)"/.exec(text) ?? [];
    const style = await service().anonymous().get(path).expect(200);
    expect(style.text).not.toContain('--accent: light-dark(#ffff00');
    expect(style.text).toContain(', #ffff00);');

    const own = (await (await service().makeBrowser(owner)).get('/inbox')).text;
    expect(own).not.toContain('/assets/accent/');
    await service().anonymous().get('/assets/accent/x;}body{}-ffffff.css').expect(404);
  });

  it('is name, logo and colour on pages of a client that say what is not there, or not allowed', async () => {
    const clientId = await owner.makeClient();
    const browser = await service().makeBrowser(owner, { clientId, actions: ['see'] });
    const shown = [await browser.get('/forms/unknown'), await browser.get('/tokens')];
    expect(shown.map(({ status }) => status)).toEqual([404, 403]);
    for (const { text } of shown) {
      expect(text).toContain('<span>Studio Nord</span>');
      expect(text).toContain('/assets/accent/');
    }
    expect((await (await service().makeBrowser(owner)).get('/forms/unknown')).text).not.toContain('/assets/accent/');
  });

  it('is name, logo and colour on the page that thanks a visitor', async () => {
    const { identifier } = await owner.makeForm();
    const { text, headers } = await service().anonymous().get(`/f/${identifier}/thanks`).expect(200);
    expect(text).toContain('Studio Nord');
    expect(text).toContain(`<img class="logo" src="${await logoOf(owner)}"`);
    expect(text).toContain('a { color: light-dark(#');
    expect(headers['content-security-policy']).toContain("img-src 'self'");
  });

  it('is changed on that page at once, also where it was just shown', async () => {
    const { identifier } = await owner.makeForm();
    const page = () => service().anonymous().get(`/f/${identifier}/thanks`).expect(200);
    expect((await page()).text).toContain('class="logo"');

    await change({ logo: null }).expect(200);
    expect((await page()).text).not.toContain('class="logo"');
  });

  describe('before sign-in', () => {
    async function signInPathOf(caller: Caller, at = BRAND): Promise<string> {
      const { pathname, search } = new URL((await caller.read(at)).brand.sign_in_url);
      return pathname + search;
    }

    it('is name, logo and colour at the account’s own address, and later in that browser', async () => {
      const path = await signInPathOf(owner);
      const browser = new Browser(service());
      const shown = [
        await browser.get(path),
        await browser.get('/sign-in'),
        await browser.post('/sign-in', { email: 'nobody@example.com', password: 'x' }),
      ];
      expect(shown.map(({ status }) => status)).toEqual([200, 200, 422]);
      for (const { text } of shown) {
        expect(text).toContain('<span>Studio Nord</span>');
        expect(text).toContain(`src="${await logoOf(owner)}"`);
        expect(text).toContain('/assets/accent/');
      }
      expect(await signInPathOf(owner)).toBe(path);
    });

    it('is nothing to strangers, whatever they guess', async () => {
      const own = await signInPathOf(owner);
      const { text: plain } = await new Browser(service()).get('/sign-in');
      expect(plain).not.toContain('Studio Nord');
      const key = own.slice('/sign-in?at='.length);
      const bytes = Buffer.from(key, 'base64url');
      bytes.writeUInt32BE(bytes.readUInt32BE() + 1);
      for (const guess of ['', 'x', '1', key.slice(1), bytes.toString('base64url'), `${key}&at=x`]) {
        const browser = new Browser(service());
        const { status, text } = await browser.get(`/sign-in?at=${guess}`);
        expect({ guess, status, text }).toEqual({ guess, status: 200, text: plain });
        expect([...browser.cookies.keys()]).toEqual([]);
      }
    });

    it('is that of the account whose address was opened last', async () => {
      const other = await service().openAccount('Atelier Süd');
      const browser = new Browser(service());
      await browser.get(await signInPathOf(owner));
      await browser.get(await signInPathOf(other));
      const { text } = await browser.get('/sign-in');
      expect(text).toContain('Atelier Süd');
      expect(text).not.toContain('Studio Nord');
    });

    it('is on an invitation to a client, and not on one into the account', async () => {
      const client = await owner.makeClient();
      const person = { email: 'jane@example.com', name: 'Jane', send: false };
      for (const [path, invited, isShown] of [
        [`/api/v1/clients/${client}/people`, person, true],
        ['/api/v1/people', { ...person, role: 'editor' }, false],
      ] as const) {
        const [, secret = ''] = (await owner.create(path, { person: invited })).link?.split('#') ?? [];
        const { text } = await new Browser(service()).post('/invitation', { invitation: secret });
        expect(text).toContain('You are invited');
        expect(text.includes('<span>Studio Nord</span>')).toBe(isShown);
      }
    });

    it('is told to owners, where they look after clients', async () => {
      const browser = await service().makeBrowser(owner);
      expect((await browser.get('/brand')).text).toContain(await signInPathOf(owner));
      const ofClient = `/api/v1/clients/${await owner.makeClient()}/brand` as const;
      const page = await browser.get(ofClient.slice('/api/v1'.length).replace('/brand', '/people'));
      expect(page.text).toContain(await signInPathOf(owner, ofClient));
    });
  });
});
