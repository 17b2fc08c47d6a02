import {
  ApiError,
  createClient,
  paginate,
  unwrap,
  verifyWebhook,
  type Client,
  type Schemas,
  type WebhookEvent,
} from 'form-collection-client';
import { DAY_MS } from '../support/clock.js';
import { codeIn, runModule } from '../support/readme.js';
import { useForm, useOwner, useService } from '../support/service.js';
import { useReceiver } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const owner = useOwner(service);
const receiver = useReceiver();
const form = useForm(owner);
let client: Client;
beforeEach(() => {
  client = createClient({ baseUrl: service().url, token: owner.secret ?? '' });
});

describe('A call', () => {
  it('has the types of the API, and returns the body', async () => {
    const made = await unwrap(client.POST('/api/v1/forms', { body: { form: { name: 'Contact' } } }));
    const where: string | null = made.redirect_url;
    expect(where).toBeNull();
    // @ts-expect-error -- it can be null
    const address: string = made.redirect_url;
    expect(address).toBeNull();

    const body = { form: { redirect_url: 'https://example.com/thanks' } };
    const params = { path: { identifier: made.identifier } };
    const changed: Schemas['FormDto'] = await unwrap(client.PATCH('/api/v1/forms/{identifier}', { params, body }));
    expect(changed).toMatchObject({ name: 'Contact', redirect_url: 'https://example.com/thanks' });
    const translations = { de: { submission_text: 'Danke!', fields: { size: { label: 'Größe' } } } };
    const route = '/api/v1/forms/{identifier}/translations';
    expect(await unwrap(client.PUT(route, { params, body: { translations } }))).toEqual({ translations });
    const { message } = await unwrap(client.DELETE('/api/v1/forms/{identifier}', { params }));
    expect(message).toBe('The form has been deleted.');
  });

  it('reaches what others are given, files and exports', async () => {
    const path = { identifier: form.identifier };
    const { id } = await unwrap(
      client.POST('/api/v1/clients', {
        body: { client: { name: 'Jane', email: 'jane@example.com', form_ids: [form.id] } },
      }),
    );
    const { token } = await unwrap(
      client.POST('/api/v1/clients/{id}/tokens', {
        params: { path: { id } },
        body: { token: { name: 'Phone', rights: ['submissions:read'] } },
      }),
    );
    const theirs = createClient({ baseUrl: `${service().url}/`, token });
    await service().submitFile(form, 'the content');

    const { submissions } = await unwrap(
      theirs.GET('/api/v1/forms/{identifier}/submissions', { params: { path, query: { spam: 'all' } } }),
    );
    const [submission] = submissions;
    const reason: string | null | undefined = submission?.spam_reason;
    expect([submissions.length, submission?.values.email, reason]).toEqual([1, 'jane@example.com', null]);
    const file = { ...path, id: submission?.id ?? '', fileId: submission?.files[0]?.id ?? '' };
    const bytes: ArrayBuffer = await unwrap(
      theirs.GET('/api/v1/forms/{identifier}/submissions/{id}/files/{fileId}', {
        params: { path: file },
        parseAs: 'arrayBuffer',
      }),
    );
    expect(Buffer.from(bytes).toString()).toBe('the content');
    const csv: string = await unwrap(
      client.GET('/api/v1/forms/{identifier}/submissions.csv', { params: { path }, parseAs: 'text' }),
    );
    expect(csv).toContain('jane@example.com');
    const { entries } = await unwrap(client.GET('/api/v1/audit'));
    const kinds: ('person' | 'token' | 'operator')[] = entries.map(({ actor }) => actor.kind);
    expect(kinds).toContain('token');
  });

  it('does not compile with a mistake', () => {
    const mistakes = () => [
      // @ts-expect-error -- no such path
      client.GET('/api/v1/form'),
      // @ts-expect-error -- it needs an identifier
      client.GET('/api/v1/forms/{identifier}'),
      // @ts-expect-error -- the form is missing
      client.POST('/api/v1/forms', { body: { name: 'Contact' } }),
      // @ts-expect-error -- the email is missing
      client.POST('/api/v1/clients', { body: { client: { name: 'Jane' } } }),
      // @ts-expect-error -- no such right
      client.POST('/api/v1/tokens', { body: { token: { name: 'x', rights: ['forms:reed'] } } }),
      // @ts-expect-error -- no list
      paginate(client, '/api/v1/forms/{identifier}', { params: { path: { identifier: 'x' } } }),
      // @ts-expect-error -- it needs an identifier
      paginate(client, '/api/v1/forms/{identifier}/submissions'),
    ];
    expect(mistakes).toBeInstanceOf(Function);
  });

  it('throws what the service found wrong', async () => {
    const refused = await unwrap(client.POST('/api/v1/forms', { body: { form: { name: '' } } })).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ApiError);
    const { status, code, errors, problem } = refused as ApiError;
    expect({ status, code, errors }).toMatchObject({
      status: 422,
      code: 'invalid_fields',
      errors: [{ field: 'form.name', code: 'wrong_length' }],
    });
    expect((refused as ApiError).message).toBe(problem?.detail);
    const stranger = createClient({ baseUrl: service().url, token: 'fcs_unknown' });
    await expect(unwrap(stranger.GET('/api/v1/forms'))).rejects.toMatchObject({ code: 'invalid_token', errors: [] });
  });

  it('throws the status of a proxy that answers in its own words', async () => {
    const fetch = () => Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status: 502 }));
    const call = createClient({ baseUrl: service().url, token: 'x', fetch }).GET('/api/v1/forms');
    await expect(unwrap(call)).rejects.toMatchObject({ status: 502, code: null, problem: null });
  });
});

