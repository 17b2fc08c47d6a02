import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '../../src/accounts/audit/audit-actions.js';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { BouncesService } from '../../src/deliveries/bounces/bounces.service.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { Browser } from '../support/people.js';
import { API_ROUTES } from '../support/caller.js';
import { useService, useOwner, type FormBody, type Caller, type Method } from '../support/service.js';
import { send, urlencoded } from '../support/submit.js';

const AUDIT = '/api/v1/audit';
const NEW_DESTINATION = { destination: { name: 'A', kind: 'email', settings: { to: 'a@example.com' } } };

const service = useService({ WORKERS: 'off', HOSTS: '*' });
let form: FormBody;
let client: number;
const owner = useOwner(service, 'Studio Nord');
beforeEach(async () => {
  form = await owner.makeForm({ webhook_url: 'https://example.com/?key=hush' });
  client = await owner.makeClient({ form_ids: [form.id] });
});

/** Adds a destination to the form, or to all forms. Returns its id. */
const destination = async (above = `/api/v1/forms/${form.identifier}`): Promise<string> =>
  (await owner.create(`${above}/destinations`, NEW_DESTINATION)).destination.id;

/** Adds a webhook besides that of the form. Returns its id. */
const webhook = async (): Promise<string> => {
  const path = `/api/v1/forms/${form.identifier}/destinations` as const;
  const settings = { url: 'https://example.com/' };
  const destination = { name: 'Hook', kind: 'webhook', settings };
  return (await owner.create(path, { destination })).destination.id;
};

/** Adds a destination that is paused, and has something sent there. Returns its id. */
async function failing(): Promise<string> {
  const id = await destination();
  const path = `/api/v1/forms/${form.identifier}/destinations/${id}` as const;
  await owner.patch(path, { destination: { paused: true } }).expect(200);
  await service().deliver(form);
  return id;
}

const entriesOf = async (caller: Caller, query = '') => (await caller.read(`${AUDIT}?${query}`)).entries;

const submission = () => service().submitFile(form, 'a file');

