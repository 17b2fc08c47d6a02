import { makeForm } from '../support/make.js';
import { refusal } from '../support/refusal.js';
import { useService, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';

const service = useService();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

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
const NOT_NULLABLE = [
  'name',
  'submission_text',
  'notify_owner_on_submission',
  'show_submitted_values',
];

it('Every setting can be sent on creation and is kept as it was sent', async () => {
  const form = await makeForm(owner, SETTINGS);

  expect(form).toMatchObject(SETTINGS);
  await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
});

it('Every setting can be changed afterwards, and is kept', async () => {
  const { identifier } = await makeForm(owner);

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
  ['notify_submitter_from', ' Jane@Example.COM ', 'Jane@example.com'],
  ['notify_submitter', false, false],
  ['notify_submitter_from_name', '', ''],
  ['webhook_url', ' https://example.com ', 'https://example.com'],
  ['bg_color', '#abc', '#abc'],
  ['bg_color', '#abcd', '#abcd'],
  ['text_color', '#aabbcc', '#aabbcc'],
  ['text_color', '#aabbccdd', '#aabbccdd'],
  ['link_color', ' tomato ', 'tomato'],
  ['whitelisted_domains', ' Example.com , *.example.com', 'example.com,*.example.com'],
  ['whitelisted_domains', ['example.com', 'http://localhost'], 'example.com,http://localhost'],
])('A setting is brought into its normal form %s: %.60j', async (field, sent, kept) => {
  const { identifier, ...form } = await makeForm(owner, { [field]: sent });

  expect(form[field]).toBe(kept);
  expect(await owner.read(`${FORMS}/${identifier}`)).toMatchObject({ [field]: kept });
});

describe('A setting that breaks its rule is refused by name', () => {
  it.each([
    ['name', ['', '   ', 'x'.repeat(256), '🎉'.repeat(256), 1, true, ['x'], {}]],
    ['submission_text', ['x'.repeat(10_001), 1, ['x'], {}]],
    ['webhook_url', ['', 'example.com', 'ftp://example.com', 'https://u:p@example.com', 1, {}]],
    ['redirect_url', ['/thanks', 'javascript:alert(1)', `https://a.b/${'x'.repeat(2048)}`, []]],
    ['notify_submitter', ['true', 1, 0, '', []]],
    ['notify_submitter_from', ['', 'jane', 'a@example.com,b@example.com', 1, ['a@example.com']]],
    ['notify_submitter_from_name', ['x'.repeat(256), 1]],
    ['notify_submitter_subject', ['x'.repeat(256), false]],
    ['notify_submitter_body', ['x'.repeat(10_001), {}]],
    ['notify_owner_on_submission', ['true', 1, 'on']],
    ['notify_owner_emails', ['', 'a@example.com,', 'a@example.com;b@example.com', ['a@b.co'], 1]],
    ['show_submitted_values', ['false', 0]],
    ['bg_color', ['', '#ab', '#abcde', 'rainbow', 'red;background:url(x)', 1]],
    ['text_color', ['</style>', 'var(--x)']],
    ['link_color', ['expression(1)', ['red']]],
    ['whitelisted_domains', ['', [], ['x y'], 'example.com/path', 'a.com,,b.com', 1, {}, [1]]],
  ])('%s', async (field, refused: unknown[]) => {
    const { identifier } = await makeForm(owner);
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
    expect(await makeForm(owner, nothing)).toMatchObject(nothing);

    const { identifier } = await makeForm(owner, SETTINGS);
    const { body } = await owner.patch(`${FORMS}/${identifier}`, { form: nothing }).expect(200);
    expect(body).toMatchObject(nothing);
    await owner.get(`${FORMS}/${identifier}`).expect(200, body);
  });

  it.each(NOT_NULLABLE)('is refused for %s', async (field) => {
    const { identifier } = await makeForm(owner);
    const form = { name: 'Contact', [field]: null };
    const blame = refusal(422, 'invalid_fields', `form.${field}`);

    await owner.post(FORMS, { form }).expect(blame);
    await owner.patch(`${FORMS}/${identifier}`, { form }).expect(blame);
  });
});

describe.each(['patch', 'put'] as const)('Changing a form by %s', (method) => {
  const change = (identifier: string, form: object) =>
    owner[method](`${FORMS}/${identifier}`, { form });

  it('leaves what is absent', async () => {
    const form = await makeForm(owner, SETTINGS);

    await change(form.identifier, { bg_color: 'red' }).expect(200, { ...form, bg_color: 'red' });
    await change(form.identifier, {}).expect(200, { ...form, bg_color: 'red' });
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, { ...form, bg_color: 'red' });
  });

  it('takes back an edited object from GET, whatever its read-only fields say', async () => {
    const form = await makeForm(owner, SETTINGS);
    const edited = { ...(await owner.read(`${FORMS}/${form.identifier}`)), name: 'Edited' };
    await change(form.identifier, edited).expect(200, { ...form, name: 'Edited' });
    const forged = { ...edited, id: 1, identifier: 'f'.repeat(16), submission_count: 9 };
    await change(form.identifier, forged).expect(200, { ...form, name: 'Edited' });
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, { ...form, name: 'Edited' });
  });

  it('refuses an unknown field by name and changes nothing', async () => {
    const form = await makeForm(owner);

    await change(form.identifier, { name: 'Edited', webhook: 'x' }).expect(
      refusal(422, 'invalid_fields', 'form.webhook'),
    );
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
  });
});

it('Changes of different settings at the same time are all kept', async () => {
  const { identifier } = await makeForm(owner);

  const changes = Object.entries(SETTINGS).map(([field, value]) => ({ [field]: value }));
  await Promise.all(
    changes.map((form) => owner.patch(`${FORMS}/${identifier}`, { form }).expect(200)),
  );

  expect(await owner.read(`${FORMS}/${identifier}`)).toMatchObject(SETTINGS);
});

it('A deletion among changes at the same time is final', async () => {
  for (let round = 0; round < 5; round++) {
    const { identifier } = await makeForm(owner);
    const path = `${FORMS}/${identifier}`;

    const changes = Array.from({ length: 6 }, () => owner.patch(path, { form: { name: 'x' } }));
    await Promise.all([...changes, owner.delete(path).expect(200)]);

    await owner.get(path).expect(refusal(404, 'form_not_found'));
  }
});
