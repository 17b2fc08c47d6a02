import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '../../src/audit/audit-actions.js';
import { BouncesService } from '../../src/bounces/bounces.service.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { deliveriesOf, sendDue } from '../support/deliveries.js';
import {
  makeClient,
  makeClientToken,
  makeForm,
  makeToken,
  type FormBody,
} from '../support/make.js';
import { Browser, makeIdentity, makePerson } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, type Caller, type Method } from '../support/service.js';
import { send, urlencoded } from '../support/submit.js';
import { submit, submitFile } from '../support/submissions.js';

const OPENAPI = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, object>;
};
const AUDIT = '/api/v1/audit';
const NEW_DESTINATION = {
  destination: { name: 'A', kind: 'email', settings: { to: 'a@example.com' } },
};

const service = useService({ WORKERS: 'off', HOSTS: '*' });
let owner: Caller;
let form: FormBody;
let client: number;
beforeEach(async () => {
  owner = await service().openAccount('Studio Nord');
  form = await makeForm(owner, { webhook_url: 'https://example.com/?key=hush' });
  client = await makeClient(owner, { form_ids: [form.id] });
});

/** Adds a destination to the form, or to all forms. Returns its id. */
async function destination(above = `/api/v1/forms/${form.identifier}`): Promise<string> {
  const { body } = await owner.post(`${above}/destinations`, NEW_DESTINATION).expect(201);
  return body.destination.id;
}

/** Adds a destination that is paused, and has something sent there. Returns its id. */
async function failing(): Promise<string> {
  const id = await destination();
  const path = `/api/v1/forms/${form.identifier}/destinations/${id}` as const;
  await owner.patch(path, { destination: { paused: true } }).expect(200);
  await submit(service(), form);
  await sendDue(service());
  return id;
}

interface Entry {
  id: string;
  action: string;
  actor: { kind: string; id: number | null; name: string };
  target: { kind: string; id: string | null; name: string | null };
  details: Record<string, unknown>;
  address: string | null;
}

async function entriesOf(caller: Caller, query = ''): Promise<Entry[]> {
  const { body } = await caller.get(`${AUDIT}${query}`).expect(200);
  return body.entries;
}

const submission = () => submitFile(service(), form, 'a file');

