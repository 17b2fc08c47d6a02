import { flashWords } from '../../src/web/layout/words.js';
import { elementsOf, textOf } from '../support/page.js';
import type { Fields } from '../support/people.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
let form: FormBody;
let orders: FormBody;
const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact' });
  orders = await owner.makeForm({ name: 'Bakery orders' });
});

const addressOf = (q: string) => `/inbox?${new URLSearchParams({ q }).toString()}`;
const here = (id: string, of = form) => `/inbox/${of.identifier}/${id}`;

/** Ids of the submissions that a page links to, in order. */
const idsOn = (page: string): string[] =>
  Array.from(page.matchAll(/class="row"[^>]*href="\/inbox\/[0-9a-f]{16}\/([^"?]+)/g), ([, id = '']) => id);

const listed = async (q: string, browser = jane) => idsOn((await browser.get(addressOf(q))).text);
/** Ids of the rows that are shown as unread. */
const unreadOn = (page: string) =>
  idsOn(
    page
      .split('<tr class="unread"')
      .slice(1)
      .map((row) => row.split('</tr>')[0])
      .join(),
  );
const titleOf = (page: string) => textOf(page, 'title')[0];
const linksOf = (page: string, rel: string) =>
  elementsOf(page)
    .filter(({ attributes }) => attributes.rel === rel)
    .map(({ attributes }) => attributes.href ?? '');

it('A list without results names what was taken for a field, since it is no filter', async () => {
  const { text } = await jane.get(addressOf('foo:bar'));
  expect(text).toContain('These are no filters, so we looked for fields of these names: “foo:”.');
  expect((await jane.get(addressOf('from:2020-01-01 nothing'))).text).not.toContain('no filters');
});

async function act(path: string, fields: Fields) {
  const sent = await jane.post(path, fields);
  expect({ path, status: sent.status }).toEqual({ path, status: 303 });
  return String(sent.headers.location);
}

