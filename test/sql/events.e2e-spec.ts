import type { ServerResponse } from 'node:http';
import { EventStream, EventStreams } from '../../src/web/events/event-streams.js';
import { onServer } from '../support/database-matrix.js';
import { EventListener } from '../support/event-listener.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, type Service, type FormBody, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const EVENTS = '/api/v1/events';
/** Open streams that a token may have. */
const STREAMS_MAX = 4;
/** The same of a client, and of an account. */
const STREAMS_OF_CLIENT = 50;
const STREAMS_OF_ACCOUNT = 250;

const service = useService({ WORKERS: 'off' });
let listeners: EventListener[] = [];
let owner: Caller;
let form: FormBody;
afterEach(() => {
  for (const listener of listeners) listener.stop();
  listeners = [];
});

async function listen(url: string, headers: Record<string, string>): Promise<EventListener> {
  const listener = await EventListener.open(url, headers);
  listeners.push(listener);
  return listener;
}
const listenWith = (secret: string | null, { url }: Pick<Service, 'url'> = service()) =>
  listen(url + EVENTS, { Authorization: `Bearer ${secret ?? ''}` });
const listenIn = ({ session }: Browser) =>
  listen(`${service().url}/events`, { Cookie: `fcs_session=${session ?? ''}` });
const beat = () => service().app.get(EventStreams).beat();

