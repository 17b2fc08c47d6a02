import type { Schemas } from '../../build/api.js';
import { makeClients, makeForms } from '../support/crowd.js';
import { ReadCounter } from '../support/reads.js';
import { useService, useOwner, useSignedIn, type FormBody, type Caller } from '../support/service.js';

/** Forms of the account of an agency. */
const MANY = 2_000;
/** Statements that one page may send, whatever it is sorted and filtered by. */
const STATEMENTS_MAX = 120;

const service = useService({ WORKERS: 'off' });

type FleetBody = Schemas['FleetDto'];

type ChangesBody = Schemas['FleetChangesDto'];

const fleet = async (caller: Caller, query = ''): Promise<FleetBody['forms']> =>
  (await caller.read(`/api/v1/fleet${query}`)).forms;

/** Counts what came, as the background does. */
const count = () => service().upkeep();

const names = async (caller: Caller, query: string) => (await fleet(caller, query)).map(({ name }) => name);

async function change(
  caller: Caller,
  forms: readonly FormBody[],
  settings: object,
  preview = false,
): Promise<ChangesBody> {
  const identifiers = forms.map(({ identifier }) => identifier);
  const asked = { change: { forms: identifiers, settings, preview } };
  return (await caller.post('/api/v1/fleet/changes', asked).expect(200)).body;
}

const stateOf = ({ forms }: ChangesBody) => forms.map(({ state, code }) => code ?? state);
let bakery: FormBody;
let joiner: FormBody;
let others: FormBody;
let clientId: number;

const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  const mails = { notify_owner_emails: null };
  bakery = await owner.makeForm({ name: 'Bakery', ...mails });
  joiner = await owner.makeForm({ name: 'Joiner', notify_owner_on_submission: false });
  others = await (await service().openAccount('Other')).makeForm({ name: 'Foreign' });
  clientId = await owner.makeClient({ name: 'Miller', form_ids: [bakery.id] });
});

describe('The fleet', () => {
  it('says of each form how it fares', async () => {
    await service().submit(bakery, { text: 'Hello' });
    await service().submit(bakery, { text: 'Hello', _gotcha: 'x' });
    await owner.put(`/api/v1/forms/${joiner.identifier}/intake`, { intake: { paused: true } }).expect(200);

    await count();
    const [first, second] = await fleet(owner);
    expect(first).toMatchObject({
      ...{ id: bakery.id, name: 'Bakery', submission_count: 1 },
      clients: [{ id: clientId, name: 'Miller' }],
      last_submission_at: expect.any(String),
      last_30_days: { submissions: 1, spam: 1 },
      spam_share: 0.5,
      watch: { state: 'learning' },
      ...{ takes_submissions: true, closed_because: null },
    });
    expect(second).toMatchObject({
      ...{ name: 'Joiner', clients: [], last_submission_at: null },
      last_30_days: { submissions: 0, spam: 0 },
      ...{ spam_share: 0, takes_submissions: false, closed_because: 'form_paused' },
    });
    expect(second?.warnings.map(({ code }) => code)).toEqual(['nobody_is_told']);
  });

  it('is filtered by name, by client and by problems, and sorted by each column', async () => {
    await owner.patch(`/api/v1/forms/${bakery.identifier}`, {
      form: { webhook_url: 'https://example.com/', notify_owner_on_submission: false },
    });
    await service().submit(joiner, { text: 'Hello' });
    await count();

    expect(await names(owner, '?q=bak')).toEqual(['Bakery']);
    expect(await names(owner, `?client_id=${clientId}`)).toEqual(['Bakery']);
    expect(await names(owner, '?problems=true')).toEqual(['Joiner']);
    // Neither a missing mail server nor a pause is a problem of the form.
    await owner.patch(`/api/v1/forms/${bakery.identifier}`, { form: { notify_owner_on_submission: true } });
    await owner.put(`/api/v1/forms/${bakery.identifier}/intake`, { intake: { paused: true } }).expect(200);
    expect(await names(owner, '?problems=true')).toEqual(['Joiner']);
    for (const column of ['submissions', 'recent', 'latest', '-name', '-client', '-created']) {
      expect({ column, names: await names(owner, `?sort=${column}`) }).toEqual({
        ...{ column, names: ['Joiner', 'Bakery'] },
      });
    }
    await owner.get('/api/v1/fleet?sort=secret').expect(422);
  });

  it('goes on page by page', async () => {
    const { body, headers } = await owner.get('/api/v1/fleet?per_page=1&sort=name').expect(200);

    expect(body.forms.map(({ name }) => name)).toEqual(['Bakery']);
    expect((headers as Record<string, string>)['x-total-count']).toBe('2');
    expect((headers as Record<string, string>).link).toContain('page=2&per_page=1&sort=name');
    expect(await names(owner, '?per_page=1&sort=name&page=2')).toEqual(['Joiner']);
  });

  it('shows a client its own forms, without other clients and without their warnings', async () => {
    const client = service().as(await owner.makeClientToken(clientId));
    const other = await owner.makeClient({ form_ids: [joiner.id] });

    const shown = await fleet(client, `?client_id=${other}`);
    expect(shown.map(({ name }) => name)).toEqual(['Bakery']);
    expect(shown[0]).toMatchObject({ clients: [], warnings: [] });
  });

  it('keeps what submissions say from who may not see them', async () => {
    const { token } = await owner.makeToken({ rights: ['forms:read'] });

    const [first] = await fleet(service().as(token), '?sort=latest');
    expect(first).toMatchObject({ clients: [], last_submission_at: null });
    expect(first).toMatchObject({ last_30_days: null, spam_share: null });
  });
});