/** Checks the audit entry of each route that changes something. */
describe('Every change through the API', () => {
  const forms = () => `/api/v1/forms/${form.identifier}` as const;
  const clients = () => `/api/v1/clients/${client}` as const;
  const viewer = () => makePerson(service(), owner, { clientId: null, role: 'viewer' });
  const ofClient = () => makePerson(service(), owner, { clientId: client, actions: ['see'] });
  const filledIn = () =>
    send(`${service().url}/f/${form.identifier}`, urlencoded([['name', 'Zoë']]));
  const invite = async () => {
    const person = { email: 'jo@example.com', name: 'Jo', role: 'viewer', send: false };
    const { body } = await owner.post('/api/v1/people', { person }).expect(201);
    return body.id;
  };
  /** Returns the path of a host whose proof is there. */
  const host = async () => {
    const { HostProofs } = await import('../../src/hosts/host-proofs.js');
    jest.spyOn(service().app.get(HostProofs), 'search').mockResolvedValue(null);
    await owner.put(`${clients()}/host`, { host: { name: `c${client}.example.com` } }).expect(200);
    return `${clients()}/host`;
  };
  const clientToken = async () => {
    await makeClientToken(owner, client);
    const { body } = await owner.get(`${clients()}/tokens`).expect(200);
    return body.tokens[0]?.id ?? 0;
  };
  const failed = async () => {
    await submission();
    const { Delivery } = await import('../../src/deliveries/model/delivery.entity.js');
    const { DataSource } = await import('typeorm');
    const failure = { state: 'failed' as const, settledAt: new Date() };
    await service()
      .app.get(DataSource)
      .getRepository(Delivery)
      .update({ formId: form.id }, failure);
  };
  const EXPORTED = {
    fields: ['email'],
    submissions: [{ _date: '2020-01-02T03:04:05', email: 'a@b.example' }],
  };
  type Asked = readonly [path: string, body?: object];
  type Case = () => Asked | Promise<Asked>;
  const CASES: Record<string, [action: string, Case]> = {
    'post /api/v1/forms': ['form.created', () => ['/api/v1/forms', { form: { name: 'x' } }]],
    'patch /api/v1/forms/{identifier}': ['form.changed', () => [forms(), { form: { name: 'x' } }]],
    'put /api/v1/forms/{identifier}': ['form.changed', () => [forms(), { form: { name: 'x' } }]],
    'delete /api/v1/forms/{identifier}': ['form.deleted', () => [forms()]],
    'put /api/v1/forms/{identifier}/retention': [
      'form.changed',
      () => [`${forms()}/retention`, { days: 9 }],
    ],
    'put /api/v1/forms/{identifier}/spam': [
      'form.changed',
      () => [`${forms()}/spam`, { spam: { held_at: 6 } }],
    ],
    'put /api/v1/forms/{identifier}/labels': [
      'form.changed',
      () => [`${forms()}/labels`, { labels: [] }],
    ],
    'put /api/v1/forms/{identifier}/rules': [
      'form.changed',
      () => [`${forms()}/rules`, { rules: [{ field: 'email', required: true }] }],
    ],
    'put /api/v1/forms/{identifier}/visitor-mail': [
      'form.changed',
      () => [`${forms()}/visitor-mail`, { visitor_mail: { double_opt_in: false } }],
    ],
    'put /api/v1/forms/{identifier}/visitor-mail/attachment': [
      'form.changed',
      () => [
        `${forms()}/visitor-mail/attachment`,
        { attachment: { name: 'a.pdf', content: 'YQ==' } },
      ],
    ],
    'delete /api/v1/forms/{identifier}/visitor-mail/attachment': [
      'form.changed',
      () => [`${forms()}/visitor-mail/attachment`],
    ],
    'put /api/v1/forms/{identifier}/intake': [
      'form.changed',
      () => [`${forms()}/intake`, { intake: { paused: true } }],
    ],
    'post /api/v1/forms/{identifier}/aliases': [
      'form.changed',
      () => [`${forms()}/aliases`, { alias: { provider: 'basin', value: 'audited' } }],
    ],
    'delete /api/v1/forms/{identifier}/aliases/{aliasId}': [
      'form.changed',
      async () => {
        const alias = { provider: 'basin', value: 'audited-too' };
        const { body } = await owner.post(`${forms()}/aliases`, { alias });
        return [`${forms()}/aliases/${body.alias.id}`];
      },
    ],
    'put /api/v1/forms/{identifier}/watch': [
      'form.changed',
      () => [`${forms()}/watch`, { watch: { level: 'quiet' } }],
    ],
    'put /api/v1/forms/{identifier}/canary': [
      'form.changed',
      () => [`${forms()}/canary`, { canary: { schedule: 'daily' } }],
    ],
    'post /api/v1/forms/{identifier}/canary/run': ['canary.run', () => [`${forms()}/canary/run`]],
    'put /api/v1/forms/{identifier}/dialect': [
      'form.changed',
      () => [`${forms()}/dialect`, { dialect: 'basin' }],
    ],
    'post /api/v1/moves': [
      'form.created',
      () => [
        '/api/v1/moves',
        { move: { kind: 'page', content: '<form method=post><input name=a></form>' } },
      ],
    ],
    'put /api/v1/forms/{identifier}/preview': [
      'form.changed',
      () => [`${forms()}/preview`, { fields: null }],
    ],
    'post /api/v1/forms/{identifier}/origins': [
      'form.changed',
      async () => {
        await owner.send('patch', forms(), { form: { whitelisted_domains: 'example.com' } });
        return [`${forms()}/origins`, { domain: 'shop.example.com' }];
      },
    ],
    'post /api/v1/forms/{identifier}/recipients/failing/try': [
      'recipient.tried_again',
      async () => {
        const email = 'ann@example.com';
        await owner.send('patch', forms(), { form: { notify_owner_emails: email } });
        const sent = await deliveriesOf(owner, form, await submission());
        const deliveryId = parseUuid(sent.find(({ kind }) => kind === 'owner_email')?.id ?? '');
        if (!deliveryId) throw new Error('no email');
        const reason = { kind: 'permanent', code: 550, reason: '550 5.1.1 gone' } as const;
        await service()
          .app.get(BouncesService)
          .take([{ deliveryId, recipients: [email], ...reason }]);
        return [`${forms()}/recipients/failing/try`, { email }];
      },
    ],
    'post /api/v1/forms/{identifier}/imports': [
      'import.started',
      () => [`${forms()}/imports?provider=formspree`, EXPORTED],
    ],
    'delete /api/v1/forms/{identifier}/imports/{id}': [
      'import.undone',
      async () => {
        const path = `${forms()}/imports`;
        const { body } = await owner.post(`${path}?provider=formspree`, EXPORTED).expect(202);
        return [`${path}/${body.import.id}`];
      },
    ],
    'post /api/v1/forms/{identifier}/destinations': [
      'destination.created',
      () => [`${forms()}/destinations`, NEW_DESTINATION],
    ],
    'post /api/v1/destinations': [
      'destination.created',
      () => ['/api/v1/destinations', NEW_DESTINATION],
    ],
    'patch /api/v1/forms/{identifier}/destinations/{id}': [
      'destination.changed',
      async () => [
        `${forms()}/destinations/${await destination()}`,
        { destination: { name: 'B' } },
      ],
    ],
    'patch /api/v1/destinations/{id}': [
      'destination.changed',
      async () => [`/api/v1/destinations/${await destination()}`, { destination: { name: 'B' } }],
    ],
    'delete /api/v1/forms/{identifier}/destinations/{id}': [
      'destination.deleted',
      async () => [`${forms()}/destinations/${await destination()}`],
    ],
    'delete /api/v1/destinations/{id}': [
      'destination.deleted',
      async () => [`/api/v1/destinations/${await destination()}`],
    ],
    'put /api/v1/forms/{identifier}/destinations/{id}/exclusion': [
      'destination.excluded',
      async () => [`${forms()}/destinations/${await destination('/api/v1')}/exclusion`],
    ],
    'delete /api/v1/forms/{identifier}/destinations/{id}/exclusion': [
      'destination.included',
      async () => [`${forms()}/destinations/${await destination('/api/v1')}/exclusion`],
    ],
    'post /api/v1/forms/{identifier}/destinations/{id}/test': [
      'destination.tested',
      async () => [`${forms()}/destinations/${await destination()}/test`],
    ],
    'post /api/v1/destinations/{id}/test': [
      'destination.tested',
      async () => [`/api/v1/destinations/${await destination()}/test`],
    ],
    'post /api/v1/forms/{identifier}/destinations/{id}/retry': [
      'deliveries.retried',
      async () => [`${forms()}/destinations/${await failing()}/retry`],
    ],
    'post /api/v1/destinations/{id}/retry': [
      'deliveries.retried',
      async () => [`/api/v1/destinations/${await failing()}/retry`],
    ],
    'post /api/v1/fleet/changes': [
      'form.changed',
      () => [
        '/api/v1/fleet/changes',
        { change: { forms: [form.identifier], settings: { redirect_url: 'https://b.example' } } },
      ],
    ],
    'patch /api/v1/forms/{identifier}/webhook': [
      'webhook.disabled',
      () => [`${forms()}/webhook`, { webhook: { enabled: false } }],
    ],
    'post /api/v1/forms/{identifier}/webhook/secret': [
      'webhook.secret_renewed',
      () => [`${forms()}/webhook/secret`],
    ],
    'post /api/v1/forms/{identifier}/webhook/test': [
      'webhook.tested',
      () => [`${forms()}/webhook/test`],
    ],
    'delete /api/v1/forms/{identifier}/submissions': [
      'submissions.erased',
      async () => {
        await filledIn();
        return [`${forms()}/submissions?field=name&value=Zo%C3%AB`];
      },
    ],
    'post /api/v1/forms/{identifier}/submissions/erase': [
      'submissions.erased',
      async () => {
        await filledIn();
        return [`${forms()}/submissions/erase`, { field: 'name', value: 'Zoë' }];
      },
    ],
    'post /api/v1/visitors/erase': [
      'submissions.erased',
      async () => {
        await submission();
        return ['/api/v1/visitors/erase', { email: 'jane@example.com' }];
      },
    ],
    'delete /api/v1/forms/{identifier}/submissions/{id}': [
      'submission.erased',
      async () => [`${forms()}/submissions/${await submission()}`],
    ],
    'post /api/v1/forms/{identifier}/submissions/{id}/deliveries/{deliveryId}/attempts': [
      'delivery.retried',
      async () => {
        const id = await submission();
        const [delivery] = await deliveriesOf(owner, form, id);
        return [`${forms()}/submissions/${id}/deliveries/${delivery?.id ?? ''}/attempts`];
      },
    ],
    'post /api/v1/forms/{identifier}/redeliveries': [
      'deliveries.retried',
      async () => {
        await failed();
        return [`${forms()}/redeliveries`, { state: 'failed' }];
      },
    ],
    'delete /api/v1/forms/{identifier}/deliveries': [
      'deliveries.discarded',
      async () => {
        await failed();
        return [`${forms()}/deliveries?state=failed`];
      },
    ],
    'post /api/v1/forms/{identifier}/submissions/rejudge': [
      'job.created',
      () => [`${forms()}/submissions/rejudge`, {}],
    ],
    'post /api/v1/forms/{identifier}/exports': [
      'submissions.exported',
      () => [`${forms()}/exports`, { format: 'csv' }],
    ],
    'delete /api/v1/jobs/{id}': [
      'job.stopped',
      async () => {
        const task = { q: '', changes: { done: true } };
        const { body } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
        return [`/api/v1/jobs/${body.id}`];
      },
    ],
    'post /api/v1/clients': [
      'client.created',
      () => ['/api/v1/clients', { client: { name: 'x', email: 'x@example.com' } }],
    ],
    'patch /api/v1/clients/{id}': ['client.changed', () => [clients(), { client: { name: 'x' } }]],
    'put /api/v1/clients/{id}/brand': [
      'client.changed',
      () => [`${clients()}/brand`, { brand: { name: 'x' } }],
    ],
    'put /api/v1/clients/{id}/sender': [
      'client.changed',
      () => [`${clients()}/sender`, { sender: { from: 'x@example.com' } }],
    ],
    'post /api/v1/clients/{id}/sender/test': [
      'mail.tested',
      async () => [`${clients()}/sender/test`, { to: (await viewer()).email }],
    ],
    'put /api/v1/clients/{id}/report/mail': [
      'client.changed',
      () => [`${clients()}/report/mail`, { report_mail: { recipients: ['kim@example.com'] } }],
    ],
    'put /api/v1/weekly-mail': [
      'account.changed',
      () => ['/api/v1/weekly-mail', { weekly_mail: { recipients: ['kim@example.com'] } }],
    ],
    'post /api/v1/weekly-mail/send': [
      'weekly_mail.sent',
      async () => {
        const path = '/api/v1/weekly-mail';
        await owner.put(path, { weekly_mail: { recipients: ['kim@example.com'] } }).expect(200);
        return [`${path}/send`, {}];
      },
    ],
    'post /api/v1/clients/{id}/report/mail/send': [
      'report.sent',
      async () => {
        const path = `${clients()}/report/mail`;
        await owner.put(path, { report_mail: { recipients: ['kim@example.com'] } }).expect(200);
        return [`${path}/send`, {}];
      },
    ],
    'put /api/v1/clients/{id}/form-defaults': [
      'client.changed',
      () => [`${clients()}/form-defaults`, { form_defaults: { bg_color: '#fff' } }],
    ],
    'post /api/v1/clients/{id}/forms': [
      'form.created',
      () => [`${clients()}/forms`, { form: { name: 'x' } }],
    ],
    'delete /api/v1/clients/{id}': ['client.deleted', () => [clients()]],
    'put /api/v1/clients/{id}/host': [
      'client.changed',
      () => [`${clients()}/host`, { host: { name: 'forms.example.com' } }],
    ],
    'post /api/v1/clients/{id}/host/verify': [
      'client.changed',
      async () => [`${await host()}/verify`],
    ],
    'delete /api/v1/clients/{id}/host': ['client.changed', async () => [await host()]],
    'post /api/v1/clients/{id}/tokens': [
      'token.issued',
      () => [`${clients()}/tokens`, { token: { name: 'x' } }],
    ],
    'delete /api/v1/clients/{id}/tokens/{tokenId}': [
      'token.revoked',
      async () => [`${clients()}/tokens/${await clientToken()}`],
    ],
    'post /api/v1/tokens': ['token.issued', () => ['/api/v1/tokens', { token: { name: 'x' } }]],
    'delete /api/v1/tokens/{id}': [
      'token.revoked',
      async () => [`/api/v1/tokens/${(await makeToken(owner)).id}`],
    ],
    'post /api/v1/people': [
      'person.invited',
      () => [
        '/api/v1/people',
        { person: { email: 'x@example.com', name: 'x', role: 'viewer', send: false } },
      ],
    ],
    'patch /api/v1/people/{id}': [
      'person.changed',
      async () => [`/api/v1/people/${(await viewer()).id}`, { person: { role: 'editor' } }],
    ],
    'delete /api/v1/people/{id}': [
      'person.removed',
      async () => [`/api/v1/people/${(await viewer()).id}`],
    ],
    'delete /api/v1/people/{id}/sessions': [
      'person.sessions_ended',
      async () => [`/api/v1/people/${(await viewer()).id}/sessions`],
    ],
    'delete /api/v1/people/{id}/identities/{identity}': [
      'identity.unlinked',
      async () => {
        const { id } = await viewer();
        return [`/api/v1/people/${id}/identities/${await makeIdentity(service(), id)}`];
      },
    ],
    'post /api/v1/clients/{id}/people': [
      'person.invited',
      () => [`${clients()}/people`, { person: { email: 'x@example.com', name: 'x', send: false } }],
    ],
    'patch /api/v1/clients/{id}/people/{personId}': [
      'person.changed',
      async () => [
        `${clients()}/people/${(await ofClient()).id}`,
        { person: { actions: ['export'] } },
      ],
    ],
    'delete /api/v1/clients/{id}/people/{personId}': [
      'person.removed',
      async () => [`${clients()}/people/${(await ofClient()).id}`],
    ],
    'delete /api/v1/clients/{id}/people/{personId}/sessions': [
      'person.sessions_ended',
      async () => [`${clients()}/people/${(await ofClient()).id}/sessions`],
    ],
    'post /api/v1/invitations/{id}/resend': [
      'person.invited',
      async () => [`/api/v1/invitations/${await invite()}/resend`, { send: false }],
    ],
    'delete /api/v1/invitations/{id}': [
      'invitation.withdrawn',
      async () => [`/api/v1/invitations/${await invite()}`],
    ],
    'patch /api/v1/account/brand': [
      'account.changed',
      () => ['/api/v1/account/brand', { brand: { colour: 'teal' } }],
    ],
    'put /api/v1/forms/{identifier}/spam/lists': [
      'form.changed',
      () => [`${forms()}/spam/lists`, { lists: { block: 'hush' } }],
    ],
    'delete /api/v1/account/spam-learning': [
      'account.spam_learning_reset',
      () => ['/api/v1/account/spam-learning'],
    ],
    'patch /api/v1/account': [
      'account.changed',
      () => ['/api/v1/account', { account: { name: 'x' } }],
    ],
  };
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
    'post /api/v1/forms/{identifier}/mails/preview',
    'post /api/v1/forms/{identifier}/thank-you-page/preview',
  ];

  it('is among those that are tried here', () => {
    const changing = Object.entries(OPENAPI.paths)
      .filter(([path]) => path.startsWith('/api/v1/') && !path.endsWith('.json'))
      // A token changes nothing there; passkeys.e2e-spec.ts reads what a person's changes leave.
      .filter(([path]) => !/\/(?:me|sign-in)\//.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
      .filter((route) => !route.startsWith('get ') && !LEFT_OUT.includes(route));
    expect(changing.filter((route) => !(route in CASES))).toEqual([]);
  });

  it.each(Object.entries(CASES))(
    '%s is recorded, by whom and from where',
    async (route, [action, make]) => {
      const [path, body] = await make();
      const before = new Set((await entriesOf(owner)).map(({ id }) => id));

      const { status } = await owner.send(route.split(' ')[0] as Method, path, body);

      expect({ route, ok: status < 300 }).toEqual({ route, ok: true });
      const after = await entriesOf(owner);
      const written = after.filter(({ id }) => !before.has(id));
      expect(written).toMatchObject([
        { action, actor: { kind: 'token', name: 'First token' }, address: '127.0.0.1' },
      ]);
      expect(JSON.stringify(after)).not.toContain('hush');
      expect(JSON.stringify(after)).not.toContain('Zo\u00eb');
      expect(JSON.stringify(after)).not.toMatch(/fcs_[a-z]*_?\w{20}/);
    },
  );

  it('that is refused is not recorded', async () => {
    const emails = Array.from({ length: 11 }, (_, index) => `a${index}@example.com`).join(',');
    const before = (await entriesOf(owner)).length;
    await owner.patch(forms(), { form: { notify_owner_emails: emails } }).expect(422);
    await owner.patch(clients(), { client: { name: 'x', form_ids: [2_000_000_000] } }).expect(422);
    await owner.patch(forms(), { form: { name: form.name } }).expect(200); // nothing changes
    expect(await entriesOf(owner)).toHaveLength(before);
  });

  it('names the settings that changed, never their values', async () => {
    const changes = {
      webhook_url: 'https://example.com/?key=hush2',
      bg_color: '#fff',
      name: form.name,
    };
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
    const { body } = await owner.get(`${here}/submissions/${id}`).expect(200);
    const [file] = body.files;
    const looks = [
      `${here}/submissions/${id}`,
      `${here}/submissions/${id}/files/${file?.id ?? ''}`,
      `${here}/submissions.csv`,
    ];
    const actions = ['submission.viewed', 'file.downloaded', 'submissions.exported'];
    const seen = service().as(await makeClientToken(owner, client));
    const of = async () =>
      (await entriesOf(owner)).filter(({ action }) => actions.includes(action));

    for (const path of looks.slice(0, 2)) await owner.get(path).expect(200);
    expect(await of()).toEqual([]);
    for (const path of looks) await seen.get(path).expect(200);

    expect((await of()).reverse()).toMatchObject(
      actions.map((action) => ({
        action,
        details: { client_id: client },
        actor: { name: 'Phone' },
      })),
    );
    await owner.get(looks[2] ?? '').expect(200);
    expect((await of())[0]).toMatchObject({ details: { format: 'csv' } });
  });

  it('on a page is recorded with the person', async () => {
    const id = await submission();
    const { email, name } = await makePerson(service(), owner, {
      clientId: client,
      actions: ['see'],
    });
    const browser = new Browser(service());
    await browser.signIn(email);
    expect((await browser.get(`/inbox/${form.identifier}/${id}`)).status).toBe(200);
    expect((await entriesOf(owner))[0]).toMatchObject({
      action: 'submission.viewed',
      actor: { kind: 'person', name },
      target: { kind: 'submission', id },
      details: { client_id: client },
    });
  });
});

