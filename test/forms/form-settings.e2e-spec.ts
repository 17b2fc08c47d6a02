import { refusal } from '../support/refusal.js';
import { useService, useOwner } from '../support/service.js';

const FORMS = '/api/v1/forms';

const service = useService();
const owner = useOwner(service);

const SETTINGS = {
  submission_text: 'Thanks, <b>you</b>! 🎉\nBye.',
  webhook_url: 'https://hooks.example.com/a?b=c#d',
  redirect_url: 'http://localhost:8080/thanks',
  notify_submitter: true,
  notify_submitter_from: 'hello@example.com',
  notify_submitter_from_name: 'Jane, of “Example”',
  notify_submitter_subject: 'We got it — 你好',
  notify_submitter_body: 'Dear {{name}},\r\n…',
  notify_owner_on_submission: false,
  notify_owner_emails: 'a@example.com,b@example.com',
  show_submitted_values: true,
  bg_color: '#1a2b3c',
  text_color: 'RebeccaPurple',
  link_color: '#FFF8',
  whitelisted_domains: 'example.com,*.example.com,https://www.example.com',
};

/** As long a list as may be kept. */
const LONGEST_DOMAINS = Array.from({ length: 40 }, (_, n) => `${'a'.repeat(47)}${n + 10}`)
  .join()
  .padEnd(2_000, 'a');

const NULLABLE = [
  'webhook_url',
  'redirect_url',
  'notify_submitter',
  'notify_submitter_from',
  'notify_submitter_from_name',
  'notify_submitter_subject',
  'notify_submitter_body',
  'notify_owner_emails',
  'bg_color',
  'text_color',
  'link_color',
  'whitelisted_domains',
];
const NOT_NULLABLE = ['name', 'submission_text', 'notify_owner_on_submission', 'show_submitted_values'];

it('Every setting can be sent on creation and is kept as it was sent', async () => {
  const form = await owner.makeForm(SETTINGS);

  expect(form).toMatchObject(SETTINGS);
  await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
});

it('Every setting can be changed afterwards, and is kept', async () => {
  const { identifier } = await owner.makeForm();

  const { body } = await owner.patch(`${FORMS}/${identifier}`, { form: SETTINGS }).expect(200);

  expect(body).toMatchObject(SETTINGS);
  await owner.get(`${FORMS}/${identifier}`).expect(200, body);
});

it.each([
  ['name', '  Contact \n', 'Contact'],
  ['name', 'x'.repeat(255), 'x'.repeat(255)],
  ['name', '🎉'.repeat(255), '🎉'.repeat(255)],
  ['submission_text', '', ''],
  ['submission_text', '🎉'.repeat(10_000), '🎉'.repeat(10_000)],
  ['notify_owner_emails', ' a@EXAMPLE.com , b@example.com', 'a@example.com,b@example.com'],
  ['notify_owner_emails', 'a@example.com,a@EXAMPLE.com', 'a@example.com'],
  ['notify_submitter_from', ' Jane@Example.COM ', 'Jane@example.com'],
  ['notify_submitter', false, false],
  ['notify_submitter_from_name', '', ''],
  ['webhook_url', ' https://example.com ', 'https://example.com'],
  ['redirect_url', 'HTTPS://Ä.example/ö?ü=1', 'HTTPS://Ä.example/ö?ü=1'],
  ['bg_color', '#abc', '#abc'],
  ['bg_color', '#abcd', '#abcd'],
  ['text_color', '#aabbcc', '#aabbcc'],
  ['text_color', '#aabbccdd', '#aabbccdd'],
  ['link_color', ' tomato ', 'tomato'],
  ['whitelisted_domains', ' Example.com , *.example.com', 'example.com,*.example.com'],
  ['whitelisted_domains', ['example.com', 'http://localhost'], 'example.com,http://localhost'],
  ['whitelisted_domains', 'HTTPS://A.example:443/,https://a.example', 'https://a.example'],
  ['whitelisted_domains', '*.müller.example,my_host.a.example', '*.xn--mller-kva.example,my_host.a.example'],
  ['whitelisted_domains', 'http://[::1]:8080,127.0.0.1', 'http://[::1]:8080,127.0.0.1'],
  ['whitelisted_domains', LONGEST_DOMAINS, LONGEST_DOMAINS],
])('A setting is brought into its normal form: %s, %#', async (field, sent, kept) => {
  const { identifier, ...form } = await owner.makeForm({ [field]: sent });

  expect(form[field]).toBe(kept);
  expect(await owner.read(`${FORMS}/${identifier}`)).toMatchObject({ [field]: kept });
});