describe('A change of many forms', () => {
  it('is previewed form by form, and changes nothing before it is applied', async () => {
    const settings = { notify_owner_on_submission: true, retention_days: 30, paused: true };

    const seen = await change(owner, [bakery, joiner, others], settings, true);
    expect(seen).toMatchObject({ preview: true, changed: 2, unchanged: 0, refused: 1 });
    expect(seen.forms[0]?.differences).toEqual([
      { setting: 'retention_days', before: null, after: 30 },
      { setting: 'paused', before: false, after: true },
    ]);
    expect(stateOf(seen)).toEqual(['changed', 'changed', 'form_not_found']);
    const get = (path: string) => owner.get(`/api/v1/forms/${joiner.identifier}${path}`);
    expect((await get('').expect(200)).body).toMatchObject({ notify_owner_on_submission: false });

    expect(await change(owner, [bakery, joiner, others], settings)).toEqual({ ...seen, preview: false });
    expect((await get('').expect(200)).body).toMatchObject({ notify_owner_on_submission: true });
    expect((await get('/retention').expect(200)).body).toEqual({ days: 30 });
    expect((await get('/intake').expect(200)).body).toMatchObject({ intake: { paused: true } });
    const again = await change(owner, [bakery, joiner], settings);
    expect(again).toMatchObject({ changed: 0, unchanged: 2 });
  });

  it('is in the audit log of each form, and asks new recipients', async () => {
    await change(owner, [bakery, joiner], { notify_owner_emails: 'team@example.com' });

    const { entries } = await owner.read('/api/v1/audit?action=form.changed');
    expect(entries.map(({ target }) => target.id).sort()).toEqual([bakery.identifier, joiner.identifier].sort());
    expect(entries[0]?.details).toEqual({ settings: 'notify_owner_emails' });
    const recipients = await owner.get(`/api/v1/forms/${bakery.identifier}/recipients`).expect(200);
    expect(JSON.stringify(recipients.body)).toContain('team@example.com');
  });

  it('grants forms to a client and withdraws them, besides those that it has', async () => {
    const seen = async () =>
      (
        (await owner.get(`/api/v1/clients/${clientId}`).expect(200)).body as { forms: { id: number }[] }[]
      )[0]?.forms.map(({ id }) => id);

    expect(stateOf(await change(owner, [bakery, joiner], { grant_to: clientId }))).toEqual(['unchanged', 'changed']);
    expect(await seen()).toEqual([bakery.id, joiner.id]);
    await change(owner, [bakery], { withdraw_from: clientId });
    expect(await seen()).toEqual([joiner.id]);
    expect((await owner.read('/api/v1/audit?action=client.forms_changed')).entries).toHaveLength(2);
    const asked = { forms: [bakery.identifier], settings: { grant_to: 999_999 } };
    await owner.post('/api/v1/fleet/changes', { change: asked }).expect(404);
  });

  it('refuses a webhook that leads inside, and names the forms that have it already', async () => {
    const settings = { webhook_url: 'http://10.0.0.1/', submission_text: 'Thanks' };

    expect(stateOf(await change(owner, [bakery, joiner], settings, true))).toEqual([
      'private_address',
      'private_address',
    ]);
    expect(stateOf(await change(owner, [bakery], settings))).toEqual(['private_address']);
    const { body } = await owner.get(`/api/v1/forms/${bakery.identifier}`).expect(200);
    expect(body).toMatchObject({ webhook_url: null });
  });

  it('checks settings as the change of one form does, and takes no name and no more than 500', async () => {
    const ask = (forms: string[], settings: object) =>
      owner.post('/api/v1/fleet/changes', { change: { forms, settings } });

    const { body } = await ask([bakery.identifier], { notify_owner_emails: 'nobody' }).expect(422);
    expect(JSON.stringify(body)).toContain('change.settings.notify_owner_emails');
    await ask([bakery.identifier], { name: 'One for all' }).expect(422);
    await ask([], { paused: true }).expect(422);
    const many = Array.from({ length: 501 }, () => bakery.identifier);
    await ask(many, { paused: true }).expect(422);
  });

  it('lets a client change the forms that it made, and no other', async () => {
    await owner.patch(`/api/v1/clients/${clientId}`, { client: { can_create_forms: true } });
    const client = service().as(await owner.makeClientToken(clientId));
    const own = await client.makeForm({ name: 'Own' });

    const done = await change(client, [bakery, joiner, own], { paused: true });
    expect(stateOf(done)).toEqual(['form_not_own', 'form_not_found', 'changed']);
    const grant = { forms: [own.identifier], settings: { grant_to: clientId } };
    await client.post('/api/v1/fleet/changes', { change: grant }).expect(404);
  });
});