describe('The inbox', () => {
  it('opens with what is new, and has a folder for all, done, spam and the trash', async () => {
    const fresh = await service().submit(form, { m: 'x' });
    const done = await service().submit(form, { m: 'x' });
    const spam = await service().submitSpam(orders, { m: 'x' });
    const trash = await service().submit(form, { m: 'x' });
    await act(`${here(done)}/marks`, { done: 'true' });
    await act(`${here(trash)}/marks`, { trash: 'true' });

    const { text } = await jane.get('/inbox');

    expect(idsOn(text)).toEqual([fresh]);
    const tabs = elementsOf(text).map(({ attributes }) => attributes.href);
    for (const [q, ids] of [
      ['', [done, fresh]],
      ['is:done', [done]],
      ['is:spam', [spam]],
      ['is:trash', [trash]],
    ] as const) {
      expect(tabs).toContain(addressOf(q));
      expect({ q, ids: await listed(q) }).toEqual({ q, ids });
    }
  });

  it('finds by words, form, state, value, file and time, all of them at once', async () => {
    const send = (to: FormBody, values: object) => service().submit(to, values);
    const zoe = { name: 'Zoë', email: 'zoe@example.com' };
    const omar = { name: 'Omar', email: 'omar@example.com' };
    const cake = await send(orders, { ...zoe, wish: 'A wedding Cake' });
    const bread = await send(orders, { ...omar, wish: 'Rye bread' });
    const hello = await send(form, { ...zoe, m: 'Hello' });
    const file = await service().submitFile(form, 'a file', { email: 'ann@example.com' });
    await act(`${here(bread, orders)}/marks`, { starred: 'true' });
    await act(`${here(cake, orders)}/marks`, { answered: 'true' });
    const cases: [string, string[]][] = [
      ['', [file, hello, bread, cake]],
      ['CAKE', [cake]],
      ['wedding zoë', [cake]],
      ['"wedding cake"', [cake]],
      ['"cake wedding"', []],
      ['form:contact', [file, hello]],
      ['form:"bakery orders"', [bread, cake]],
      [`form:${orders.identifier} form:contact`, [file, hello, bread, cake]],
      ['email:zoe@example.com', [hello, cake]],
      ['email:zoe@example.com form:contact', [hello]],
      ['email:ZOE@Example.com', [hello, cake]],
      ['email:ann@example.com', [file]],
      ['"email":ZOE@example.com', []],
      ['"email":zoe@example.com', [hello, cake]],
      ['name:Zoë wish:"A wedding Cake"', [cake]],
      ['has:file', [file]],
      ['is:starred', [bread]],
      ['is:starred cake', []],
      ['is:answered', [cake]],
      ['is:unread', [file, hello, bread, cake]],
      ['from:today', [file, hello, bread, cake]],
      ['to:today', []],
      ['from:2001-01-31 to:2999-01-31 rye', [bread]],
    ];
    for (const [q, ids] of cases) expect({ q, ids: await listed(q) }).toEqual({ q, ids });
  });

  it('finds a sender by address in any case of letters, whatever the field is called', async () => {
    const ids: string[] = [];
    for (const field of ['Email', '_replyto', 'Kontakt']) {
      ids.unshift(await service().submit(form, { [field]: 'Ann@Example.com' }));
    }
    await service().submit(form, { email: 'ben@example.com', m: 'ann@example.com' });
    for (const q of ['email:ann@example.com', 'EMAIL:ANN@EXAMPLE.COM', 'visitor:ann@example.com']) {
      expect({ q, ids: await listed(q) }).toEqual({ q, ids });
    }
  });

  it('says beside the field what it cannot understand, and shows nothing then', async () => {
    await service().submit(form, { m: 'x' });

    for (const q of ['is:odd', 'from:soon', 'has:fun', 'form:nothing', 'is:new is:odd']) {
      const { status, text } = await jane.get(addressOf(q));
      expect({ q, status, ids: idsOn(text) }).toEqual({ q, status: 422, ids: [] });
      expect(text).toContain(`Unknown filter: ${q.replace('is:new ', '')}`);
      expect(elementsOf(text)).toContainEqual(
        expect.objectContaining({ attributes: expect.objectContaining({ name: 'q', value: q }) as unknown }),
      );
    }
  });

  it('goes back in time without a gap and without a repetition, whatever the filter', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 55; n++) {
      const id = await service().submit(n % 2 === 0 ? form : orders, { n: 'x', odd: n % 2 });
      ids.unshift(id);
    }
    for (const q of ['', 'x', 'is:unread', 'n:x']) {
      const found: string[] = [];
      let next: string | undefined = addressOf(q);
      while (next !== undefined) {
        const { text } = await jane.get(next);
        found.push(...idsOn(text));
        [next] = linksOf(text, 'next');
      }
      expect({ q, found }).toEqual({ q, found: ids });
    }
  });
});

describe('What is unread', () => {
  it('is bold in the list, and counted in the title and beside its form', async () => {
    const first = await service().submit(form, { m: 'x' });
    const second = await service().submit(orders, { m: 'x' });

    const before = (await jane.get('/inbox')).text;
    expect(titleOf(before)).toMatch(/^\(2\) Inbox/);
    expect(unreadOn(before)).toEqual([second, first]);
    expect(before).toMatch(/Contact<\/span><span class="count">1 /);

    // A browser without script says by opening the page that it was read.
    await jane.get(here(first));

    const after = (await jane.get('/inbox')).text;
    expect(titleOf(after)).toMatch(/^\(1\) Inbox/);
    expect(unreadOn(after)).toEqual([second]);
    expect(await listed('is:unread')).toEqual([second]);
  });

  it('stays so for one who only fetches ahead, and for one whose script has not seen it yet', async () => {
    const id = await service().submit(form, { m: 'x' });
    jane.cookies.set('fcs_zone', 'UTC');

    await jane.get(here(id));
    expect(await listed('is:unread')).toEqual([id]);

    expect((await jane.post(`${here(id)}/read`, { read: 'true' })).status).toBe(204);
    expect(await listed('is:unread')).toEqual([]);
  });

  it('is so again by a button, which leads back to the list', async () => {
    const id = await service().submit(form, { m: 'x' });
    await jane.get(here(id));

    const back = await act(`${here(id)}/read`, { read: 'false', q: 'is:new form:contact' });

    expect(back).toBe('/inbox?q=is%3Anew+form%3Acontact');
    expect(await listed('is:unread')).toEqual([id]);
  });

  it('is all read by a button, but for what came after the page was shown', async () => {
    await service().submit(form, { m: 'x' });
    await service().submit(orders, { m: 'x' });
    const { text } = await jane.get('/inbox');
    const upTo = elementsOf(text).find(({ attributes }) => attributes.name === 'up_to')?.attributes.value ?? '';
    const later = await service().submit(form, { m: 'x' });

    await act('/inbox/read', { q: 'is:new', up_to: upTo });

    expect(await listed('is:unread')).toEqual([later]);
  });

  it('stays so when a form of the filter has another name since the page was shown, or is gone', async () => {
    const kept = await service().submit(form, { m: 'x' });
    const other = await service().submit(orders, { m: 'x' });

    for (const q of ['form:renamed', 'form:renamed form:contact', 'is:nonsense']) {
      const { text } = await act('/inbox/read', { q, up_to: other }).then(() => jane.get('/inbox'));
      expect(text).toContain('Nothing changed');
    }

    expect(await listed('is:unread')).toEqual([other, kept]);
  });

  it('is each person’s own', async () => {
    const omar = await service().makeBrowser(owner, { clientId: null, role: 'viewer' });
    const id = await service().submit(form, { m: 'x' });

    await omar.get(here(id));

    expect(await listed('is:unread', omar)).toEqual([]);
    expect(await listed('is:unread')).toEqual([id]);
  });
});