describe('A page that goes on with a look', () => {
  it('is recorded anew for somebody else, another submission, and what nobody has signed', async () => {
    const [id, other] = [await submission(), await submission()];
    const person = () => makePerson(service(), owner, { clientId: client, actions: ['see'] });
    const [jane, tom] = [new Browser(service()), new Browser(service())];
    for (const each of [jane, tom]) await each.signIn((await person()).email);
    const pathTo = (of: string) => `/inbox/${form.identifier}/${of}`;
    const again = (who: Browser, of: string, look: string) =>
      who.get(pathTo(of), { 'Fcs-Look': look });
    const looks = async () => (await entriesOf(owner, '?action=submission.viewed')).length;
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
});

describe('Reading the log', () => {
  it('is narrowed, paged by position and exported by the same choice', async () => {
    for (const name of ['a', '=b', 'c'])
      await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } });
    const choice = `action=form.changed&target_id=${form.identifier}`;
    const all = await entriesOf(owner, `?${choice}`);
    expect(all.map(({ target }) => target.name)).toEqual(['c', '=b', 'a']);

    const first = await owner
      .get(`${AUDIT}?${choice}&per_page=1&before=${all[0]?.id ?? ''}`)
      .expect(200);
    expect(first.body.entries).toEqual([all[1]]);
    const [, next = ''] = /^<([^>]*)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
    const { pathname, search } = new URL(next);
    const second = await owner.get(pathname + search).expect(200);
    expect(second.body.entries).toEqual([all[2]]);

    const ndjson = await owner.get(`${AUDIT}.ndjson?${choice}`).buffer().expect(200);
    const lines = ndjson.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Entry)).toEqual(all);
    const csv = await owner.get(`${AUDIT}.csv?${choice}`).expect(200);
    const rows = csv.text.trim().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[2]).toContain("'=b");
    expect((await entriesOf(owner))[0]).toMatchObject({ action: 'audit.exported' });
  });

  it('is for its own account, and not for clients, whatever the route', async () => {
    const stranger = await service().openAccount();
    const seen = service().as(await makeClientToken(owner, client));
    for (const caller of [stranger, seen]) {
      const json = JSON.stringify([
        (await caller.get(AUDIT).expect(200)).body,
        (await caller.get(`${AUDIT}.csv`).expect(200)).text,
        (await caller.get(`${AUDIT}.ndjson`).buffer().expect(200)).text,
      ]);
      expect(json).not.toContain(form.identifier);
    }
    const some = service().as((await makeToken(owner, { rights: ['forms:read'] })).token);
    await some.get(`${AUDIT}.csv`).expect(refusal(403, 'missing_right'));
  });
});