/** Checks the audit entry of each route that changes something. */
describe('Every change through the API', () => {
  const forms = () => `/api/v1/forms/${form.identifier}` as const;
  const clients = () => `/api/v1/clients/${client}` as const;
  const ofRole = async (standing: Standing) => (await service().makePerson(owner, standing)).id;
  const viewer = () => ofRole({ clientId: null, role: 'viewer' });
  const ofClient = () => ofRole({ clientId: client, actions: ['see'] });
  const filledIn = async () => {
    await send(`${service().url}/f/${form.identifier}`, urlencoded([['name', 'Zoë']]));
  };
  const invite = async () => {
    const person = { email: 'jo@example.com', name: 'Jo', role: 'viewer', send: false };
    return (await owner.create('/api/v1/people', { person })).id;
  };
  /** Claims a host whose proof is there. */
  const host = async () => {
    const { HostsService } = await import('../../src/clients/hosts/hosts.service.js');
    jest.spyOn(service().app.get(HostsService), 'search').mockResolvedValue(null);
    await owner.put(`${clients()}/host`, { host: { name: `c${client}.example.com` } }).expect(200);
  };
  const clientToken = async () => {
    await owner.makeClientToken(client);
    return (await owner.read(`${clients()}/tokens`)).tokens[0]?.id ?? 0;
  };
  const failed = async () => {
    await submission();
    const { Delivery } = await import('../../src/deliveries/model/delivery.entity.js');
    const failure = { state: 'failed' as const, settledAt: new Date() };
    const deliveries = service().repository(Delivery);
    await deliveries.update({ formId: form.id }, failure);
  };
  const bounced = async () => {
    const sent = await owner.deliveriesOf(form, await submission());
    const deliveryId = parseUuid(sent.find(({ kind }) => kind === 'owner_email')?.id ?? '');
    if (!deliveryId) throw new Error('no email');
    const reason = { kind: 'permanent', code: 550, reason: '550 5.1.1 gone' } as const;
    const bounce = { deliveryId, recipients: [ANN], ...reason };
    await service().app.get(BouncesService).take([bounce]);
  };
  const ofAll = () => destination('/api/v1');
  const ANN = 'ann@example.com';
  const KIM = { recipients: ['kim@example.com'] };
  const ALIAS = { provider: 'basin', value: 'audited' };
  const CONTENT = '<form method=post><button>Send</button></form>';
  const NEW_PERSON = { person: { email: 'x@example.com', name: 'x', send: false } };
  const EXPORTED = { fields: ['email'], submissions: [{ _date: '2020-01-02T03:04:05', email: 'a@b.example' }] };
  /** Bodies of which a part is made for each test. */
  const [OF_MEMBER, CHANGE] = [{ to: '' }, { forms: [''], settings: { bg_color: '#fff' } }];
  const member = async () => {
    OF_MEMBER.to = (await service().makePerson(owner)).email;
  };
  /** Action of each route, its body, and what makes the ids that it names behind the form or client. */
  type Case = [action: string, body?: object, prepare?: () => PromiseLike<unknown>];
  /** Changes of destinations, whether of a form or of the account. */
  const OF_DESTINATIONS: Record<string, Case> = {
    'post /destinations': ['destination.created', NEW_DESTINATION],
    'patch /destinations/{id}': ['destination.changed', { destination: { name: 'B' } }, () => destination()],
    'delete /destinations/{id}': ['destination.deleted', undefined, () => destination()],
    'post /destinations/{id}/test': ['destination.tested', undefined, () => destination()],
    'post /destinations/{id}/retry': ['deliveries.retried', undefined, failing],
    'post /destinations/{id}/secret': ['destination.secret_renewed', undefined, webhook],
  };
  const OF_FORMS: Record<string, Case> = {
    'patch ': ['form.changed', { form: { name: 'x' } }],
    'put ': ['form.changed', { form: { name: 'x' } }],
    'delete ': ['form.deleted'],
    'put /retention': ['form.changed', { days: 9 }],
    'put /statuses': ['form.changed', { statuses: 'won,lost' }],
    'put /language': ['form.changed', { language: 'de' }],
    'put /translations': ['form.changed', { translations: { de: { submission_text: 'Danke' } } }],
    'put /page': ['form.changed', { page: { enabled: true } }],
    'put /spam': ['form.changed', { spam: { held_at: 6 } }],
    'put /spam/lists': ['form.changed', { lists: { block: 'hush' } }],
    'put /fields': ['form.changed', { fields: [{ name: 'a', kind: 'email' }] }],
    'put /visitor-mail/attachment': ['form.changed', { attachment: { name: 'a.pdf', content: 'YQ==' } }],
    'delete /visitor-mail/attachment': ['form.changed'],
    'put /intake': ['form.changed', { intake: { paused: true } }],
    'post /aliases': ['form.changed', { alias: ALIAS }],
    'delete /aliases/{aliasId}': [
      'form.changed',
      undefined,
      async () => {
        const alias = { ...ALIAS, value: 'audited-too' };
        return (await owner.post(`${forms()}/aliases`, { alias })).body.alias.id;
      },
    ],
    'put /watch': ['form.changed', { watch: { level: 'quiet' } }],
    'put /canary': ['form.changed', { canary: { schedule: 'daily' } }],
    'post /canary/run': ['canary.run'],
    'put /dialect': ['form.changed', { dialect: 'basin' }],
    'post /origins': [
      'form.changed',
      { domain: 'shop.example.com' },
      () => owner.patch(forms(), { form: { whitelisted_domains: 'example.com' } }),
    ],
    'post /recipients/failing/try': [
      'recipient.tried_again',
      { email: ANN },
      async () => {
        await owner.patch(forms(), { form: { notify_owner_emails: ANN } });
        await bounced();
      },
    ],
    'post /imports?provider=formspree': ['import.started', EXPORTED],
    'delete /imports/{id}': [
      'import.undone',
      undefined,
      async () => {
        const path = `${forms()}/imports?provider=formspree` as const;
        return (await owner.post(path, EXPORTED).expect(202)).body.import.id;
      },
    ],
    ...OF_DESTINATIONS,
    'put /destinations/{id}/exclusion': ['destination.excluded', undefined, ofAll],
    'delete /destinations/{id}/exclusion': ['destination.included', undefined, ofAll],
    'patch /webhook': ['destination.changed', { webhook: { enabled: false } }],
    'post /webhook/secret': ['destination.secret_renewed'],
    'post /webhook/test': ['destination.tested'],
    'delete /submissions?field=name&value=Zo%C3%AB': ['submissions.erased', undefined, filledIn],
    'post /submissions/erase': ['submissions.erased', { field: 'name', value: 'Zoë' }, filledIn],
    'delete /submissions/{id}': ['submission.erased', undefined, submission],
    'post /submissions/{id}/deliveries/{deliveryId}/attempts': [
      'delivery.retried',
      undefined,
      async () => {
        const id = await submission();
        return [id, (await owner.deliveriesOf(form, id))[0]?.id];
      },
    ],
    'post /redeliveries': ['deliveries.retried', { state: 'failed' }, failed],
    'delete /deliveries?state=failed': ['deliveries.discarded', undefined, failed],
    'post /submissions/rejudge': ['job.created', {}],
    'post /exports': ['submissions.exported', { format: 'csv' }],
  };
  const OF_CLIENTS: Record<string, Case> = {
    'patch ': ['client.changed', { client: { name: 'x' } }],
    'put /brand': ['client.changed', { brand: { name: 'x' } }],
    'put /sender': ['client.changed', { sender: { from: 'x@example.com' } }],
    'post /sender/test': ['mail.tested', OF_MEMBER, member],
    'put /report/mail': ['client.changed', { report_mail: KIM }],
    'post /report/mail/send': [
      'report.sent',
      {},
      () => owner.put(`${clients()}/report/mail`, { report_mail: KIM }).expect(200),
    ],
    'put /form-defaults': ['client.changed', { form_defaults: { bg_color: '#fff' } }],
    'post /forms': ['form.created', { form: { name: 'x' } }],
    'delete ': ['client.deleted'],
    'put /host': ['client.changed', { host: { name: 'forms.example.com' } }],
    'post /host/verify': ['client.changed', undefined, host],
    'delete /host': ['client.changed', undefined, host],
    'post /tokens': ['token.issued', { token: { name: 'x' } }],
    'delete /tokens/{tokenId}': ['token.revoked', undefined, clientToken],
    'post /people': ['person.invited', NEW_PERSON],
    'patch /people/{personId}': ['person.changed', { person: { actions: ['export'] } }, ofClient],
    'delete /people/{personId}': ['person.removed', undefined, ofClient],
    'delete /people/{personId}/sessions': ['person.sessions_ended', undefined, ofClient],
  };
  const OTHERS: Record<string, Case> = {
    'post /forms': ['form.created', { form: { name: 'x' } }],
    'put /forms': ['form.created', { form: { name: 'ensured' } }],
    'post /moves': ['form.created', { move: { kind: 'page', content: CONTENT } }],
    ...OF_DESTINATIONS,
    'post /visitors/erase': ['submissions.erased', { email: 'jane@example.com' }, submission],
    'delete /jobs/{id}': [
      'job.stopped',
      undefined,
      async () => {
        const task = { q: '', changes: { done: true } };
        return (await owner.post('/api/v1/submissions/bulk', task).expect(202)).body.id;
      },
    ],
    'post /fleet/changes': [
      'form.changed',
      { change: CHANGE },
      () => Promise.resolve((CHANGE.forms = [form.identifier])),
    ],
    'post /clients': ['client.created', { client: { name: 'x', email: 'x@example.com' } }],
    'put /weekly-mail': ['account.changed', { weekly_mail: KIM }],
    'post /weekly-mail/send': [
      'weekly_mail.sent',
      {},
      () => owner.put('/api/v1/weekly-mail', { weekly_mail: KIM }).expect(200),
    ],
    'post /tokens': ['token.issued', { token: { name: 'x' } }],
    'delete /tokens/{id}': ['token.revoked', undefined, async () => (await owner.makeToken()).id],
    'post /people': ['person.invited', { person: { ...NEW_PERSON.person, role: 'viewer' } }],
    'patch /people/{id}': ['person.changed', { person: { role: 'editor' } }, viewer],
    'delete /people/{id}': ['person.removed', undefined, viewer],
    'delete /people/{id}/sessions': ['person.sessions_ended', undefined, viewer],
    'delete /people/{id}/identities/{identity}': [
      'identity.unlinked',
      undefined,
      async () => {
        const id = await viewer();
        return [id, await service().makeIdentity(id)];
      },
    ],
    'post /invitations/{id}/resend': ['person.invited', { send: false }, invite],
    'delete /invitations/{id}': ['invitation.withdrawn', undefined, invite],
    'patch /account/brand': ['account.changed', { brand: { colour: 'teal' } }],
    'delete /account/spam-learning': ['account.spam_learning_reset'],
    'patch /account': ['account.changed', { account: { name: 'x' } }],
  };
  const CASES = Object.entries({ '/forms/{identifier}': OF_FORMS, '/clients/{id}': OF_CLIENTS, '': OTHERS }).flatMap(
    ([above, cases]) =>
      Object.entries(cases).map(([key, [action, body, prepare]]) => ({
        ...{ route: key.replace(' ', ` /api/v1${above}`), action, body, prepare },
      })),
  );
  /** Reads by POST, what the submission itself shows (marks, assignee, tags, notes, edits), filters under names, and mails that only ask. */
  const LEFT_OUT = [
    'post /api/v1/forms/{identifier}',
    'post /api/v1/forms/{identifier}/submissions',
    'post /api/v1/forms/{identifier}/value_exists',
    'post /api/v1/forms/{identifier}/imports/preview',
    'patch /api/v1/forms/{identifier}/submissions/{id}',
    'patch /api/v1/forms/{identifier}/submissions/{id}/marks',
    'put /api/v1/forms/{identifier}/submissions/{id}/tags',
    'post /api/v1/forms/{identifier}/submissions/{id}/confirm',
    'post /api/v1/forms/{identifier}/submissions/{id}/repeats/{repeat}/separate',
    'patch /api/v1/forms/{identifier}/submissions/{id}/values',
    'post /api/v1/forms/{identifier}/submissions/{id}/notes',
    'delete /api/v1/forms/{identifier}/submissions/{id}/notes/{noteId}',
    'post /api/v1/forms/{identifier}/submissions/{id}/notes/{noteId}/restore',
    'put /api/v1/forms/{identifier}/submissions/{id}/assignee',
    'delete /api/v1/forms/{identifier}/submissions/{id}/assignee',
    'post /api/v1/views',
    'patch /api/v1/views/{id}',
    'delete /api/v1/views/{id}',
    'post /api/v1/forms/{identifier}/submissions/read',
    'post /api/v1/submissions/read',
    'post /api/v1/submissions/bulk',
    'post /api/v1/forms/{identifier}/destinations/try',
    'post /api/v1/destinations/try',
    'post /api/v1/forms/{identifier}/destinations/preview',
    'post /api/v1/forms/{identifier}/recipients/ask',
    'post /api/v1/forms/{identifier}/thank-you-page/preview',
  ];

  it('is among those that are tried here', () => {
    // A token changes nothing of a person's own; passkeys.e2e-spec.ts reads what a person's changes leave.
    const changing = API_ROUTES.filter(({ path }) => !/\/(?:me|sign-in)\/|\.json$/.test(path))
      .filter(({ method, path }) => method !== 'get' && path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !LEFT_OUT.includes(route));
    const tried = CASES.map(({ route }) => route.split('?')[0]);
    expect(changing.filter((route) => !tried.includes(route))).toEqual([]);
  });

  it.each(CASES)('$route is recorded, by whom and from where', async ({ route, action, body, prepare }) => {
    const ids = [await prepare?.()].flat();
    const [method, template = ''] = route.split(' ');
    const path = template
      .replace('{identifier}', form.identifier)
      .replace('/clients/{id}', `/clients/${client}`)
      .replace(/\{\w+\}/g, () => String(ids.shift()));
    const before = new Set((await entriesOf(owner)).map(({ id }) => id));

    const { status } = await owner.send(method as Method, path, body);

    expect({ route, ok: status < 300 }).toEqual({ route, ok: true });
    const after = await entriesOf(owner);
    const written = after.filter(({ id }) => !before.has(id));
    expect(written).toMatchObject([{ action, actor: { kind: 'token', name: 'First token' }, address: '127.0.0.1' }]);
    expect(JSON.stringify(after)).not.toContain('hush');
    expect(JSON.stringify(after)).not.toContain('Zo\u00eb');
    expect(JSON.stringify(after)).not.toMatch(/fcs_[a-z]*_?\w{20}/);
  });

  it('that is refused is not recorded', async () => {
    const emails = Array.from({ length: 11 }, (_, index) => `a${index}@example.com`).join(',');
    const before = (await entriesOf(owner)).length;
    await owner.patch(forms(), { form: { notify_owner_emails: emails } }).expect(422);
    await owner.patch(clients(), { client: { name: 'x', form_ids: [2_000_000_000] } }).expect(422);
    await owner.patch(forms(), { form: { name: form.name } }).expect(200); // nothing changes
    expect(await entriesOf(owner)).toHaveLength(before);
  });

  it('names the settings that changed, never their values', async () => {
    const changes = { webhook_url: 'https://example.com/?key=hush2', bg_color: '#fff', name: form.name };
    await owner.patch(forms(), { form: changes }).expect(200);
    const [entry] = await entriesOf(owner);
    expect(entry).toMatchObject({
      target: { kind: 'form', id: form.identifier, name: form.name },
      details: { settings: 'webhook_url,bg_color' },
    });
  });
});

