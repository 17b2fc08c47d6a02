import { isOwnSegment } from '../../src/forms/aliases/old-address.js';
import { AliasesService } from '../../src/forms/aliases/aliases.service.js';
import { templatesOf } from '../support/routes.js';
import { refusal } from '../support/refusal.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { Inbox, send, urlencoded } from '../support/submit.js';
import { until } from '../support/until.js';

const service = useService();
let inbox: Inbox;
let made = 0;
/** Returns an id that no test has used. */
const fresh = () => `xpz${String(++made).padStart(5, '0')}`;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

const ONE = urlencoded([['email', 'jane@example.com']]);

const pathOf = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/aliases` as const;
const add = (caller: Caller, form: FormBody, value: string, provider = 'formspree') =>
  caller.post(pathOf(form), { alias: { provider, value } });
const listOf = async (caller: Caller, form: FormBody) => (await caller.read(pathOf(form))).aliases;
const submitTo = (value: string) => send(`${service().url}/f/${value}`, ONE);

describe('An alias', () => {
  it('leads to its form, under exactly these keys', async () => {
    const value = fresh();
    const { body } = await add(inbox.owner, inbox.form, value).expect(201);
    const alias = { id: expect.any(Number), ...{ provider: 'formspree', value, last_used_at: null, last_page: null } };
    expect(body).toEqual({ alias });
    expect(await listOf(inbox.owner, inbox.form)).toEqual([alias]);

    expect(await submitTo(value)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await inbox.count()).toBe(1);
    const page = await fetch(`${service().url}/f/${value}`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(200);
  });

  it('says when it was last used, and from which page', async () => {
    const value = fresh();
    await add(inbox.owner, inbox.form, value).expect(201);
    await send(`${service().url}/f/${value}`, {
      ...urlencoded([
        ['email', 'jane@example.com'],
        ['_page', 'https://shop.example/contact?utm_source=mail#form'],
      ]),
      headers: { Origin: 'https://shop.example' },
    });

    let [alias] = await listOf(inbox.owner, inbox.form);
    await until(async () => {
      [alias] = await listOf(inbox.owner, inbox.form);
      return alias?.last_used_at !== null;
    });
    expect(alias?.last_page).toBe('https://shop.example/contact?utm_source=mail');
    expect(Date.parse(String(alias?.last_used_at))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('that is unknown gets 404, with help for the owner in a browser', async () => {
    const value = fresh();
    const answer = await submitTo(value);
    expect(answer).toMatchObject({ status: 404, body: { error: 'Form not found.' } });

    const page = await send(`${service().url}/f/${value}`, { ...ONE, headers: { Accept: 'text/html' } });
    expect(page.status).toBe(404);
    expect(page.text).toContain('If the page comes from another provider');
  });

  it('leads nowhere once it is removed, and still is nobody else’s', async () => {
    const value = fresh();
    const { body } = await add(inbox.owner, inbox.form, value).expect(201);
    const { id } = body.alias;
    await inbox.owner.delete(`${pathOf(inbox.form)}/${id}`).expect(200);

    expect((await submitTo(value)).status).toBe(404);
    const other = await Inbox.open(service());
    const { body: refused } = await add(other.owner, other.form, value).expect(409);
    expect(JSON.stringify(refused)).not.toContain(inbox.form.name);
    await add(inbox.owner, inbox.form, value).expect(201);
    expect((await submitTo(value)).status).toBe(200);
  });

  it('of a deleted form is its account’s alone', async () => {
    const value = fresh();
    await add(inbox.owner, inbox.form, value).expect(201);
    await inbox.owner.delete(`/api/v1/forms/${inbox.form.identifier}`).expect(200);

    expect((await submitTo(value)).status).toBe(404);
    const other = await Inbox.open(service());
    await add(other.owner, other.form, value).expect(409);
    const next = await inbox.owner.makeForm();
    await add(inbox.owner, next, value).expect(201);
    expect((await submitTo(value)).status).toBe(200);
    expect(await service().app.get(AliasesService).free(value)).toBe(true);
    await add(other.owner, other.form, value).expect(201);
  });

  it('leads to one form', async () => {
    const value = fresh();
    const second = await inbox.owner.makeForm({ name: 'Second' });
    const answers = await Promise.all([add(inbox.owner, inbox.form, value), add(inbox.owner, second, value)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await add(inbox.owner, inbox.form, value, 'basin');
    const first = await listOf(inbox.owner, inbox.form);
    expect([...first, ...(await listOf(inbox.owner, second))]).toHaveLength(1);
  });

  it('is no identifier of a form, be it of another account or deleted', async () => {
    const other = await Inbox.open(service());
    await add(inbox.owner, inbox.form, other.form.identifier, 'formbackend').expect(409);
    await other.owner.delete(`/api/v1/forms/${other.form.identifier}`).expect(200);
    await add(inbox.owner, inbox.form, other.form.identifier, 'formbackend').expect(409);
  });

  it.each([
    ['formspark', 'inbox'],
    ['formspark', 'Forms'],
    ['formspark', 'a/b'],
    ['formspree', 'https://formspree.io/f/xpzvnqkd'],
    ['formspree', '../../inbox'],
    ['formsubmit', 'jane@example.com/x?y'],
    ['web3forms', 'a b'],
    ['netlify', 'contact'],
  ])('of %s is not %s', async (provider, value) => {
    const { body } = await add(inbox.owner, inbox.form, value, provider).expect(422);
    expect(body).toMatchObject({ errors: [{ field: 'alias.value', code: 'alias_malformed' }] });
  });

  it('is refused with a name for each field at fault', async () => {
    await inbox.owner
      .post(pathOf(inbox.form), { alias: { provider: 'wufoo', value: '' } })
      .expect(refusal(422, 'invalid_fields', 'alias.provider', 'alias.value'));
  });

  it('never stands before an address of our own', () => {
    const firsts = templatesOf(service().app).map(({ path }) => path.split('/')[1] ?? '');
    const free = firsts.filter((part) => part !== '' && !isOwnSegment(part));
    expect([...new Set(free)]).toEqual([]);
  });
});
