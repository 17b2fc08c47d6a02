import type { Schemas } from '../../build/api.js';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { ACTS_MAX } from '../../src/submissions/acts/submission-acts.service.js';
import { textOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const MEMBER: Standing = { clientId: null, role: 'editor' };
const TOKEN = 'First token';

type EntryBody = Schemas['TimelineEntryDto'];

const service = useService({ WORKERS: 'off' });
let form: FormBody;
let id: string;
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm();
  id = await service().submit(form);
});

async function signedIn(standing: Standing = MEMBER) {
  const { email, name, id: person } = await service().makePerson(owner, standing);
  const browser = await Browser.of(service(), email);
  return { browser, name, person, email };
}

const pageOf = (which = id) => `/inbox/${form.identifier}/${which}`;
const apiOf = (which = id) => `${pathOf(form)}/${which}` as const;
async function timelineOf(caller = owner, which = id): Promise<EntryBody[]> {
  const all: EntryBody[] = [];
  for (let page = 1; ; page++) {
    const { body, headers } = await caller.get(`${apiOf(which)}/timeline?page=${page}`).expect(200);
    all.push(...body.timeline);
    if (all.length >= Number(headers['x-total-count'])) return all;
  }
}
/** Returns actions and their authors. */
const told = (entries: EntryBody[]) =>
  entries.map(({ what, by, tag, assignee }) =>
    [what, tag ?? assignee?.name, by?.name].filter((part) => part != null).join(' '),
  );
const mark = (marks: object, caller = owner) => caller.patch(`${apiOf()}/marks`, { marks });