describe('A submission that was opened from a list', () => {
  it('has its neighbours in that list, in both directions', async () => {
    const first = await service().submit(form, { wish: 'cake' });
    const second = await service().submit(orders, { wish: 'cake' });
    await service().submit(form, { wish: 'bread' });
    const third = await service().submit(form, { wish: 'cake' });
    const from = (id: string, of: FormBody, q: string) => `${here(id, of)}?${new URLSearchParams({ q }).toString()}`;
    for (const q of ['cake', 'wish:cake', 'is:unread cake']) {
      const { text } = await jane.get(from(second, orders, q));
      // Opening it marks it as read, so it is not itself among what is unread any more.
      expect({ q, newer: linksOf(text, 'prev') }).toEqual({ q, newer: [from(third, form, q)] });
      expect({ q, older: linksOf(text, 'next') }).toEqual({ q, older: [from(first, form, q)] });
    }
    const { text } = await jane.get(from(third, form, 'cake'));
    expect(linksOf(text, 'prev')).toEqual([]);
    expect(linksOf((await jane.get(here(second, orders))).text, 'next')).toEqual([]);
  });

  it.each(['done', 'spam', 'trash'])('goes on to the next when it is %s, and to the list at the end', async (name) => {
    const first = await service().submit(form, { m: 'x' });
    const second = await service().submit(form, { m: 'x' });

    expect(await act(`${here(second)}/marks`, { [name]: 'true', q: 'is:new' })).toBe(`${here(first)}?q=is%3Anew`);
    expect(await act(`${here(first)}/marks`, { [name]: 'true', q: 'is:new' })).toBe('/inbox');
    const { body } = await owner.get(`${pathOf(form)}/${first}/marks`).expect(200);
    expect(body).toMatchObject({ marks: { done: name === 'done' } });
  });

  it('stays where it is when it gets a star, or is taken back', async () => {
    const id = await service().submit(form, { m: 'x' });
    const changes: Fields[] = [{ starred: 'true' }, { starred: 'false' }, { done: 'false' }];
    for (const fields of changes) {
      const to = await act(`${here(id)}/marks`, { ...fields, q: 'is:new' });
      expect(to).toBe(`${here(id)}?q=is%3Anew`);
    }
  });
});

