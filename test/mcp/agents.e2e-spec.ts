import { readFileSync } from 'node:fs';
import { CLIENTS, connect, dataIn, type Agent } from '../support/agents.js';
import { CanarySite, html } from '../support/canary-site.js';
import { freePort } from '../support/program.js';
import { useOwner, useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const server = useMailServer();
const port = await freePort();
const service = useService(() => ({
  ...{ PORT: port, BASE_URL: `http://127.0.0.1:${port}`, SMTP_URL: server.url },
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}));
const owner = useOwner(service, 'Studio Nord', 'owner@example.com');
const agent = (): Promise<Agent> => connect(service(), owner.secret ?? '');

const site = new CanarySite();
beforeAll(() => site.listen());
afterAll(() => site.close());

const READING = [
  ...['list_forms', 'get_form', 'get_embed_snippet', 'check_form'],
  ...['list_submissions', 'get_submission', 'search_submissions', 'get_delivery_log'],
];
const SETTING_UP = [
  ...['list_forms', 'get_form', 'ensure_form', 'update_form', 'set_fields', 'get_embed_snippet'],
  ...['send_test_submission', 'prove_form', 'check_form'],
];
const ALL = [
  ...SETTING_UP,
  ...['list_submissions', 'get_submission', 'search_submissions', 'mark_submissions'],
  ...['get_delivery_log', 'retry_delivery'],
];

const EMAIL = { name: 'email', kind: 'email', required: true };

describe.each(CLIENTS)('A client of %s', (name) => {
  it('finds the tools, and calls them', async () => {
    const { version, tools, read, client } = await connect(service(), owner.secret ?? '', name);
    if (name === '2026-07-28') expect(version).toBe(name);

    expect((await tools()).map((tool) => tool.name)).toEqual(ALL);
    const { form } = await read('ensure_form', { name: 'Contact', fields: [EMAIL] });
    await service().submit(form, { email: 'jane@example.com' });
    expect(await read('list_submissions', { form: form.identifier })).toMatchObject({
      submissions: [{ values: { email: 'jane@example.com' } }],
    });
    expect(client.getInstructions()).toContain('ensure_form');
  });

  it('reads resources and prompts', async () => {
    const { client, read } = await connect(service(), owner.secret ?? '', name);
    const { form } = await read('ensure_form', { name: 'Contact' });
    const textAt = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return String(content && 'text' in content && content.text);
    };

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['forms://forms', 'forms://docs/snippets']);
    expect(dataIn(await textAt('forms://forms'))).toMatchObject({ forms: [{ name: 'Contact' }] });
    const one = await textAt(`forms://form/${form.identifier}`);
    expect(dataIn(one)).toMatchObject({ form: { name: 'Contact' }, fields: [] });
    expect(await textAt('forms://docs/snippets')).toContain('## SvelteKit');
    await expect(textAt('forms://form/0123456789abcdef')).rejects.toThrow('Form not found');

    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(['add_contact_form', 'why_no_mail']);
    const { messages } = await client.getPrompt({ name: 'add_contact_form', arguments: { framework: 'Astro' } });
    expect(JSON.stringify(messages)).toContain('made with Astro');
  });
});

