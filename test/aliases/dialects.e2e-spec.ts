import { useService } from '../support/service.js';
import { Inbox, json, multipart, send, urlencoded, type Answer, type Sent } from '../support/submit.js';

const PAGE = 'https://shop.example/contact';
const HTML = 'text/html,application/xhtml+xml';
const KEY = '4f8f3c1e-9f0a-4d8e-8b53-0c6f5f1f2a10';

const service = useService();
let inbox: Inbox;
/** The last part of an address of each provider that leads to the form. */
const ALIASES: [provider: string, value: string, path: string][] = [
  ['formspree', 'xpzvnqkd', '/f/xpzvnqkd'],
  ['formspree', '1234567890/contact', '/p/1234567890/f/contact'],
  ['basin', 'a1b2c3d4e5f6', '/f/a1b2c3d4e5f6'],
  ['getform', 'bwnnyzga', '/f/bwnnyzga'],
  ['forminit', 'v1x2y3z4', '/f/v1x2y3z4'],
  ['formcarry', 'Ab_Cd-Ef', '/s/Ab_Cd-Ef'],
  ['formspark', 'hJk3LmN9', '/hJk3LmN9'],
  ['web3forms', KEY, `/submit/${KEY}`],
  ['formsubmit', 'owner@example.com', '/owner@example.com'],
  ['formsubmit', 'el/1a2b3c4d', '/el/1a2b3c4d'],
];
const pathOf = (provider: string) => String(ALIASES.find(([name]) => name === provider)?.[2]);

beforeAll(async () => {
  inbox = await Inbox.open(service(), { submission_text: 'Merci!' });
  // Each counts, also what is sent alike in every encoding.
  await inbox.owner
    .put(`/api/v1/forms/${inbox.form.identifier}/intake`, { intake: { merge_repeats: false } })
    .expect(200);
  for (const [provider, value] of ALIASES) {
    await inbox.owner
      .post(`/api/v1/forms/${inbox.form.identifier}/aliases`, { alias: { provider, value } })
      .expect(201);
  }
});

const at = (path: string, sent: Sent): Promise<Answer> =>
  send(service().url + path, { ...sent, headers: { Origin: 'https://shop.example', ...sent.headers } });
const browser = { Accept: HTML, Referer: PAGE, Origin: 'https://shop.example' };
const newest = async () => {
  const [submission] = await inbox.all();
  if (!submission) throw new Error('Nothing was stored.');
  return submission;
};
const EMAIL: [string, string] = ['email', 'jane@example.com'];

