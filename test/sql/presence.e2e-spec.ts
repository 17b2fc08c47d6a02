import { DataSource } from 'typeorm';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { onServer } from '../support/database-matrix.js';
import { EventListener } from '../support/event-listener.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, type Service, type FormBody, type Caller } from '../support/service.js';

const MEMBER: Standing = { clientId: null, role: 'viewer' };

const service = useService({ WORKERS: 'off' });
let listeners: EventListener[] = [];
let owner: Caller;
let form: FormBody;
let id: string;
beforeEach(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
  id = await service().submit(form);
});
afterEach(() => {
  for (const listener of listeners) listener.stop();
  listeners = [];
});

type Somebody = Awaited<ReturnType<typeof signedIn>>;

async function signedIn(standing: Standing = MEMBER, at = service()) {
  const { email, name, id: person } = await at.makePerson(owner, standing);
  const browser = await Browser.of(at, email);
  return { browser, name, person };
}

async function listen({ browser }: Somebody, at: Pick<Service, 'url'> = service()) {
  const listener = await EventListener.open(`${at.url}/events`, { Cookie: `fcs_session=${browser.session ?? ''}` });
  listeners.push(listener);
  return listener;
}

const here = () => `/inbox/${form.identifier}/${id}`;
/** Says that a page is open, or was left, as its script does. */
const say = ({ browser }: Somebody, open: boolean, path = here()) =>
  browser.post(`${path}/presence`, { open: String(open) });
/** Returns the other viewers that the page of the submission names. */
async function seenBy({ browser }: Somebody): Promise<string> {
  const { text } = await browser.get(here());
  const [, said = ''] = /<p id="presence"[^>]*>(.*?)<\/p>/s.exec(text) ?? [];
  return said.replace(/<[^<>]*>/g, '').trim();
}
const viewers = async (caller: Caller) => {
  const path = `/api/v1/forms/${form.identifier}/submissions/${id}/viewers` as const;
  return (await caller.get(path).expect(200)).body;
};
const rows = () => service().query<unknown[]>('SELECT * FROM presences');