describe('What is written on the page of a submission', () => {
  it('is kept: tags that lead to all that have them, and notes', async () => {
    const id = await service().submit(form, { m: 'x' });

    await act(`${here(id)}/tags`, { tags: 'Urgent, call back,' });
    const back = await act(`${here(id)}/notes`, { 'note.text': 'Call <b>her</b>', q: 'is:new' });

    expect(back).toBe(`${here(id)}?q=is%3Anew`);
    const { text } = await jane.get(back);
    expect(text).toContain('Call &lt;b>her&lt;/b>');
    const tags = elementsOf(text).filter(({ attributes }) => attributes.class === 'chip');
    expect(tags.map(({ attributes }) => attributes.href)).toEqual([
      addressOf('tag:"call back"'),
      addressOf('tag:urgent'),
    ]);
    expect(await listed('tag:"call back"')).toEqual([id]);

    const remove = elementsOf(text).find(({ attributes }) => attributes.action?.endsWith('/delete'));
    await act(remove?.attributes.action ?? '', {});
    expect((await jane.get(here(id))).text).not.toContain('Call &lt;b>her');
  });

  it('is asked for again when it breaks a rule, and nothing typed is lost', async () => {
    const id = await service().submit(form, { m: 'x' });
    const long = 'x'.repeat(41);

    const tags = await jane.post(`${here(id)}/tags`, { tags: `urgent, ${long}` });
    expect(tags.status).toBe(422);
    expect(tags.text).toContain(`value="urgent, ${long}"`);
    const note = await jane.post(`${here(id)}/notes`, { 'note.text': '' });
    expect(note.status).toBe(422);
    expect(note.text).toContain('Must have 1 to 10000 characters');
  });
});