describe('A page made for another provider', () => {
  it.each(ALIASES)('of %s by %s is stored, in every encoding', async (_, __, path) => {
    for (const encode of [urlencoded, json, multipart]) {
      const before = (await inbox.all()).length;
      const { status, body } = await at(path, encode([EMAIL, ['message', 'Grüße']]));
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true });
      expect(await inbox.all()).toHaveLength(before + 1);
      expect((await newest()).values).toEqual({ email: 'jane@example.com', message: 'Grüße' });
    }
  });

  it('can name the form itself in place of the old id', async () => {
    const { identifier } = inbox.form;
    for (const path of [`/s/${identifier}`, `/${identifier}`, `/submit/${identifier}`]) {
      expect((await at(path, urlencoded([EMAIL]))).status).toBe(200);
    }
  });

  it.each(['/s/nobody', '/nobody', '/submit/nobody', '/ajax/nobody@example.com', '/p/1/f/x'])(
    'gets 404 at %s, which leads nowhere, in every encoding',
    async (path) => {
      for (const encode of [urlencoded, json, multipart]) {
        const { status, body } = await at(path, encode([EMAIL]));
        expect(status).toBe(404);
        expect(JSON.stringify(body)).toContain('Form not found.');
      }
    },
  );

  it.each(['%00', '%F0%9F%98%80', '%', 'a%2Fb', 'x'.repeat(5_000), 'xpzvnqkd%20', 'XPZVNQKD'])(
    'is sent nowhere by the odd id %s',
    async (id) => {
      for (const path of [`/f/${id}`, `/s/${id}`, `/ajax/${id}`, `/submit/${id}`]) {
        const { status } = await at(path, urlencoded([EMAIL]));
        expect({ path, status }).toEqual({ path, status: 404 });
      }
    },
  );

  it.each([
    ['formspree', '_subject'],
    ['formsubmit', '_subject'],
    ['getform', '_subject'],
    ['formspark', '_email.subject'],
    ['web3forms', 'subject'],
  ])('of %s gives the mails a subject by %s, which is no answer', async (provider, name) => {
    const fields: [string, string][] = [
      [name, 'Price of a cake'],
      ['_language', 'de'],
      ['_charset_', 'UTF-8'],
      ['subject of the letter', 'A cake'],
    ];
    expect((await at(pathOf(provider), urlencoded(fields))).status).toBe(200);
    const { id, values } = await newest();
    expect(values).toEqual({ 'subject of the letter': 'A cake' });
    const path = `/api/v1/forms/${inbox.form.identifier}/submissions/${id}/source` as const;
    expect(await inbox.owner.read(path)).toMatchObject({ subject: 'Price of a cake' });
  });

  it('may be asked by browsers first', async () => {
    for (const [, , path] of ALIASES) {
      const { status, headers } = await at(path, {
        method: 'OPTIONS',
        headers: { 'Access-Control-Request-Headers': 'content-type,formspree-client' },
      });
      expect(status).toBe(204);
      expect(headers.get('Access-Control-Allow-Headers')).toBe('content-type,formspree-client');
    }
  });
});

describe('The answer', () => {
  it('of Basin at an address that ends in .json is JSON, whoever asks', async () => {
    const { status, body } = await at(`${pathOf('basin')}.json`, { ...urlencoded([EMAIL]), headers: browser });
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  });

  it('of FormSubmit by script says success as a text, and nowhere else', async () => {
    for (const path of ['/ajax/owner@example.com', '/ajax/el/1a2b3c4d']) {
      expect((await at(path, json([EMAIL]))).body).toMatchObject({ success: 'true', message: 'Merci!' });
    }
    expect((await at('/owner@example.com', json([EMAIL]))).body).toMatchObject({ success: true });
    expect((await at('/ajax/owner@example.com', json([]))).body).toMatchObject({
      success: 'false',
      message: expect.stringContaining('without any fields'),
    });
  });

  it('of Web3Forms has both levels', async () => {
    const { body } = await at('/submit', json([['access_key', KEY], EMAIL]));
    expect(body).toMatchObject({
      ...{ success: true, statusCode: 200, message: 'Merci!' },
      body: { message: 'Merci!', data: { id: body.id } },
    });
    const { status, body: refused } = await at('/submit', json([['access_key', KEY]]));
    expect(status).toBe(422);
    expect(refused).toMatchObject({ success: false, statusCode: 422, body: { data: {} } });
  });

  it('of Forminit has the submission, and names the field of an error', async () => {
    expect((await at(pathOf('forminit'), json([EMAIL]))).body).toEqual({
      success: true,
      redirectUrl: expect.stringContaining('/thanks?s='),
      submission: { hashId: expect.any(String), date: expect.stringMatching(/^20.*Z$/) },
    });
    expect((await at(pathOf('forminit'), json([['a'.repeat(5_000), 'x']]))).body).toMatchObject({
      ...{ success: false, error: 'FIELD_NAME_TOO_LONG', code: 422 },
      fieldName: expect.stringMatching(/^a+$/),
    });
  });

  it('of Formspree has no keys but its own when it fails', async () => {
    const { body } = await at(pathOf('formspree'), json([]));
    expect(Object.keys(body)).toEqual(['error', 'errors']);
    expect(body.errors).toMatchObject([{ field: null, code: 'EMPTY' }]);
  });

  it('follows the form where that says which', async () => {
    const own = await Inbox.open(service());
    const path = `/api/v1/forms/${own.form.identifier}/dialect` as const;
    await own.owner.put(path, { dialect: 'web3forms' }).expect(200, { dialect: 'web3forms' });
    expect((await own.submit(json([EMAIL]))).body).toMatchObject({ statusCode: 200 });
    await own.owner.put(path, { dialect: null }).expect(200, { dialect: null });
    expect((await own.submit(json([EMAIL]))).body).not.toHaveProperty('statusCode');
    await own.owner.put(path, { dialect: 'wufoo' }).expect(422);
  });
});