describe('What a client looks at', () => {
  it('is recorded: submissions in full, files, exports; what the account looks at is its own', async () => {
    const id = await submission();
    const here = `/api/v1/forms/${form.identifier}` as const;
    const [file] = (await owner.read(`${here}/submissions/${id}`)).files;
    const looks = [
      `${here}/submissions/${id}`,
      `${here}/submissions/${id}/files/${file?.id ?? ''}`,
      `${here}/submissions.csv`,
    ];
    const actions = ['submission.viewed', 'file.downloaded', 'submissions.exported'];
    const seen = service().as(await owner.makeClientToken(client));
    const of = async () => (await entriesOf(owner)).filter(({ action }) => actions.includes(action));

    for (const path of looks.slice(0, 2)) await owner.get(path).expect(200);
    expect(await of()).toEqual([]);
    for (const path of looks) await seen.get(path).expect(200);

    expect((await of()).reverse()).toMatchObject(
      actions.map((action) => ({ action, details: { client_id: client }, actor: { name: 'Phone' } })),
    );
    await owner.get(looks[2] ?? '').expect(200);
    expect((await of())[0]).toMatchObject({ details: { format: 'csv' } });
  });

  it('on a page is recorded with the person', async () => {
    const id = await submission();
    const { email, name } = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    const browser = await Browser.of(service(), email);
    expect((await browser.get(`/inbox/${form.identifier}/${id}`)).status).toBe(200);
    expect((await entriesOf(owner))[0]).toMatchObject({
      action: 'submission.viewed',
      actor: { kind: 'person', name },
      target: { kind: 'submission', id },
      details: { client_id: client },
    });
  });
});