describe('An agent', () => {
  it('adds a form to a page, proves it, and its owner sees the first submission', async () => {
    const { read } = await agent();
    const { form, created } = await read('ensure_form', { name: 'Contact', fields: [EMAIL] });
    const { snippets } = await read('get_embed_snippet', { form: form.identifier, flavour: 'html' });
    site.pages['/contact'] = html(`<!doctype html><title>Contact</title>${snippets[0].code}`);

    const { canary } = await read('prove_form', { form: form.identifier, page: `${site.origin}/contact` });
    const sent = await read('send_test_submission', { form: form.identifier });

    expect(created).toBe(true);
    const states = canary.steps.map(({ step, state }: Record<string, string>) => `${step} ${state}`);
    expect(states).toEqual(
      ['page', 'form', 'address', 'intake', 'database', 'queue', 'mail'].map((step) => `${step} ok`),
    );
    const { submissions } = await owner.list(form);
    expect(submissions).toMatchObject([{ id: sent.id, values: { email: 'jane@example.com' } }]);
  });

  it('ensures one form, whoever else does at the same time', async () => {
    const agents = await Promise.all([agent(), agent()]);

    const made = await Promise.all(agents.map(({ read }) => read('ensure_form', { name: 'Contact' })));

    expect(made.map(({ created }) => created).sort()).toEqual([false, true]);
    expect((await owner.read('/api/v1/forms')).forms).toHaveLength(1);
  });

  it('changes a form, and tests it with values of its own', async () => {
    const { read, call } = await agent();
    const { identifier } = await owner.makeForm();
    const choice = { name: 'size', kind: 'choice', choices: ['S', 'M'], required: true };

    const settings = { redirect_url: 'https://example.com/thanks' };
    expect(await read('update_form', { form: identifier, settings })).toMatchObject(settings);
    const choices = { name: 'extras', kind: 'choices', choices: ['Lid', 'Bag'] };
    await read('set_fields', { form: identifier, fields: [choice, choices] });
    const refused = await call('send_test_submission', { form: identifier, values: { size: 'XL' } });
    const values = { size: 'M', extras: ['Lid', 'Bag'] };
    await read('send_test_submission', { form: identifier, values });

    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('"field":"size"') });
    expect(await owner.list({ identifier })).toMatchObject({ submissions: [{ values }] });
  });

  it('reads, searches and marks submissions, and sends a delivery again', async () => {
    const { read } = await agent();
    const form = await owner.makeForm({ webhook_url: `${site.origin}/hook` });
    const submission = await service().deliver(form, { message: 'Wedding cake' });

    const found = await read('search_submissions', { search: '"wedding cake" from:7d' });
    await read('mark_submissions', { ids: [submission], starred: true, add_tag: 'cake' });
    const [marked] = (await read('search_submissions', { search: 'is:starred tag:cake' })).submissions;
    const { deliveries } = await read('get_delivery_log', { form: form.identifier, submission });
    const hook = deliveries.find(({ kind }: { kind: string }) => kind === 'webhook');
    const again = await read('retry_delivery', { form: form.identifier, submission, delivery: hook.id });

    expect(found.submissions).toMatchObject([{ id: submission }]);
    expect(marked).toMatchObject({ id: submission });
    expect(await read('get_submission', { form: form.identifier, submission })).toMatchObject({
      values: { message: 'Wedding cake' },
    });
    expect([hook.attempts, again.attempts].map((attempts: unknown[]) => attempts.length)).toEqual([1, 2]);
  });

  it('is told of what is wrong with a form', async () => {
    const { read } = await agent();
    const { identifier } = await owner.makeForm({ notify_owner_on_submission: false });

    const { warnings } = await read('check_form', { form: identifier });

    expect(warnings).toMatchObject([{ code: 'nobody_is_told' }]);
    await owner.makeForm();
    expect((await read('list_forms', { with_problems: true })).forms).toMatchObject([{ identifier }]);
  });
});

describe('The tools of a token', () => {
  const namesFor = async (rights: string[]) => {
    const { token } = await owner.makeToken({ rights });
    return (await (await connect(service(), token)).tools()).map(({ name }) => name);
  };

  it('are those that its rights allow', async () => {
    expect(await namesFor(['forms:read', 'forms:create', 'forms:write'])).toEqual(SETTING_UP);
    expect(await namesFor(['forms:read', 'submissions:read'])).toEqual([...READING, 'mark_submissions'].sort(inOrder));
    expect(await namesFor(['audit:read'])).toEqual([]);
  });

  it('are those of its client, which may not create forms', async () => {
    const form = await owner.makeForm();
    const unseen = await owner.makeForm();
    const token = await owner.makeClientToken(await owner.makeClient({ form_ids: [form.id] }));
    const { tools, read, call } = await connect(service(), token);

    expect((await tools()).map(({ name }) => name)).toEqual(ALL.filter((name) => name !== 'ensure_form'));
    expect((await read('list_forms')).forms).toMatchObject([{ identifier: form.identifier }]);
    expect(await call('get_form', { form: unseen.identifier })).toMatchObject({ isError: true });
    const settings = { name: 'x' };
    expect(await call('update_form', { form: form.identifier, settings })).toMatchObject({ isError: true });
  });

  it('are all in the guide', () => {
    const guide = readFileSync('docs/agents.md', 'utf8');

    expect([...guide.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(ALL);
  });

  it('go with its rights, between two calls', async () => {
    const { token, id } = await owner.makeToken();
    const { call, read } = await connect(service(), token);
    await read('list_forms');

    await owner.delete(`/api/v1/tokens/${id}`).expect(200);

    await expect(call('ensure_form', { name: 'Contact' })).rejects.toThrow();
    expect((await owner.read('/api/v1/forms')).forms).toEqual([]);
  });

  it('say what they change, and delete nothing', async () => {
    const tools = await (await agent()).tools();

    const hints = tools.map(({ name, annotations }) => ({ name, ...annotations }));
    for (const hint of hints) {
      expect(hint).toMatchObject({ readOnlyHint: READING.includes(hint.name), destructiveHint: false });
    }
    expect(JSON.stringify(tools)).not.toMatch(/"trash"|delete_|erase_|token_/);
  });
});

function inOrder(one: string, other: string) {
  return ALL.indexOf(one) - ALL.indexOf(other);
}