describe('Several submissions in the list', () => {
  const undoOf = (page: string) => {
    const [, form = ''] = /<form[^>]*data-undo[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
    const fields: Record<string, string[]> = {};
    for (const { name, attributes } of elementsOf(form)) {
      if (name === 'input') (fields[attributes.name ?? ''] ??= []).push(attributes.value ?? '');
    }
    return fields;
  };
  const send = (fields: Fields) => act('/inbox/bulk', fields);
  const submitThree = async () => {
    const ids: string[] = [];
    for (const target of [form, orders, form]) ids.unshift(await service().submit(target, { m: 'x' }));
    return ids;
  };

  it.each([
    ['done', 'is:new', 'is:done'],
    ['spam', 'is:new', 'is:spam'],
    ['trash', 'is:new', 'is:trash'],
    ['starred', '', 'is:starred'],
    ['answered', '', 'is:answered'],
  ])('are changed by their boxes and a button, and taken back by another: %s', async (name, line, q) => {
    const [third = '', second = '', first = ''] = await submitThree();
    const shown = [third, second, first].join(',');

    const to = await send({ q: line, shown, id: [third, second], [name]: 'true' });

    const [address = '', row] = to.split('#');
    expect(row).toBe(`s-${first}`);
    const page = (await jane.get(address)).text;
    expect(page).toContain(`id="s-${first}"`);
    expect(await listed(q)).toEqual([third, second]);
    await send(undoOf(page));
    expect(await listed(q)).toEqual([]);
    expect(await listed('is:new')).toEqual([third, second, first]);
  });

  it('are taken back only where something was changed', async () => {
    const [third = '', second = ''] = await submitThree();
    await send({ id: second, done: 'true' });

    const to = await send({ q: '', id: [third, second], done: 'true' });
    await send(undoOf((await jane.get(to)).text));

    expect(await listed('is:done')).toEqual([second]);
  });

  it('are all on the page by one box, get a tag, and are left alone when nothing is selected', async () => {
    const ids = await submitThree();

    await send({ shown: ids.join(','), all: 'true', tag: 'true', add_tag: 'Urgent' });
    expect(await listed('tag:urgent')).toEqual(ids);

    const none = { q: 'is:unread', shown: ids.join(','), done: 'true' };
    expect(await send(none)).toBe('/inbox?q=is%3Aunread');
    expect(await listed('is:done')).toEqual([]);
  });

  it('can be taken back after one of them was moved on its own page', async () => {
    const [third = '', second = ''] = await submitThree();

    const to = await act(`${here(third)}/marks`, { trash: 'true', q: 'is:new' });

    expect(to).toBe(`${here(second, orders)}?q=is%3Anew`);
    await send(undoOf((await jane.get(to)).text));
    expect(await listed('is:trash')).toEqual([]);
  });

  it.each([
    ['starred', 'true', 'is:starred', false],
    ['answered', 'true', 'is:answered', false],
    ['done', 'false', 'is:done', true],
    ['trash', 'false', 'is:trash', true],
    ['spam', 'false', 'is:spam', true],
  ])('can be taken back on the page of one: %s=%s', async (name, value, q, isBefore) => {
    const id = await service().submit(form, { m: 'x' });
    if (isBefore) {
      const other = await service().makeBrowser(owner, { clientId: null, role: 'owner' });
      await other.post(`${here(id)}/marks`, { [name]: 'true' });
    }
    const to = await act(`${here(id)}/marks`, { [name]: value, q: 'form:contact' });
    const page = (await jane.get(to)).text;
    expect((await listed(q)).includes(id)).toBe(!isBefore);
    const [, action = ''] = /<form[^>]*action="([^"]*)"[^>]*data-undo/.exec(page) ?? [];
    const back = await act(action, undoOf(page));

    expect((await listed(q)).includes(id)).toBe(isBefore);
    expect(back).toBe(`${here(id)}?q=form%3Acontact`);
    expect((await jane.get(back)).text).not.toContain('data-undo');
  });

  it('can be taken back one after the other, the latest first, on whatever page one is by then', async () => {
    const [third = '', second = ''] = await submitThree();
    const { headers } = await jane.post(`${here(third)}/marks`, { done: 'true', q: 'is:new' });
    await jane.get(headers.location ?? '');
    await act(`${here(second, orders)}/marks`, { trash: 'true', q: 'is:new' });
    await jane.get(here(third));

    const page = (await jane.get('/forms')).text;
    expect(page).not.toContain(flashWords.in_trash);
    const back = await send(undoOf(page));
    const before = (await jane.get(back)).text;
    expect(await listed('is:trash')).toEqual([]);
    expect(before).toContain(flashWords.changed_back);
    expect(before).not.toContain(flashWords.is_done);
    const last = await send(undoOf(before));
    const { text } = await jane.get(last);
    expect(text).toContain(flashWords.changed_back);
    expect(text).not.toContain('data-undo');
    expect(await listed('is:done')).toEqual([]);
    // Browsers forget it ten seconds later.
    const offered = /fcs_undo_\S+; Max-Age=10; /;
    expect(String(headers['set-cookie'])).toMatch(offered);
  });

  it('can be taken back as often as a header of cookies surely has room', async () => {
    const [id = ''] = await submitThree();
    for (let n = 0; n < 12; n++) {
      await send({ q: 'x'.repeat(900), id, starred: String(n % 2 === 0) });
    }
    const kept = [...jane.cookies].filter(([name]) => name.startsWith('fcs_undo_'));
    const bytes = kept.reduce((sum, [, value]) => sum + value.length, 0);
    expect(kept.length).toBeGreaterThan(2);
    expect(bytes).toBeLessThan(6_000);
  });

  it('can be taken back where one was marked as unread, or lost a tag', async () => {
    const id = await service().submit(form, { m: 'x' });
    await act(`${here(id)}/tags`, { tags: 'a, b' });
    await jane.post(`${here(id)}/read`, { read: 'true' });
    const to = await act(`${here(id)}/read`, { read: 'false', q: '' });
    const unread = (await jane.get(to)).text;
    expect(await listed('is:unread')).toEqual([id]);
    await send(undoOf(unread));
    expect(await listed('is:unread')).toEqual([]);

    const list = await send({ q: '', id, remove_tag: 'a' });
    const untagged = (await jane.get(list)).text;
    expect(await listed('tag:a')).toEqual([]);
    await send(undoOf(untagged));
    expect(await listed('tag:a')).toEqual([id]);
  });

  it('are exported as a file of them alone, where they are of one form', async () => {
    const [first = '', elsewhere = '', second = ''] = await submitThree();
    await service().submit(form, { m: 'not selected' });

    const sent = await jane.post('/inbox/bulk', { id: [first, second], q: '', export: 'ndjson' });
    const exported = (await jane.get(String(sent.headers.location))).text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(exported.sort()).toEqual([first, second].sort());

    const mixed = await jane.post('/inbox/bulk', { id: [first, elsewhere], q: '', export: 'csv' });
    expect(mixed.headers.location).toBe('/inbox?q=');
    expect((await jane.get('/inbox?q=')).text).toContain(flashWords.several_forms);
    await jane.post(`/inbox/${form.identifier}/${second}/marks`, { trash: 'true' });
    const trashed = await jane.post('/inbox/bulk', { id: second, q: 'is:trash', export: 'csv' });
    expect((await jane.get(String(trashed.headers.location))).text).toContain(second);
  });

  it('are only read and unread for a viewer', async () => {
    const ids = await submitThree();
    const viewer = await service().makeBrowser(owner, { clientId: null, role: 'viewer' });

    const { text } = await viewer.get('/inbox');
    const [, bar = ''] = /class="bulk-actions"[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
    const buttons = elementsOf(bar).filter(({ name }) => name === 'button');
    expect(buttons.map(({ attributes }) => attributes.name)).toEqual([
      ...['read', 'read'],
      ...['export', 'export', 'export'],
    ]);
    expect((await viewer.post('/inbox/bulk', { id: ids[0] ?? '', done: 'true' })).status).toBe(403);
    await viewer.post('/inbox/bulk', { shown: ids.join(','), all: 'true', read: 'true' });
    expect(await listed('is:unread', viewer)).toEqual([]);
  });
});