it('A page that goes on with a look is recorded anew for somebody else, another submission, and what nobody has signed', async () => {
  const [id, other] = [await submission(), await submission()];
  const person = () => service().makePerson(owner, { clientId: client, actions: ['see'] });
  const [jane, tom] = [new Browser(service()), new Browser(service())];
  for (const each of [jane, tom]) await each.signIn((await person()).email);
  const pathTo = (of: string) => `/inbox/${form.identifier}/${of}`;
  const again = (who: Browser, of: string, look: string) => who.get(pathTo(of), { 'Fcs-Look': look });
  const looks = async () => (await entriesOf(owner, 'action=submission.viewed')).length;
  const before = await looks();

  const { text } = await jane.get(pathTo(id));
  const [, look = ''] = /data-looked="([^"]+)"/.exec(text) ?? [];
  expect((await again(jane, id, look)).status).toBe(200);
  expect(await looks()).toBe(before + 1);
  await again(tom, id, look);
  await again(jane, other, look);
  await again(jane, id, `x${look.slice(1)}`);

  expect(await looks()).toBe(before + 4);
});

describe('Reading the log', () => {
  it('is narrowed, paged by position and exported by the same choice', async () => {
    for (const name of ['a', '=b', 'c']) await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } });
    const choice = `action=form.changed&target_id=${form.identifier}`;
    const all = await entriesOf(owner, choice);
    expect(all.map(({ target }) => target.name)).toEqual(['c', '=b', 'a']);

    const first = await owner.get(`${AUDIT}?${choice}&per_page=1&before=${all[0]?.id ?? ''}`).expect(200);
    expect(first.body.entries).toEqual([all[1]]);
    const [, next = ''] = /^<([^>]*)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
    const { pathname, search } = new URL(next);
    expect((await owner.get(pathname + search).expect(200)).body.entries).toEqual([all[2]]);

    const lines = (await owner.download(`${AUDIT}.ndjson?${choice}`)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all);
    const rows = (await owner.download(`${AUDIT}.csv?${choice}`)).trim().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[2]).toContain("'=b");
    expect((await entriesOf(owner))[0]).toMatchObject({ action: 'audit.exported' });
  });

  it('is for its own account, and not for clients, whatever the route', async () => {
    const stranger = await service().openAccount();
    const seen = service().as(await owner.makeClientToken(client));
    for (const caller of [stranger, seen]) {
      const json = JSON.stringify([
        (await caller.get(AUDIT).expect(200)).body,
        await caller.download(`${AUDIT}.csv`),
        await caller.download(`${AUDIT}.ndjson`),
      ]);
      expect(json).not.toContain(form.identifier);
    }
  });
});