describe('The page of the log', () => {
  async function browserOf(standing?: Parameters<typeof makePerson>[2]): Promise<Browser> {
    const browser = new Browser(service());
    await browser.signIn((await makePerson(service(), owner, standing)).email);
    return browser;
  }

  it('shows who did what to what, in words, and leads to more of the same', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name: 'Contact' } });
    const browser = await browserOf();
    const { text } = await browser.get('/audit');
    expect(text).toContain('Changed a form');
    expect(text).toContain(`/audit?target=form%3A${form.identifier}`);

    const narrowed = (
      await browser.get(`/audit?target=form:${form.identifier}&action=form.changed`)
    ).text;
    expect(narrowed).toContain('Contact');
    expect(narrowed).not.toContain('<td class="what">Created a form');
    expect((await browser.get('/audit?to=2001-01-01')).text).toContain('Nothing found');
    const csv = await browser.get(`/audit.csv?target=form:${form.identifier}`);
    expect(csv.text).toContain('form.changed');
    expect(csv.text).not.toContain('token.issued');
  });

  it('goes through a long log', async () => {
    for (let count = 0; count < 51; count++) await makeToken(owner);
    const browser = await browserOf();
    const { text } = await browser.get('/audit?action=token.issued');
    const [, next = ''] = /href="([^"]*before[^"]*)"/.exec(text) ?? [];
    const older = await browser.get(next.replaceAll('&amp;', '&'));
    expect(older.text.split('<tr').length - 2).toBe(2);
    expect(older.text).not.toMatch(/href="[^"]*before=/);
  });

  it.each(['editor', 'viewer'] as const)('is closed to a person who is %s', async (role) => {
    const browser = await browserOf({ clientId: null, role });
    for (const path of ['/audit', '/audit.csv', '/audit.ndjson']) {
      expect((await browser.get(path)).status).toBe(403);
    }
    expect((await browser.get('/inbox')).text).not.toContain('"/audit"');
  });

  it('is closed to people of clients', async () => {
    const browser = await browserOf({
      clientId: client,
      actions: ['see', 'triage', 'export', 'erase'],
    });
    expect((await browser.get('/audit')).status).toBe(403);
  });

  it('shows what concerns the whole service to operators alone', async () => {
    const { email } = await makePerson(service(), owner);
    const { PeopleService } = await import('../../src/people/members/people.service.js');
    const { COMMAND_LINE } = await import('../../src/access/actor.js');
    const people = service().app.get(PeopleService);
    const browser = new Browser(service());
    await browser.signIn(email);
    const of = async () =>
      (await browser.get('/audit?of=instance&action=person.operator_changed')).text;
    await people.makeOperator(COMMAND_LINE, email, true);

    const csv = async () =>
      (await browser.get('/audit.csv?of=instance&action=person.operator_changed')).text;

    expect(await of()).toContain('<td class="what">Changed operator access');
    expect(await csv()).toContain('person.operator_changed');
    await people.makeOperator(COMMAND_LINE, email, false);
    expect(await of()).not.toContain('<td class="what">Changed operator access');
    expect(await csv()).not.toContain('person.operator_changed');
  });
});

describe('The list of actions', () => {
  it('is the one in the documentation', () => {
    const text = readFileSync(new URL('../../docs/api/audit.md', import.meta.url), 'utf8');
    const documented = Array.from(text.matchAll(/^\| `([a-z_.]+)`/gm), ([, action]) => action);
    expect(documented).toEqual([...AUDIT_ACTIONS]);
  });
});