describe('Who has a submission open', () => {
  it('is shown to others while it lasts, and never to oneself', async () => {
    const [jane, kim, ann] = [await signedIn(), await signedIn(), await signedIn()];
    expect((await say(jane, true)).status).toBe(204);

    expect(await seenBy(jane)).toBe('');
    expect(await seenBy(kim)).toBe(`${jane.name} is looking at this`);
    expect(await viewers(owner)).toEqual({ viewers: [{ person_id: jane.person, name: jane.name }] });
    await say(kim, true);
    expect(await seenBy(ann)).toBe(`${jane.name} and ${kim.name} are looking at this`);

    await say(jane, false);
    await say(kim, false);
    expect(await seenBy(ann)).toBe('');
    expect(await viewers(owner)).toEqual({ viewers: [] });
  });

  it('ends by itself for a page that says nothing any more, and upkeep removes it', async () => {
    const [jane, kim] = [await signedIn(), await signedIn()];
    await say(jane, true);
    const { app } = service();
    await app.get(DataSource).query("UPDATE presences SET open_until = '2000-01-01 00:00:00.000'");

    expect(await seenBy(kim)).toBe('');
    expect(await rows()).not.toEqual([]);
    await app.get(TaskRunner).runAll(new Date());
    expect((await rows()).length).toBe(0);
  });

  it('is one submission of a person, the last: what is left late takes nothing back', async () => {
    const [jane, kim] = [await signedIn(), await signedIn()];
    const other = await service().submit(form);
    await say(jane, true, `/inbox/${form.identifier}/${other}`);
    for (let n = 0; n < 5; n++) await say(jane, true);
    await say(jane, false, `/inbox/${form.identifier}/${other}`);

    expect(await seenBy(kim)).toBe(`${jane.name} is looking at this`);
    const own = await service().query<unknown[]>('SELECT * FROM presences WHERE person_id = ?', [jane.person]);
    expect(own).toHaveLength(1);
  });

  it('is heard of once when somebody comes and once when they go', async () => {
    const [jane, kim] = [await signedIn(), await signedIn()];
    const listener = await listen(kim);
    await say(jane, true);
    await listener.hears('presence', form.identifier);
    await say(jane, true);
    await service().submit(form);
    await listener.hears('submissions', form.identifier);
    const count = () => listener.heard.filter(({ event }) => event === 'presence').length;
    expect(count()).toBe(1);

    await say(jane, false);
    await service().submit(await owner.makeForm());
    const more = await listen(await signedIn());
    await more.hears('presence', form.identifier);
    expect(more.text).not.toContain(jane.name);
  });

  it('is told to people of a client of one another alone, to members of all', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const other = await owner.makeClient({ form_ids: [form.id] });
    const see = ['see'] as const;
    const [member, lea, max, oli] = [
      await signedIn(),
      await signedIn({ clientId: client, actions: [...see] }),
      await signedIn({ clientId: client, actions: [...see] }),
      await signedIn({ clientId: other, actions: [...see] }),
    ];
    const [ofMember, ofMax, ofOli] = [await listen(member), await listen(max), await listen(oli)];
    const asClient = service().as(await owner.makeClientToken(client));

    await say(member, true);
    await service().submit(form);
    await ofMax.hears('submissions', form.identifier);
    expect([await seenBy(lea), await seenBy(max), await seenBy(oli)]).toEqual(['', '', '']);
    expect(await viewers(asClient)).toEqual({ viewers: [] });
    await say(lea, true);
    await ofMax.hears('presence', form.identifier);
    await ofMember.hears('presence', form.identifier);
    await service().submit(form);

    expect(await seenBy(member)).toBe(`${lea.name} is looking at this`);
    expect(await seenBy(max)).toBe(`${lea.name} is looking at this`);
    expect(await seenBy(oli)).toBe('');
    expect(await viewers(asClient)).toEqual({ viewers: [{ person_id: lea.person, name: lea.name }] });
    await ofOli.hears('submissions', form.identifier);
    for (const { heard } of [ofOli]) {
      expect(heard.filter(({ event }) => event === 'presence')).toEqual([]);
    }
    expect(ofMax.heard.filter(({ event }) => event === 'presence')).toHaveLength(1);
  });

  it('can be said by the API, from the session of a browser, and heard in the answer', async () => {
    const [jane, kim] = [await signedIn(), await signedIn()];
    const path = `/api/v1/me/forms/${form.identifier}/submissions/${id}/presence` as const;
    await say(kim, true);

    const { status, body } = await jane.browser.call('put', path);
    expect({ status, body: body }).toEqual({
      status: 200,
      body: { viewers: [{ person_id: kim.person, name: kim.name }] },
    });
    expect(await seenBy(kim)).toBe(`${jane.name} is looking at this`);
    expect((await jane.browser.call('delete', path)).status).toBe(200);
    expect(await seenBy(kim)).toBe('');

    refusal(401, 'session_required')(await new Browser(service()).call('put', path));
    const stranger = await (await service().openAccount()).makeForm();
    const foreign = path.replace(form.identifier, stranger.identifier);
    refusal(404, 'form_not_found')(await jane.browser.call('put', foreign));
  });

  it('cannot be said or asked of what one does not see, just as of what is not there', async () => {
    const stranger = await service().openAccount();
    const foreign = await stranger.makeForm();
    const theirs = await service().submit(foreign);
    const jane = await signedIn();
    const unknown = '01890000-0000-7000-8000-000000000000';
    for (const path of [
      `/inbox/${foreign.identifier}/${theirs}`,
      `/inbox/${form.identifier}/${theirs}`,
      `/inbox/${form.identifier}/${unknown}`,
    ]) {
      expect((await say(jane, true, path)).status).toBe(404);
    }
    await owner
      .get(`/api/v1/forms/${form.identifier}/submissions/${theirs}/viewers`)
      .expect(refusal(404, 'submission_not_found'));
    await owner
      .get(`/api/v1/forms/${foreign.identifier}/submissions/${theirs}/viewers`)
      .expect(refusal(404, 'form_not_found'));
  });

  onServer('is told through another instance', async () => {
    const [one, two] = [service(), await service().beside()];
    owner = await one.openAccount();
    form = await owner.makeForm();
    id = await one.submit(form);
    const [jane, kim] = [await signedIn(MEMBER, one), await signedIn(MEMBER, two)];
    const listener = await listen(kim, two);

    await say(jane, true);
    await listener.hears('presence', form.identifier);
    expect(await seenBy(kim)).toBe(`${jane.name} is looking at this`);

    listener.stop();
  });
});
