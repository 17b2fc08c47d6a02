import { API_ROUTES } from '../support/caller.js';
import { makeFullAccount } from '../support/full-account.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { answers, useReceiver } from '../support/webhook-receiver.js';

const service = useService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const receiver = useReceiver();

const SECRET = 'what only the visitor knows';
/** Rights of a token that sets up forms. */
const RIGHTS = ['forms:read', 'forms:create', 'forms:write'];

async function account() {
  const full = await makeFullAccount(service(), { show_submitted_values: true });
  const id = await service().deliver(full.form, { email: 'victor@example.com', message: SECRET, choice: SECRET });
  const token = await full.owner.makeToken({ rights: RIGHTS });
  return { ...full, ids: { ...full.ids, submissions: id }, setter: service().as(token.token) };
}

const fill = (path: string, ids: Record<string, unknown>) =>
  path.replace(/\b(\w+)\/\{\w+\}/g, (_, noun: string) => `${noun}/${String(ids[noun])}`);

describe('A token that sets up forms', () => {
  it('reads no submission on any route', async () => {
    const { setter, ids, owner, form } = await account();
    expect(JSON.stringify(await owner.list(form))).toContain(SECRET);

    const routes = API_ROUTES.filter(({ path, method }) => path.startsWith('/api/v1/') && method !== 'delete');
    const answered: number[] = [];
    for (const { method, path } of routes) {
      const body = method === 'get' ? undefined : {};
      const { status, text } = await setter.send(method, fill(path, ids), body);
      if (status < 300) answered.push(status);
      expect({ method, path, tells: /what only the visitor knows|victor/.test(text) }).toEqual({
        ...{ method, path, tells: false },
      });
    }
    expect(answered.length).toBeGreaterThan(20);
  });

  it('reads none in what came back of deliveries', async () => {
    const { setter, owner, form } = await account();
    const path = `/api/v1/forms/${form.identifier}` as const;
    const all = { webhook_url: receiver.url, notify_submitter: true };
    await owner.patch(path, { form: all }).expect(200);
    receiver.behaviour = answers(410, `Refused: ${SECRET}`);
    await service().deliver(form, { email: 'victor@example.com', message: SECRET });

    const { warnings } = await owner.read(`${path}/warnings`);
    expect(JSON.stringify(warnings)).toContain(SECRET);
    for (const route of [`${path}/warnings`, '/api/v1/fleet'] as const) {
      const { text } = await setter.get(route).expect(200);
      expect(text).toContain('webhook_failing');
      expect(text).not.toContain(SECRET);
    }
    const { destinations } = await owner.read(`${path}/destinations`);
    const logs = destinations.map(({ id }) => `${path}/destinations/${id}/deliveries` as const);
    for (const log of [...logs, `${path}/webhook/calls` as const]) {
      await owner.get(log).expect(200);
      await setter.get(log).expect(refusal(403, 'missing_right'));
    }
  });

  it('chooses nobody who would get them', async () => {
    const { setter, form, owner } = await account();
    const path = `/api/v1/forms/${form.identifier}` as const;
    const denied = refusal(403, 'missing_right');
    const url = 'https://example.com/mine';
    const hook = { name: 'Mine', kind: 'webhook', settings: { url } };

    await setter.patch(path, { form: { webhook_url: url } }).expect(denied);
    await setter.patch(path, { form: { notify_owner_emails: 'me@example.com' } }).expect(denied);
    const answered = { notify_submitter: true, notify_submitter_from: 'me@example.com' };
    await setter.patch(path, { form: answered }).expect(denied);
    await setter.put('/api/v1/forms', { form: { name: 'A', ...answered } }).expect(denied);
    const leading = { notify_submitter_body: `See ${url}?m={{message}}` };
    await setter.patch(path, { form: leading }).expect(denied);
    await setter.put('/api/v1/forms', { form: { name: 'A', ...leading } }).expect(denied);
    await setter.put(`${path}/translations`, { translations: { de: leading } }).expect(denied);
    await setter.patch(path, { form: { notify_submitter_body: 'Thank you.' } }).expect(200);
    await setter.post('/api/v1/forms', { form: { name: 'A', webhook_url: url } }).expect(denied);
    await setter.put('/api/v1/forms', { form: { name: 'A', notify_owner_emails: 'me@example.com' } }).expect(denied);
    await setter.post(`${path}/destinations`, { destination: hook }).expect(denied);
    await setter.post('/api/v1/destinations', { destination: hook }).expect(denied);
    const changes = { form_ids: [form.id], changes: { webhook_url: url } };
    expect((await setter.post('/api/v1/fleet/changes', changes)).status).toBeGreaterThanOrEqual(400);
    const { destinations } = await owner.read(`${path}/destinations`);
    for (const { id } of destinations) {
      for (const destination of [{ settings: { url, to: 'me@example.com' } }, { paused: false }]) {
        await setter.patch(`${path}/destinations/${id}`, { destination }).expect(denied);
      }
    }
    expect(await owner.read(`${path}/destinations`)).toEqual({ destinations });
  });

  it('creates a form, sets its fields, and keeps what its owner chose', async () => {
    const { setter, owner, form } = await account();
    const path = `/api/v1/forms/${form.identifier}` as const;
    await owner.patch(path, { form: { webhook_url: 'https://example.com/owner' } }).expect(200);

    await setter.put('/api/v1/forms', { form: { name: 'New' } }).expect(201);
    await setter.patch(path, { form: { name: 'Renamed', webhook_url: 'https://example.com/owner' } }).expect(200);
    await setter.patch(path, { form: { webhook_url: null } }).expect(200);
  });
});