describe('An event stream', () => {
  beforeEach(async () => {
    owner = await service().openAccount();
    form = await owner.makeForm();
  });

  it('says that something came or changed, in which form, and nothing more', async () => {
    const { headers } = (await listenWith(owner.secret)).response;
    const [listener] = listeners;
    const id = await service().submit(form, { name: 'Jane' });
    await listener?.hears('submissions', form.identifier);
    await owner.patch(`${pathOf(form)}/${id}/marks`, { marks: { done: true } }).expect(200);
    await listener?.hears('changes', form.identifier);

    expect(listener?.text.replace(/^retry: \d+\n\n/, '')).toBe(
      ['submissions', 'changes'].map((event) => `event: ${event}\ndata: {"form":"${form.identifier}"}\n\n`).join(''),
    );
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['a star', (id) => owner.patch(`${pathOf(form)}/${id}/marks`, { marks: { starred: true } })],
    ['tags', (id) => owner.put(`${pathOf(form)}/${id}/tags`, { tags: ['x'] })],
    ['a note', (id) => owner.post(`${pathOf(form)}/${id}/notes`, { note: { text: 'x' } })],
    ['spam', (id) => owner.patch(`${pathOf(form)}/${id}`, { submission: { spam: true } })],
    ['its end', (id) => owner.delete(`${pathOf(form)}/${id}`)],
    ['a change of many', (id) => owner.post('/api/v1/submissions/bulk', { ids: [id], changes: { done: true } })],
  ])('tells of %s', async (_, change) => {
    const id = await service().submit(form);
    const listener = await listenWith(owner.secret);
    await change(id);
    await listener.hears('changes', form.identifier);
  });

  it('says nothing of forms that its listener does not see', async () => {
    const hidden = await owner.makeForm();
    const stranger = await service().openAccount('Another');
    const foreign = await stranger.makeForm();
    const client = await owner.makeClient({ form_ids: [form.id] });
    const ofClient = await listenWith(await owner.makeClientToken(client));
    const ofOwner = await listenWith(owner.secret);
    const ofStranger = await listenWith(stranger.secret);

    for (const each of [foreign, hidden, form]) await service().submit(each);
    await ofClient.hears('submissions', form.identifier);
    await ofOwner.hears('submissions', form.identifier);
    await ofStranger.hears('submissions', foreign.identifier);

    const names = ({ heard }: EventListener) => heard.map(({ data }) => data);
    expect(names(ofClient)).toEqual([{ form: form.identifier }]);
    expect(names(ofOwner)).toEqual([{ form: hidden.identifier }, { form: form.identifier }]);
    expect(names(ofStranger)).toEqual([{ form: foreign.identifier }]);
  });

  it('says nothing more of a form that was taken from the client', async () => {
    const other = await owner.makeForm();
    const client = await owner.makeClient({ form_ids: [form.id, other.id] });
    const listener = await listenWith(await owner.makeClientToken(client));

    const body = { client: { form_ids: [other.id] } };
    await owner.patch(`/api/v1/clients/${client}`, body).expect(200);
    await beat();
    await service().submit(form);
    await service().submit(other);
    await listener.hears('submissions', other.identifier);

    expect(listener.heard).toEqual([{ event: 'submissions', data: { form: other.identifier } }]);
  });

  it('ends with its token, its session and its membership, and goes on for the others', async () => {
    const { id, token } = await owner.makeToken();
    const { email, membershipId } = await service().makePerson(owner);
    const [leaving, kept, staying] = [1, 2, 3].map(() => new Browser(service()));
    if (!leaving || !kept || !staying) throw new Error('There are no browsers.');
    for (const browser of [leaving, kept]) await browser.signIn(email);
    await staying.signIn((await service().makePerson(owner)).email);
    const ofToken = await listenWith(token);
    const [ofLeaving, ofKept, ofStaying] = await Promise.all([listenIn(leaving), listenIn(kept), listenIn(staying)]);

    await owner.delete(`/api/v1/tokens/${id}`);
    await leaving.post('/sign-out');
    await beat();
    await Promise.all([ofToken.ends(), ofLeaving.ends()]);
    expect([ofKept.isEnded, ofStaying.isEnded]).toEqual([false, false]);
    await owner.delete(`/api/v1/people/${membershipId}`);
    await beat();
    await ofKept.ends();

    await until(() => /^retry: \d+\n\n(?::\n\n){2}$/.test(ofStaying.text));
  });

  it('is refused to whoever may not see submissions, asks for another type, or has enough', async () => {
    const { token } = await owner.makeToken({ rights: ['forms:read'] });
    await expect(listenWith(token)).rejects.toThrow('missing_right');
    await owner.get(EVENTS).expect(refusal(406, 'not_acceptable'));
    const { browser } = await service().openWithOwner();
    expect((await browser.get('/events')).status).toBe(406);

    for (let n = 0; n < STREAMS_MAX; n++) await listenWith(owner.secret);
    await expect(listenWith(owner.secret)).rejects.toThrow('too_many_streams');
    await expect(listenIn(browser)).resolves.toBeDefined();
  });

  it('leaves room to others: a client has only so many by all its tokens, and an account', async () => {
    const client = await owner.makeClient();
    const listenBy = async (issue: () => Promise<string>, count: number) => {
      for (let left = count; left > 0; left -= STREAMS_MAX) {
        const secret = await issue();
        for (let n = 0; n < Math.min(left, STREAMS_MAX); n++) await listenWith(secret);
      }
    };
    const ofClient = () => owner.makeClientToken(client);
    const ofAccount = async () => (await owner.makeToken()).token;

    await listenBy(ofClient, STREAMS_OF_CLIENT);
    await expect(listenWith(await ofClient())).rejects.toThrow('too_many_streams');
    await listenBy(ofAccount, STREAMS_OF_ACCOUNT - STREAMS_OF_CLIENT);
    await expect(listenWith(owner.secret)).rejects.toThrow('too_many_streams');
    await expect(listenIn((await service().openWithOwner()).browser)).resolves.toBeDefined();
  });

  it('is cut when its reader takes nothing', async () => {
    const destroy = jest.fn();
    const response = { writableLength: 1, destroy } as unknown as ServerResponse;
    const listener = { holder: 'token 1', scope: { accountId: 1, clientId: null } };
    const stream = new EventStream(listener, () => Promise.resolve(null), response);
    expect(await stream.beat()).toBe(false);
    expect(destroy).toHaveBeenCalled();
  });
});

describe('The event streams of an instance', () => {
  it('end at once when it stops, with one line in the log', async () => {
    const stopped = await service().beside();
    const { secret } = await stopped.openAccount();
    const listener = await listenWith(secret, stopped);
    await stopped.close();
    await listener.ends();

    const lines = stopped.log.split('\n').filter((line) => line.includes(EVENTS));
    expect(lines.filter((line) => line.includes('"Answered"'))).toHaveLength(1);
    expect(lines.join()).toContain('"status":200');
  });

  onServer('tell what came and changed through another instance', async () => {
    const [one, other] = [service(), await service().beside()];
    const account = await one.openAccount();
    const shared = await account.makeForm();
    const listener = await listenWith(account.secret, one);

    const id = await other.submit(shared);
    await listener.hears('submissions', shared.identifier);
    const marks = { marks: { starred: true } };
    await other
      .as(account.secret ?? '')
      .patch(`${pathOf(shared)}/${id}/marks`, marks)
      .expect(200);
    await listener.hears('changes', shared.identifier);
  });
});