describe('Special fields', () => {
  it.each<[string, [string, string][]]>([
    [
      pathOf('formspree'),
      [
        ['_next', '/x'],
        ['_cc', 'a@b.example,c@d.example'],
        ['_format', 'plain'],
      ],
    ],
    [
      pathOf('basin'),
      [
        ['_redirect', 'https://shop.example/x'],
        ['source_url', PAGE],
      ],
    ],
    [
      pathOf('formcarry'),
      [
        ['returnUrl', '/x'],
        ['failUrl', '/y'],
      ],
    ],
    [
      pathOf('formspark'),
      [
        ['_redirect', '/x'],
        ['_email.subject', 'Hi'],
        ['_feedback.dark', 'true'],
        ['_append', 'false'],
      ],
    ],
    [
      pathOf('web3forms'),
      [
        ['access_key', 'other'],
        ['redirect', '/x'],
        ['webhook', 'http://127.0.0.1'],
        ['ccemail', 'a@b.example'],
      ],
    ],
    [
      '/owner@example.com',
      [
        ['_captcha', 'false'],
        ['_template', '{{constructor}}'],
        ['_webhook', 'http://127.0.0.1/'],
        ['_autoresponse', 'x'],
        ['_url', PAGE],
      ],
    ],
  ])('of %s are not stored and not obeyed, those of others are values', async (path, fields) => {
    await at(path, urlencoded([EMAIL, ...fields]));
    const submission = await newest();
    expect(submission).toMatchObject({ spam: false, spam_reason: null });
    expect(submission.values).toEqual({ email: 'jane@example.com' });
    const { body } = await inbox.owner
      .get(`/api/v1/forms/${inbox.form.identifier}/submissions/${submission.id}/deliveries`)
      .expect(200);
    expect(JSON.stringify(body)).not.toMatch(/b\.example|127\.0\.0\.1/);

    const own = await Inbox.open(service());
    expect(await own.values(urlencoded([EMAIL, ...fields]))).toEqual(Object.fromEntries([EMAIL, ...fields]));
  });

  it('of Netlify are left out of forms with that dialect', async () => {
    const own = await Inbox.open(service());
    await own.owner.put(`/api/v1/forms/${own.form.identifier}/dialect`, { dialect: 'netlify' });
    const fields = urlencoded([['form-name', 'contact'], ['bot-field', ''], EMAIL]);
    expect(await own.values(fields)).toEqual({ email: 'jane@example.com' });
    await own.submit(urlencoded([['form-name', 'contact'], ['bot-field', 'x'], EMAIL]));
    expect((await own.all())[0]).toMatchObject({ spam: true });
  });

  it('catch the bots of Web3Forms and FormSubmit', async () => {
    for (const [path, name] of [
      ['/submit', 'botcheck'],
      ['/owner@example.com', '_honey'],
    ] as const) {
      await at(path, urlencoded([['access_key', KEY], [name, 'on'], EMAIL]));
      expect(await newest()).toMatchObject({ spam: true });
    }
  });

  it('of Forminit are fields by their plain names, in blocks too', async () => {
    await at(
      pathOf('forminit'),
      multipart(Object.entries({ 'fi-sender-email': 'jane@example.com', 'fi-text-message': 'Hi' })),
    );
    expect((await newest()).values).toEqual({ email: 'jane@example.com', message: 'Hi' });
    const blocks = [
      { type: 'text', name: 'message', value: 'Hi' },
      { type: 'sender', properties: { email: 'jane@example.com', firstName: 'Jane' } },
      { type: 'tracking', properties: { utmSource: 'mail' } },
    ];
    for (const [path, body] of [
      [pathOf('forminit'), { blocks }],
      ['/forminit', { forminitFormId: 'v1x2y3z4', data: { blocks } }],
    ] as const) {
      const { status } = await at(path, { type: 'application/json', body: JSON.stringify(body) });
      expect(status).toBe(200);
      expect((await newest()).values).toEqual({
        ...{ message: 'Hi', email: 'jane@example.com', firstName: 'Jane', utmSource: 'mail' },
      });
    }
  });

  it('of Forminit keep the limits of fields', async () => {
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, 'x']));
    const body = JSON.stringify({ blocks: [{ type: 'sender', properties }] });
    const { status, body: refused } = await at(pathOf('forminit'), { type: 'application/json', body });
    expect({ status, code: refused.error }).toEqual({ status: 422, code: 'TOO_MANY_FIELDS' });
  });
});