describe('The page of the log', () => {
  const browserOf = (standing?: Standing) => service().makeBrowser(owner, standing);

  it('shows who did what to what, in words, and leads to more of the same', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name: 'Contact' } });
    const browser = await browserOf();
    const { text } = await browser.get('/audit');
    expect(text).toContain('Changed a form');
    expect(text).toContain(`/audit?target=form%3A${form.identifier}`);

    const narrowed = (await browser.get(`/audit?target=form:${form.identifier}&action=form.changed`)).text;
    expect(narrowed).toContain('Contact');
    expect(narrowed).not.toContain('<td class="what">Created a form');
    expect((await browser.get('/audit?to=2001-01-01')).text).toContain('Nothing found');
    const csv = await browser.get(`/audit.csv?target=form:${form.identifier}`);
    expect(csv.text).toContain('form.changed');
    expect(csv.text).not.toContain('token.issued');
  });

  it.each<Standing>([
    { clientId: null, role: 'editor' },
    { clientId: null, role: 'viewer' },
    { clientId: 0, actions: ['see', 'triage', 'export', 'erase'] },
  ])('is closed to a person who is %j', async (standing) => {
    const browser = await browserOf('role' in standing ? standing : { ...standing, clientId: client });
    for (const path of ['/audit', '/audit.csv', '/audit.ndjson']) {
      expect((await browser.get(path)).status).toBe(403);
    }
    expect((await browser.get('/inbox')).text).not.toContain('"/audit"');
  });

  it('shows what concerns the whole service to operators alone', async () => {
    const { email } = await service().makePerson(owner);
    const { PeopleService } = await import('../../src/people/members/members.service.js');
    const { COMMAND_LINE } = await import('../../src/accounts/access/principal.js');
    const people = service().app.get(PeopleService);
    const browser = await Browser.of(service(), email);
    const of = async () => (await browser.get('/audit?of=instance&action=person.operator_changed')).text;
    await people.makeOperator(COMMAND_LINE, email, true);

    const csv = async () => (await browser.get('/audit.csv?of=instance&action=person.operator_changed')).text;

    expect(await of()).toContain('<td class="what">Changed operator access');
    expect(await csv()).toContain('person.operator_changed');
    await people.makeOperator(COMMAND_LINE, email, false);
    expect(await of()).not.toContain('<td class="what">Changed operator access');
    expect(await csv()).not.toContain('person.operator_changed');
  });
});

it('The list of actions is the one in the documentation', () => {
  const text = readFileSync(new URL('../../docs/api/audit.md', import.meta.url), 'utf8');
  const documented = Array.from(text.matchAll(/^\| `([a-z_.]+)`/gm), ([, action]) => action);
  expect(documented).toEqual([...AUDIT_ACTIONS]);
});