describe('The pages of a change', () => {
  it('lead from the list over the differences to the result', async () => {
    expect((await jane.get('/forms')).text).toContain(`name="form" value="${bakery.identifier}"`);
    expect((await jane.get('/change-forms?all=true&q=bakery')).text).toContain('Change one form');
    const sent = {
      'change.forms': `${bakery.identifier},${joiner.identifier}`,
      'change.settings.redirect_url': 'https://example.com/thanks',
      'change.settings.paused': 'false',
    };

    const preview = await jane.post('/change-forms', sent);
    expect(preview.text).toContain('2 will change');
    expect(preview.text).toContain('https://example.com/thanks');
    const edited = await jane.post('/change-forms', { ...sent, edit: 'true' });
    expect(edited.text).toContain('value="https://example.com/thanks"');
    const result = await jane.post('/change-forms', { ...sent, apply: 'true' });
    expect(result.text).toContain('2 changed · 0 stayed as they were · 0 did not change');
    const cleared = { 'change.forms': bakery.identifier, 'clear.redirect_url': 'true' };
    await jane.post('/change-forms', { ...cleared, apply: 'true' });
    const { body } = await owner.get(`/api/v1/forms/${bakery.identifier}`).expect(200);
    expect(body).toMatchObject({ redirect_url: null });
  });

  it('say which field is wrong, and that nothing was chosen', async () => {
    const forms = { 'change.forms': bakery.identifier };
    const wrong = await jane.post('/change-forms', { ...forms, 'change.settings.webhook_url': 'nowhere' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('value="nowhere"');
    const nothing = await jane.post('/change-forms', forms);
    expect(nothing.status).toBe(422);
    expect(nothing.text).toContain('Choose at least one setting to change.');
    expect((await jane.get('/change-forms')).text).toContain('No forms selected');
  });

  it('offer clients only to who may grant', async () => {
    const editor = await service().makeBrowser(owner, { clientId: null, role: 'editor' });

    const path = `/change-forms?form=${bakery.identifier}`;
    expect((await editor.get(path)).text).not.toContain('grant_to');
    expect((await jane.get(path)).text).toContain('grant_to');
    const refused = await editor.post('/change-forms', {
      'change.forms': bakery.identifier,
      'change.settings.grant_to': String(clientId),
      apply: 'true',
    });
    expect(refused.status).toBe(403);
  });
});

describe('The fleet of an agency', () => {
  let agency: Caller;
  beforeAll(async () => {
    agency = await service().openAccount();
    const { forms } = await makeForms(service(), agency, MANY);
    await makeClients(service(), agency, forms, 50);
  });

  it.each(['', '?sort=name', '?sort=client', '?sort=spam', '?problems=true', '?sort=latest'])(
    'sends few statements for %s',
    async (query) => {
      const sent = await new ReadCounter(service()).during(async () => {
        expect(await fleet(agency, query)).toHaveLength(100);
      });
      expect(sent.length).toBeLessThan(STATEMENTS_MAX);
    },
  );
});