describe('The key in the body', () => {
  it.each([urlencoded, json, multipart])('is found wherever it stands (%#)', async (encode) => {
    const long: [string, string] = ['message', 'x'.repeat(60_000)];
    for (const pairs of [
      [['access_key', KEY], long, EMAIL],
      [long, EMAIL, ['apikey', KEY]],
    ]) {
      expect((await at('/submit', encode(pairs as [string, string][]))).status).toBe(200);
      expect((await newest()).values).toEqual({ message: long[1], email: 'jane@example.com' });
    }
  });

  it('is asked for where it is missing', async () => {
    for (const encode of [urlencoded, json, multipart]) {
      const { status, body } = await at('/submit', encode([EMAIL, ['message', '"access_key":"x"']]));
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([{ field: 'access_key', code: 'FORM_KEY_MISSING' }]);
    }
  });

  it('comes with files', async () => {
    const file = { field: 'attachment', name: 'cv.txt', bytes: 'Hello' };
    const { status } = await at('/submit', multipart([['access_key', KEY], EMAIL], [file]));
    expect(status).toBe(200);
    expect((await newest()).files).toMatchObject([{ name: 'cv.txt', size: 5 }]);
  });
});

describe('A redirect that a page asks for', () => {
  const redirected = async (path: string, field: string, target: string, headers: Sent['headers'] = browser) => {
    const { status, headers: given } = await at(path, { ...urlencoded([[field, target], EMAIL]), headers });
    return { status, location: given.get('Location') };
  };
  const FIELDS: [path: string, field: string][] = [
    [pathOf('formspree'), '_next'],
    [pathOf('basin'), '_redirect'],
    [pathOf('formcarry'), 'returnUrl'],
    [pathOf('web3forms'), 'redirect'],
    ['/owner@example.com', '_next'],
  ];

  it.each(FIELDS)('of %s by %s goes to its own site', async (path, field) => {
    expect(await redirected(path, field, 'https://shop.example/thanks')).toEqual({
      ...{ status: 303, location: 'https://shop.example/thanks' },
    });
    expect(await redirected(path, field, '/thanks?a=1')).toEqual({
      ...{ status: 303, location: 'https://shop.example/thanks?a=1' },
    });
  });

  it.each(FIELDS)('of %s by %s goes nowhere else', async (path, field) => {
    for (const target of [
      'javascript:alert(1)',
      '//evil.example/x',
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
      'https://user:pw@shop.example/',
      'http://shop.example/',
      '\\\\evil.example',
      'data:text/html,x',
      `https://shop.example/${'x'.repeat(3_000)}`,
    ]) {
      const { status, location } = await redirected(path, field, target);
      expect({ target, status, isOurs: location?.includes('/thanks?s=') }).toEqual({
        ...{ target, status: 303, isOurs: true },
      });
    }
    const { location } = await redirected(path, field, 'https://shop.example/x', { Accept: HTML, Origin: 'null' });
    expect(location).toContain('/thanks?s=');
  });

  it('goes to the sites of the form too', async () => {
    const own = await Inbox.open(service(), { whitelisted_domains: 'shop.example,*.partner.example' });
    await own.owner.put(`/api/v1/forms/${own.form.identifier}/dialect`, { dialect: 'formspree' });
    const { headers } = await own.submit({
      ...urlencoded([['_next', 'https://www.partner.example/thanks'], EMAIL]),
      headers: browser,
    });
    expect(headers.get('Location')).toBe('https://www.partner.example/thanks');
  });

  it('of Formspark carries what was sent, unless the page says no', async () => {
    const path = pathOf('formspark');
    expect(await redirected(path, '_redirect', '/thanks')).toMatchObject({
      location: 'https://shop.example/thanks?email=jane%40example.com',
    });
    const { headers } = await at(path, {
      ...urlencoded([['_redirect', '/thanks'], ['_append', 'false'], EMAIL]),
      headers: browser,
    });
    expect(headers.get('Location')).toBe('https://shop.example/thanks');
  });

  it('of Formspark carries as much as an address of 2,048 characters holds', async () => {
    const long = { first: 'x'.repeat(1_900), second: 'y'.repeat(200) };
    const { headers } = await at(pathOf('formspark'), {
      ...urlencoded([['_redirect', '/thanks'], EMAIL, ...Object.entries(long)]),
      headers: browser,
    });
    expect(headers.get('Location')).toBe(`https://shop.example/thanks?email=jane%40example.com&first=${long.first}`);
  });

  it('after an error goes to the page for errors', async () => {
    for (const [path, field] of [
      [pathOf('formspark'), '_error'],
      [pathOf('formcarry'), 'failUrl'],
    ] as const) {
      const { status, headers } = await at(path, { ...urlencoded([[field, '/error']]), headers: browser });
      expect({ status, location: headers.get('Location') }).toEqual({
        ...{ status: 303, location: 'https://shop.example/error' },
      });
    }
  });

  it('is told to scripts, and none of them is redirected', async () => {
    const { status, body } = await at(pathOf('formspree'), json([['_next', '/thanks'], EMAIL]));
    expect({ status, next: body.next }).toEqual({ status: 200, next: 'https://shop.example/thanks' });
  });

  it('is the same for a repeated submission', async () => {
    const key = { 'Idempotency-Key': 'one', ...browser };
    const [first, second] = [
      await redirected(pathOf('formspree'), '_next', '/thanks', key),
      await redirected(pathOf('formspree'), '_next', '/thanks', key),
    ];
    expect(second).toEqual(first);
  });
});