describe('A list', () => {
  it('is read page by page, with what the first was asked for', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await service().submit(form, { message: `Message ${n}` }));
    await service().submitSpam(form, { message: 'Spam' });
    const params = { path: { identifier: form.identifier }, query: { per_page: 2, spam: 'false' as const } };
    const pages: string[][] = [];
    for await (const { submissions } of paginate(client, '/api/v1/forms/{identifier}/submissions', { params }))
      pages.push(submissions.map(({ id }) => id));
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('whose pages the header Link names is read too', async () => {
    for (let n = 0; n < 4; n++) await owner.makeForm();
    const sizes: number[] = [];
    for await (const { forms } of paginate(client, '/api/v1/forms', { params: { query: { per_page: 2 } } }))
      sizes.push(forms.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('is asked of the base URL alone, wherever the next page seems to be', async () => {
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(request.url);
      const next_page = asked.length === 1 ? 'https://elsewhere.example/api/v1/submissions?before=x&per_page=1' : null;
      return Promise.resolve(Response.json({ submissions: [], next_page }));
    };
    const behind = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'x', fetch });
    for await (const { submissions } of paginate(behind, '/api/v1/submissions')) expect(submissions).toEqual([]);
    const first = 'http://127.0.0.1:1/api/v1/submissions';
    expect(asked).toEqual([first, `${first}?before=x&per_page=1`]);
  });
});

describe('A webhook call', () => {
  it('is verified as the service sent it, and nothing else is', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { webhook_url: receiver.url } }).expect(200);
    const id = await service().deliver(form, { name: 'Jane' });
    const { webhook } = await owner.read(`/api/v1/forms/${form.identifier}/webhook`);
    const secret = webhook.secret ?? '';
    const { body, headers } = receiver.last;

    for (const [sent, named] of [
      [body, headers],
      [new TextEncoder().encode(body), new Headers(headers)],
    ] as const) {
      const { data }: WebhookEvent = verifyWebhook(sent, named, secret);
      expect(data).toMatchObject({ form: { name: form.name }, submission: { id, values: { name: 'Jane' } } });
    }
    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect(() => verifyWebhook(`${body} `, headers, secret)).toThrow('signature');
    expect(() => verifyWebhook(body, headers, other)).toThrow('signature');
    expect(() => verifyWebhook(body, {}, secret)).toThrow('headers');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
    expect(() => verifyWebhook(body, headers, secret)).toThrow('timestamp');
  });
});

describe('The code that is shown', () => {
  const README = 'packages/client/README.md';
  /** Runs it against the service, for the owner. @returns what it exports, and the lines that it logged */
  async function run(code: string, name: string) {
    const logged: unknown[][] = [];
    process.env.TOKEN = owner.secret ?? '';
    jest.spyOn(console, 'log').mockImplementation((...words: unknown[]) => logged.push(words));
    const exported = await runModule<{ POST: (request: Request) => Promise<Response> }>(
      code.replace('https://forms.example.com', service().url),
      name,
    );
    return { exported, logged };
  }

  it('reads submissions', async () => {
    await service().submit(form, { name: 'Jane' });
    const [code = ''] = codeIn('docs/api/client.md', 'ts');
    expect((await run(code, 'list')).logged).toEqual([[{ name: 'Jane' }]]);
  });

  it('makes a form and names what was wrong', async () => {
    const [code = ''] = codeIn(README, 'ts');
    expect((await run(code, 'calls')).logged).toEqual([['form_not_found']]);
    expect((await owner.read('/api/v1/forms')).forms.map(({ name }) => name)).toContain('Contact');
  });

  it('takes webhook calls', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { webhook_url: receiver.url } }).expect(200);
    await service().deliver(form, { name: 'Jane' });
    const { webhook } = await owner.read(`/api/v1/forms/${form.identifier}/webhook`);
    process.env.WEBHOOK_SECRET = webhook.secret ?? '';
    const [, code = ''] = codeIn(README, 'ts');
    const { exported, logged } = await run(code, 'webhook');
    const { body, headers } = receiver.last;
    const statusOf = async (text: string) =>
      (await exported.POST(new Request(receiver.url, { method: 'POST', body: text, headers }))).status;
    expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 401]);
    expect(logged).toEqual([[{ name: 'Jane' }]]);
  });
});