describe('All that match', () => {
  const fill = (count: number) => Promise.all(Array.from({ length: count }, () => service().submit(form, { m: 'x' })));

  it('are offered where there are more pages, asked about, and followed on a page that can stop it', async () => {
    await fill(2);
    expect((await jane.get('/inbox')).text).not.toContain('name="every"');
    await fill(50);
    const { text: list } = await jane.get('/inbox');
    expect(textOf(list, 'label')).toContain('All 52 results');

    const all = { all: 'true', every: 'true', q: 'is:new', shown: '' };
    const asked = await act('/inbox/bulk', { ...all, done: 'true' });
    expect(asked).toBe('/new-job?q=is%3Anew&done=true');
    const { text: question } = await jane.get(asked);
    expect(textOf(question, 'dd')).toEqual(['<code>is:new</code>', 'Mark as done', '52']);
    expect(textOf(question, 'button')).toContain('<span>Change 52</span>');
    expect(await listed('is:done')).toEqual([]);

    const job = await act('/jobs', { q: 'is:new', done: 'true' });
    const { text: begun } = await jane.get(job);
    expect(begun).toContain('0 of 52 processed');
    expect(begun).toContain(`data-from="${job}" data-every=`);
    const underWay = 'Bulk change running: 0 of 52';
    expect((await jane.get('/inbox')).text).toContain(`<a href="${job}">${underWay}</a>`);

    expect(await act(`${job}/stop`, {})).toBe(job);
    const { text: stopped } = await jane.get(job);
    expect(stopped).toContain('stopped');
    expect(stopped).not.toContain('hx-get');
    expect((await jane.get('/inbox')).text).not.toContain(`href="${job}"`);
  });

  it('say in the inbox that they are exported, and on a page as what', async () => {
    await fill(1);
    const exports = `/api/v1/forms/${form.identifier}/exports` as const;
    const job = `/jobs/${(await owner.post(exports, { format: 'xlsx' }).expect(202)).body.id}`;

    const { text } = await jane.get('/inbox');

    expect(text).toContain(`<a href="${job}">Export running: 0 of 1</a>`);
    expect(textOf((await jane.get(job)).text, 'dd')).toContain('Excel');
  });

  it('are not meant by the box alone once a row is left out, and a filter that is unclear leads back', async () => {
    const [id = ''] = await fill(2);
    await act('/inbox/bulk', { id, every: 'true', q: 'is:new', done: 'true' });
    expect(await listed('is:done')).toEqual([id]);
    const viewer = await service().makeBrowser(owner, { clientId: null, role: 'viewer' });
    expect((await viewer.get('/new-job?q=is:new&done=true')).status).toBe(403);
    expect((await viewer.post('/jobs', { q: 'is:new', done: 'true' })).status).toBe(403);
    expect(await act('/jobs', { q: 'is:x', done: 'true' })).toBe('/inbox?q=is%3Ax');
    expect(await act('/jobs', { q: 'is:new' })).toBe('/inbox');
  });
});