describe('The page of a submission', () => {
  const sourceOf = async (pairs: [string, string][], headers: Sent['headers']) => {
    const own = await Inbox.open(service());
    const id = await own.accept({ ...urlencoded([EMAIL, ...pairs]), headers });
    expect((await own.read(id)).submission.values).toEqual({ email: 'jane@example.com' });
    const path = `/api/v1/forms/${own.form.identifier}/submissions/${id}/source` as const;
    return (await own.owner.read(path)).referer;
  };
  const ORIGIN = { Origin: 'https://shop.example', Referer: 'https://shop.example/' };

  it('is what it says itself, with its query and without its fragment', async () => {
    expect(await sourceOf([['_page', `${PAGE}?utm_source=mail#a`]], ORIGIN)).toBe(`${PAGE}?utm_source=mail`);
    expect(await sourceOf([['_page', PAGE]], {})).toBe(PAGE);
    expect(await sourceOf([['_page', 'https://shop.example/']], ORIGIN)).toBe('https://shop.example/#');
  });

  it('is what the browser says where the page is of another site or none', async () => {
    for (const page of ['https://evil.example/x', 'javascript:alert(1)', '/contact', '']) {
      expect(await sourceOf([['_page', page]], ORIGIN)).toBe('https://shop.example/');
    }
  });
});