describe('A setting that breaks its rule is refused by name (O-07, S-09)', () => {
  it.each([
    ['name', ['', '   ', 'x'.repeat(256), '🎉'.repeat(256), 1, true, ['x'], {}]],
    ['submission_text', ['x'.repeat(10_001), 1, ['x'], {}]],
    ['webhook_url', ['', 'example.com', 'ftp://example.com', 'https://u:p@example.com', 1, {}]],
    ['webhook_url', ['https:///a.b', 'https://:p@a.b', 'https://a.b:99999', ['https://a.b']]],
    ['redirect_url', ['https://a.b/c d', 'https://a.b/\\evil', 'https://a.b/\r\nX: y']],
    ['redirect_url', ['/thanks', 'javascript:alert(1)', `https://a.b/${'x'.repeat(2048)}`, []]],
    ['notify_submitter', ['true', 1, 0, '', []]],
    ['notify_submitter_from', ['', 'jane', 'a@example.com,b@example.com', 1, ['a@example.com']]],
    ['notify_submitter_from_name', ['x'.repeat(256), 1]],
    ['notify_submitter_subject', ['x'.repeat(256), false]],
    ['notify_submitter_body', ['x'.repeat(10_001), {}]],
    ['notify_owner_on_submission', ['true', 1, 'on']],
    ['notify_owner_emails', ['', 'a@example.com,', 'a@example.com;b@example.com', ['a@b.co'], 1]],
    ['notify_owner_emails', ['a@example.com,jane', `a@b.co,${' '.repeat(2048)}c@b.co`]],
    ['show_submitted_values', ['false', 0]],
    ['bg_color', ['', '#ab', '#abcde', 'rainbow', 'red;background:url(x)', 1]],
    ['text_color', ['</style>', 'var(--x)', 'rgb(1,2,3)', 'currentcolor', 'constructor']],
    ['link_color', ['expression(1)', ['red'], 'fff', '#ggg', '#fff;', '#fff\n#000', '#ffffffx']],
    ['whitelisted_domains', ['', [], ['x y'], 'example.com/path', 'a.com,,b.com', 1, {}, [1]]],
    ['whitelisted_domains', ['*', '*.', '**.a.com', 'a.com:81', 'a.com?x', 'x'.repeat(280)]],
    ['whitelisted_domains', ['-a.com', 'https://u@a.com', 'https://*.a.com', 'ftp://a.com']],
    ['whitelisted_domains', [`${LONGEST_DOMAINS}a`, [['a.com']]]],
  ])('%s', async (field, refused: unknown[]) => {
    const { identifier } = await owner.makeForm();
    for (const value of refused) {
      const form = { name: 'Contact', [field]: value };
      const blame = refusal(422, 'invalid_fields', `form.${field}`);
      await owner.post(FORMS, { form }).expect(blame);
      await owner.patch(`${FORMS}/${identifier}`, { form }).expect(blame);
    }
  });

  it('all of them at once', async () => {
    const form = { name: '', webhook_url: 'x', bg_color: 'x', notify_submitter: 'x', colour: 'x' };
    const fields = Object.keys(form).map((field) => `form.${field}`);

    await owner.post(FORMS, { form }).expect(refusal(422, 'invalid_fields', ...fields));
  });
});

describe('Null', () => {
  it('is taken where the contract allows it', async () => {
    const nothing = Object.fromEntries(NULLABLE.map((field) => [field, null]));
    expect(await owner.makeForm(nothing)).toMatchObject(nothing);

    const { identifier } = await owner.makeForm(SETTINGS);
    const { body } = await owner.patch(`${FORMS}/${identifier}`, { form: nothing }).expect(200);
    expect(body).toMatchObject(nothing);
    await owner.get(`${FORMS}/${identifier}`).expect(200, body);
  });

  it.each(NOT_NULLABLE)('is refused for %s', async (field) => {
    const { identifier } = await owner.makeForm();
    const form = { name: 'Contact', [field]: null };
    const blame = refusal(422, 'invalid_fields', `form.${field}`);

    await owner.post(FORMS, { form }).expect(blame);
    await owner.patch(`${FORMS}/${identifier}`, { form }).expect(blame);
  });
});

describe.each(['patch', 'put'] as const)('Changing a form by %s', (method) => {
  const change = (identifier: string, form: object) => owner[method](`${FORMS}/${identifier}`, { form });

  it('leaves what is absent', async () => {
    const form = await owner.makeForm(SETTINGS);

    await change(form.identifier, { bg_color: 'red' }).expect(200, { ...form, bg_color: 'red' });
    await change(form.identifier, {}).expect(200, { ...form, bg_color: 'red' });
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, { ...form, bg_color: 'red' });
  });

  it('takes back an edited object from GET, whatever its read-only fields say', async () => {
    const form = await owner.makeForm(SETTINGS);
    const edited = { ...(await owner.read(`${FORMS}/${form.identifier}`)), name: 'Edited' };
    await change(form.identifier, edited).expect(200, { ...form, name: 'Edited' });
    const forged = { ...edited, id: 1, identifier: 'f'.repeat(16), submission_count: 9 };
    await change(form.identifier, forged).expect(200, { ...form, name: 'Edited' });
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, { ...form, name: 'Edited' });
  });

  it('refuses an unknown field by name and changes nothing', async () => {
    const form = await owner.makeForm();

    await change(form.identifier, { name: 'Edited', webhook: 'x' }).expect(
      refusal(422, 'invalid_fields', 'form.webhook'),
    );
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
  });
});

it('Changes of different settings at the same time are all kept', async () => {
  const { identifier } = await owner.makeForm();

  const changes = Object.entries(SETTINGS).map(([field, value]) => ({ [field]: value }));
  await Promise.all(changes.map((form) => owner.patch(`${FORMS}/${identifier}`, { form }).expect(200)));

  expect(await owner.read(`${FORMS}/${identifier}`)).toMatchObject(SETTINGS);
});

it('A deletion among changes at the same time is final', async () => {
  for (let round = 0; round < 5; round++) {
    const { identifier } = await owner.makeForm();
    const path = `${FORMS}/${identifier}`;

    const changes = Array.from({ length: 6 }, () => owner.patch(path, { form: { name: 'x' } }));
    await Promise.all([...changes, owner.delete(path).expect(200)]);

    await owner.get(path).expect(refusal(404, 'form_not_found'));
  }
});
