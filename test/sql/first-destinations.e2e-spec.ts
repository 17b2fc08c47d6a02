import type { Schemas } from '../../build/api.js';
import { HOUR_MS, useClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useForm, useOwner, useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';
import { answers, useReceiver } from '../support/webhook-receiver.js';

const server = useMailServer();
const service = useService(() => ({
  ...{ WORKERS: 'off', SMTP_URL: server.url },
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}));
const clock = useClock();
const receiver = useReceiver(answers(200, 'ok'));
const owner = useOwner(service, 'Shop', 'boss@example.com');
const form = useForm(owner, { name: 'Contact' });

type Shown = Schemas['DestinationDto'];
type Role = 'team' | 'visitor' | 'webhook';
const at = () => `/api/v1/forms/${form.identifier}` as const;

async function first(role: Role): Promise<Shown> {
  const { destinations } = await owner.read(`${at()}/destinations`);
  const found = destinations.find((each) => each.role === role);
  if (!found) throw new Error(`No destination has the role ${role}.`);
  return found;
}

/** Changes one of the three by the routes of destinations. */
async function set(role: Role, destination: object) {
  const { id } = await first(role);
  return owner.patch(`${at()}/destinations/${id}`, { destination });
}

const change = (fields: object) => owner.patch(at(), { form: fields });
const shown = (): Promise<Record<string, unknown>> => owner.read(at());

describe('What a form and its first destinations share', () => {
  it.each<[Role, string, unknown, string, string, unknown]>([
    ['team', 'notify_owner_emails', 'a@example.com,b@example.com', 'to', 'c@example.com', 'c@example.com'],
    ['visitor', 'notify_submitter_from', 'shop@example.com', 'from', 'us@example.com', 'us@example.com'],
    ['visitor', 'notify_submitter_from_name', 'Shop', 'from_name', 'We', 'We'],
    ['visitor', 'notify_submitter_subject', 'Thanks, {{name}}', 'subject', 'Hello', 'Hello'],
    ['visitor', 'notify_submitter_body', 'We write soon.', 'body', 'Soon.', 'Soon.'],
    ['webhook', 'webhook_url', 'http://127.0.0.1:9/a', 'url', 'http://127.0.0.1:9/b', 'http://127.0.0.1:9/b'],
  ])('is one value, set here or there: %s, %s', async (role, field, value, setting, other, then) => {
    await change({ [field]: value }).expect(200);
    expect((await first(role)).settings).toMatchObject({ [setting]: value });

    expect((await set(role, { settings: { [setting]: other } })).status).toBe(200);
    expect(await shown()).toMatchObject({ [field]: then });

    await change({ [field]: null }).expect(200);
    expect((await first(role)).settings).not.toHaveProperty(setting);
  });

  it.each<[Role, string]>([
    ['team', 'notify_owner_on_submission'],
    ['visitor', 'notify_submitter'],
  ])('is whether anything is sent: %s', async (role, field) => {
    await change({ [field]: true }).expect(200);
    expect(await first(role)).toMatchObject({ paused: false });
    expect((await set(role, { paused: true })).status).toBe(200);
    expect(await shown()).toMatchObject({ [field]: false });
    await change({ [field]: true }).expect(200);
    expect(await first(role)).toMatchObject({ paused: false });
  });

  it('is changed by two at once, and both changes stay', async () => {
    const rounds = Array.from({ length: 5 }, (_, round) => round);
    for (const round of rounds) {
      const [one, other] = await Promise.all([
        set('visitor', { settings: { body: `Body ${round}`, html: `<p>${round}</p>` } }),
        change({ notify_submitter_subject: `Subject ${round}`, name: `Form ${round}` }),
      ]);
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(await shown()).toMatchObject({
        name: `Form ${round}`,
        notify_submitter_subject: `Subject ${round}`,
        notify_submitter_body: `Body ${round}`,
      });
      expect((await first('visitor')).settings).toMatchObject({ html: `<p>${round}</p>` });
    }
  });

  it('stays whole where one half of a change is refused', async () => {
    await change({ notify_submitter_subject: 'Before' }).expect(200);
    const refused = await set('visitor', { settings: { subject: 'After', html: '<script>' } });
    expect(refused.status).toBe(422);
    expect(await shown()).toMatchObject({ notify_submitter_subject: 'Before' });
  });

  it('keeps the header of a webhook on its host, and takes it from another', async () => {
    await change({ webhook_url: receiver.url }).expect(200);
    await set('webhook', { settings: { authorization: 'Bearer key_1' } });
    const header = async () => {
      await service().deliver(form);
      return receiver.last.headers.authorization;
    };
    await change({ webhook_url: `http://127.0.0.1:${receiver.port}/other` }).expect(200);
    expect(await header()).toBe('Bearer key_1');
    await change({ webhook_url: `http://127.0.0.2:${receiver.port}/` }).expect(200);
    await change({ webhook_url: receiver.url }).expect(200);
    expect(await header()).toBeUndefined();
  });
});

describe('The first destinations of a form', () => {
  it.each<Role>(['team', 'visitor', 'webhook'])('stay, but are named freely: %s', async (role) => {
    const { id } = await first(role);
    await owner.delete(`${at()}/destinations/${id}`).expect(refusal(422, 'destination_stays'));
    expect((await set(role, { name: 'Ours' })).status).toBe(200);
    expect(await first(role)).toMatchObject({ id, name: 'Ours' });
  });

  it('hear of what their conditions choose', async () => {
    await change({ webhook_url: receiver.url, notify_submitter: true }).expect(200);
    const conditions = [{ field: 'topic', op: 'is', value: 'Sales' }];
    for (const role of ['team', 'visitor', 'webhook'] as const) {
      expect((await set(role, { match: 'all', conditions })).status).toBe(200);
    }
    const kinds = async (topic: string) => {
      const id = await service().submit(form, { topic, email: 'ann@example.org' });
      return (await owner.deliveriesOf(form, id)).map(({ kind }) => kind).sort();
    };
    expect(await kinds('Support')).toEqual([]);
    expect(await kinds('Sales')).toEqual(['owner_email', 'submitter_email', 'webhook']);
  });

  it('hear of nothing by a condition on a field that is gone', async () => {
    await change({ webhook_url: receiver.url }).expect(200);
    await set('webhook', { match: 'all', conditions: [{ field: 'gone', op: 'is', value: 'x' }] });
    const id = await service().submit(form, { message: 'Hi' });
    expect((await owner.deliveriesOf(form, id)).map(({ kind }) => kind)).toEqual(['owner_email']);
  });

  it('answer for their own form only, as if unknown', async () => {
    const { id } = await first('webhook');
    const other = await owner.makeForm({ name: 'Other' });
    const there = `/api/v1/forms/${other.identifier}/destinations/${id}` as const;
    await owner.get(there).expect(refusal(404, 'destination_not_found'));
    await owner.patch(there, { destination: { name: 'Mine' } }).expect(404);
  });
});

describe('The email to the team', () => {
  it('has its own subject, text and reply address, as any destination of its kind', async () => {
    await change({ notify_owner_emails: 'team@example.com' }).expect(200);
    await set('team', { settings: { subject: '{{topic}}!', body: 'New: {{topic}}', reply_to: 'second' } });
    await service().deliver(form, { topic: 'Sales', email: 'a@example.org', second: 'b@example.org' });
    const mail = server.to('team@example.com').at(-1)?.mail;
    expect(mail).toMatchObject({ subject: 'Sales!', replyTo: [{ address: 'b@example.org' }] });
    expect(mail?.text).toContain('New: Sales');
  });

  it('goes to each address of its list, also to two that differ in case only', async () => {
    await change({ notify_owner_emails: 'dup@example.com,DUP@example.com' }).expect(200);
    const id = await service().submit(form, { message: 'Hi' });
    const to = (await owner.deliveriesOf(form, id)).map(({ recipient }) => recipient);
    expect(to.sort()).toEqual(['DUP@example.com', 'dup@example.com']);
  });

  it('can be one digest each hour', async () => {
    await change({ notify_owner_emails: 'digest@example.com' }).expect(200);
    await set('team', { settings: { digest: 'hourly' } });
    await service().deliver(form, { message: 'One' });
    await service().deliver(form, { message: 'Two' });
    expect(server.to('digest@example.com')).toEqual([]);
    clock.forward(2 * HOUR_MS);
    await service().sendDue();
    expect(server.to('digest@example.com')).toHaveLength(1);
  });
});

describe('A destination that was deleted', () => {
  const destination = () => ({ ...{ name: 'Sales', kind: 'slack' as const, settings: { url: receiver.url } } });
  const failed = async () => {
    const { body } = await owner.get(`${pathOf(form)}?q=is:failed`).expect(200);
    return (body as { submissions: { id: string }[] }).submissions.map((each) => each.id);
  };

  it('has no deliveries that failed', async () => {
    await change({ notify_owner_on_submission: false }).expect(200);
    const made = await owner.create(`${at()}/destinations`, { destination: destination() });
    receiver.behaviour = answers(404, 'gone');
    const submission = await service().deliver(form, { message: 'Hi' });
    expect(await failed()).toEqual([submission]);

    await owner.delete(`${at()}/destinations/${made.destination.id}`).expect(200);
    expect(await failed()).toEqual([]);
    expect(await owner.deliveriesOf(form, submission)).toMatchObject([{ state: 'obsolete' }]);
  });

  it('has none either where it went with its client', async () => {
    await change({ notify_owner_on_submission: false }).expect(200);
    const client = await owner.makeClient({ form_ids: [form.id] });
    const path = `/api/v1/destinations?client_id=${client}`;
    await owner.create(path, { destination: destination() });
    receiver.behaviour = answers(404, 'gone');
    const submission = await service().deliver(form, { message: 'Hi' });
    expect(await failed()).toEqual([submission]);

    await owner.delete(`/api/v1/clients/${client}`).expect(200);
    expect(await failed()).toEqual([]);
    expect(await owner.deliveriesOf(form, submission)).toMatchObject([{ state: 'obsolete' }]);
  });
});