describe('The timeline of a submission', () => {
  it('tells what was done to it, by whom, in that order, and only what changed something', async () => {
    const jane = await signedIn();
    await mark({ done: true, starred: true }).expect(200);
    await mark({ done: true, starred: true, answered: false, read: true }).expect(200);
    await jane.browser.post(`${pageOf()}/marks`, { done: 'false' });
    await owner.put(`${apiOf()}/tags`, { tags: ['urgent'] }).expect(200);
    await owner.put(`${apiOf()}/tags`, { tags: ['urgent', 'vip'] }).expect(200);
    await owner.put(`${apiOf()}/tags`, { tags: ['vip'] }).expect(200);
    await owner.put(`${apiOf()}/assignee`, { assignee: { person_id: jane.person } }).expect(200);
    await owner.delete(`${apiOf()}/assignee`).expect(200);
    await owner.delete(`${apiOf()}/assignee`).expect(200);
    await jane.browser.post(`${pageOf()}/notes`, { 'note.text': 'Called' });
    await mark({ starred: false, answered: true }).expect(200);
    for (const submission of [{ trash: true }, { trash: true }, { trash: false }, { spam: true }]) {
      await owner.patch(apiOf(), { submission }).expect(200);
    }
    await owner.patch(apiOf(), { submission: { spam: false } }).expect(200);

    const entries = await timelineOf();

    expect(told(entries)).toEqual([
      'received',
      'judged',
      `done ${TOKEN}`,
      `starred ${TOKEN}`,
      `not_done ${jane.name}`,
      `tagged urgent ${TOKEN}`,
      `tagged vip ${TOKEN}`,
      `untagged urgent ${TOKEN}`,
      `assigned ${jane.name} ${TOKEN}`,
      `unassigned ${TOKEN}`,
      `note ${jane.name}`,
      `answered ${TOKEN}`,
      `unstarred ${TOKEN}`,
      `trashed ${TOKEN}`,
      `restored ${TOKEN}`,
      `spam ${TOKEN}`,
      `not_spam ${TOKEN}`,
    ]);
    const notDone = entries.find(({ what }) => what === 'not_done');
    expect(notDone?.by).toEqual({ kind: 'person', id: jane.person, name: jane.name });
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  it('tells its deliveries with their attempts, its note and why it was judged so', async () => {
    form = await owner.makeForm({ webhook_url: 'https://hooks.example/x' });
    const called = await service().submit(form);
    const { body } = await owner.post(`${apiOf(called)}/notes`, { note: { text: 'Look' } }).expect(201);
    const spam = await service().submitSpam(form, { m: 'x' });

    const entries = await timelineOf(owner, called);
    expect(entries.find(({ what }) => what === 'delivery')?.delivery).toMatchObject({
      ...{ kind: 'webhook', state: 'pending', attempts: [] },
    });
    expect(entries.find(({ what }) => what === 'note')?.note_id).toBe(body.id);
    const [, judged] = await timelineOf(owner, spam);
    expect(judged).toMatchObject({ what: 'judged', verdict: { verdict: 'spam' } });
  });

  it('tells of changes to many, each for those that were not so before', async () => {
    const other = await service().submit(form);
    await mark({ done: true }).expect(200);
    const ids = { ids: [id, other] };
    for (const changes of [{ done: true, add_tag: 'vip' }, { done: true }, { trash: true }]) {
      await owner.post('/api/v1/submissions/bulk', { ...ids, changes }).expect(200);
    }

    const by = (what: string) => `${what} ${TOKEN}`;
    expect(told(await timelineOf())).toEqual(['received', ...['done', 'tagged vip', 'trashed'].map(by)]);
    expect(told(await timelineOf(owner, other))).toEqual(
      ['received', ...['trashed', 'done', 'tagged vip'].map(by).sort()].sort(
        (a, b) => Number(b === 'received') - Number(a === 'received'),
      ),
    );
  });

  it('tells when somebody says of what is held that it is no spam', async () => {
    await owner.put(`/api/v1/forms/${form.identifier}/spam`, { spam: { held_at: 1, spam_at: 50 } }).expect(200);
    const held = await service().submitSpam(form, { m: 'x' });
    await owner.patch(apiOf(held), { submission: { spam: false } }).expect(200);
    await owner.patch(apiOf(held), { submission: { spam: false } }).expect(200);

    const acts = told(await timelineOf(owner, held)).filter((each) => each.includes('spam'));
    expect(acts).toEqual([`not_spam ${TOKEN}`]);
  });

  it('tells who first saw it: once for each person, neither of tokens nor of who looks as somebody', async () => {
    const [jane, kim] = [await signedIn(), await signedIn()];
    await owner.get(apiOf()).expect(200);
    await kim.browser.get('/inbox');
    expect(told(await timelineOf())).toEqual(['received']);

    await jane.browser.post(`${pageOf()}/presence`, { open: 'true' });
    await jane.browser.post(`${pageOf()}/presence`, { open: 'false' });
    await jane.browser.post(`${pageOf()}/presence`, { open: 'true' });
    await kim.browser.get(pageOf());
    await kim.browser.get(pageOf());

    const entries = await timelineOf();
    expect(told(entries)).toEqual(['received', `seen ${jane.name}`, `seen ${kim.name}`]);
    expect(entries[1]?.by).toEqual({ kind: 'person', id: jane.person, name: jane.name });
  });

  it('tells people of a client of one another alone: of others neither names nor looks', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const lea = await signedIn({ clientId: client, actions: ['see', 'triage'] });
    const oli = await signedIn({ clientId: await owner.makeClient({ form_ids: [form.id] }), actions: ['see'] });
    const member = await signedIn();
    for (const { browser } of [lea, oli, member]) await browser.get(pageOf());
    await lea.browser.post(`${pageOf()}/marks`, { starred: 'true' });
    await member.browser.post(`${pageOf()}/marks`, { done: 'true' });
    await owner.put(`${apiOf()}/assignee`, { assignee: { person_id: member.person } }).expect(200);

    const hers = service().as(await owner.makeClientToken(client));
    expect(told(await timelineOf(hers))).toEqual([
      'received',
      `seen ${lea.name}`,
      `starred ${lea.name}`,
      'done',
      'assigned',
    ]);
    const { text } = await lea.browser.get(pageOf());
    expect(text).toContain('Marked as done');
    expect(text).toContain('Assigned to Somebody else');
    for (const { name } of [oli, member]) expect(text).not.toContain(name);
    expect(told(await timelineOf())).toContain(`seen ${oli.name}`);
  });

  it('keeps the last acts and who saw it, however often it is changed', async () => {
    const jane = await signedIn();
    await jane.browser.get(pageOf());
    await mark({ starred: true }).expect(200);
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
    for (let acts = 0; acts < ACTS_MAX + tags.length; acts += 2 * tags.length) {
      for (const each of [tags, []]) await owner.put(`${apiOf()}/tags`, { tags: each }).expect(200);
    }

    const entries = told(await timelineOf());
    expect(entries.slice(0, 2)).toEqual(['received', `seen ${jane.name}`]);
    // The star is there still, so it is known from its mark.
    expect(entries[2]).toBe(`starred ${TOKEN}`);
    expect(entries).toHaveLength(3 + ACTS_MAX);
  });

  it('is shown on its page', async () => {
    const jane = await signedIn();
    await mark({ done: true }).expect(200);
    await owner.put(`${apiOf()}/tags`, { tags: ['urgent', 'vip'] }).expect(200);

    const { text } = await jane.browser.get(pageOf());
    const shown = /<ol class="timeline">.*?<\/ol>/s.exec(text)?.[0] ?? '';
    const items = textOf(shown, 'li').map((item) => item.replace(/<\/span>/g, ' ').replace(/<[^<>]*>/g, ''));
    expect(items[0]).toContain('Received and stored');
    expect(items[1]).toContain('No notifications configured');
    expect(items[2]).toContain(`Marked as done by ${TOKEN},`);
    expect(items[3]).toContain(`Tagged “urgent”, “vip” by ${TOKEN},`);
    expect(items[4]).toContain(`First seen by ${jane.name},`);
  });

  it('goes with the submission', async () => {
    await mark({ done: true }).expect(200);
    await owner.delete(apiOf()).expect(200);
    const rows = await service().query<unknown[]>('SELECT id FROM submission_acts WHERE submission_id = ?', [
      parseUuid(id),
    ]);
    expect(rows).toHaveLength(0);
  });

  it('is told of nothing that one does not see, just as of what is not there', async () => {
    const stranger = await service().openAccount();
    await stranger.get(`${apiOf()}/timeline`).expect(refusal(404, 'form_not_found'));
    const other = await owner.makeForm();
    await owner.get(`${pathOf(other)}/${id}/timeline`).expect(refusal(404, 'submission_not_found'));
    await owner.get(`${pathOf(form)}/x/timeline`).expect(404);
  });
});
