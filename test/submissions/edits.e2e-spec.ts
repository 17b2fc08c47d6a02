import { DataSource } from 'typeorm';
import type { Schemas } from '../../build/api.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { fill, idOf } from '../support/fill.js';
import { accountOf } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
/** As many texts as make a whole block, and some beyond. */
const ROWS = 5_200;
const owner = useOwner(service);
const form = useForm(owner);

const upkeep = () => service().upkeep();
const valuesAt = (id: string) => `${pathOf(form)}/${id}/values` as const;
const edit = (id: string, values: object, caller = owner) => caller.patch(valuesAt(id), { values });
const sendJson = async (json: string): Promise<string> => {
  const { body } = await service()
    .anonymous()
    .post(`/f/${form.identifier}`)
    .set({ Accept: 'application/json', 'Content-Type': 'application/json' })
    .send(json)
    .expect(200);
  return body.id;
};

type Entry = Schemas['TimelineEntryDto'];
async function edits(id: string): Promise<Entry[]> {
  const { body } = await owner.get(`${pathOf(form)}/${id}/timeline`).expect(200);
  return body.timeline.filter(({ what }) => what === 'edited');
}
const idsWith = async (q: string) =>
  (await owner.list(form, new URLSearchParams({ q }).toString())).submissions.map(({ id }) => id);
async function choices(): Promise<Record<string, number>> {
  const { body } = await owner.get(`/api/v1/forms/${form.identifier}/statistics/values`);
  const [field] = (body as { fields: { values: { value: string | null; submissions: number }[] }[] }).fields;
  return Object.fromEntries((field?.values ?? []).map(({ value, submissions }) => [value ?? '', submissions]));
}

describe('Editing a submission', () => {
  it('changes the named fields alone, in their places, and tells who changed what', async () => {
    const id = await sendJson('{"name":"Ann","email":"ann@exmaple.com","size":"L","old":1}');

    const { body } = await edit(id, { email: 'ann@example.com', size: ['M', 'L'], old: null, phone: '555' }).expect(
      200,
    );

    const after = { name: 'Ann', email: 'ann@example.com', size: ['M', 'L'], phone: '555' };
    expect(JSON.stringify(body.values)).toBe(JSON.stringify(after));
    expect(body).toEqual(await owner.show(form, id));
    expect(await edits(id)).toMatchObject([
      {
        by: { name: 'First token' },
        changes: [
          { field: 'email', before: 'ann@exmaple.com', after: 'ann@example.com' },
          { field: 'size', before: 'L', after: '["M","L"]' },
          { field: 'old', before: '1', after: null },
          { field: 'phone', before: null, after: '555' },
        ],
      },
    ]);
  });

  it('keeps nothing of what is the same already', async () => {
    const id = await sendJson('{"name":"Zo\\u00eb","n":12345678901234567890}');
    await edit(id, { name: 'Zoë', gone: null }).expect(200);
    expect(await edits(id)).toEqual([]);
    const { text } = await owner.get(`${pathOf(form)}/${id}`).expect(200);
    expect(text).toContain('"n":12345678901234567890');
  });

  it('takes the place of all values of a field that came several times', async () => {
    const id = await service().submitPairs(form, [
      ['tag', 'a'],
      ['name', 'Ann'],
      ['tag', 'b'],
    ]);
    await edit(id, { tag: 'c' }).expect(200);
    expect((await owner.show(form, id)).values).toEqual({ tag: 'c', name: 'Ann' });
    expect((await edits(id))[0]?.changes).toEqual([{ field: 'tag', before: '["a","b"]', after: 'c' }]);
  });

  it('cuts what it keeps of very long values, and no value itself', async () => {
    const [before, after] = ['a'.repeat(10_001), 'b'.repeat(30_000)];
    const id = await service().submit(form, { essay: before });
    await edit(id, { essay: after }).expect(200);
    expect((await owner.show(form, id)).values).toEqual({ essay: after });
    const [change] = (await edits(id))[0]?.changes ?? [];
    expect(change).toEqual({ field: 'essay', before: `${'a'.repeat(10_000)}…`, after: `${'b'.repeat(10_000)}…` });
  });

  it.each([
    ['no object', ['x']],
    ['no name', { '': 'x' }],
    ['a number that would be rounded', { n: 12345678901234567000 }],
    ['a name that is too long', { ['x'.repeat(257)]: 'x' }],
    ['a value that is too long', { a: 'x'.repeat(262_145) }],
    ['too many values', { a: Array.from({ length: 501 }, () => 'x') }],
    ['nothing left', { a: null }],
  ])('refuses %s, and changes nothing', async (_, values) => {
    const id = await service().submit(form, { a: '1' });
    await edit(id, values).expect(({ status, body }) => {
      expect(status).toBe(422);
      expect(body.errors[0]?.field).toBe('values');
    });
    expect((await owner.show(form, id)).values).toEqual({ a: '1' });
    expect(await edits(id)).toEqual([]);
  });

  it('keeps so much of what many edits changed, of the last ones', async () => {
    const id = await service().submit(form, { a: '0', b: '0' });
    const long = 'x'.repeat(9_000);
    for (let n = 1; n <= 20; n++) await edit(id, { a: `${n}${long}`, b: `${n}` }).expect(200);

    const all = (await edits(id)).map(({ changes }) => changes ?? []);
    const kept = all.filter((changes) => changes.length > 0);
    expect(all).toHaveLength(20);
    expect(all.slice(-kept.length)).toEqual(kept);
    expect(kept.at(-1)?.[1]).toEqual({ field: 'b', before: '19', after: '20' });
    expect(kept.length).toBeLessThan(15);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(256 * 1024);
    expect(JSON.stringify(kept).length).toBeGreaterThan(200 * 1024);
  });

  it('loses no change where two people edit different fields at the same moment', async () => {
    const id = await service().submit(form, { a: '1', b: '1', c: '1' });
    const fields = ['a', 'b', 'c'];
    await Promise.all(fields.map((name) => edit(id, { [name]: '2' }).expect(200)));
    expect((await owner.show(form, id)).values).toEqual({ a: '2', b: '2', c: '2' });
    expect(await edits(id)).toHaveLength(3);
  });
});

describe('What follows from values', () => {
  it.each([
    ['before they are indexed', () => Promise.resolve()],
    ['once they are indexed', upkeep],
  ])('follows an edit %s, and one back', async (_, indexed) => {
    // What three visitors have chosen is counted under its name.
    for (let n = 0; n < 6; n++) {
      await service().submit(form, { topic: n < 3 ? 'sales' : 'support' });
    }
    const id = await service().submit(form, { topic: 'sales', email: 'ann@exmaple.com' });
    await indexed();
    const has = async (q: string) => (await idsWith(q)).includes(id);
    const askAll = async () => ({
      words: [await has('sales'), await has('support')],
      values: [await has('topic:sales'), await has('topic:support')],
      visitors: [await has('email:ann@exmaple.com'), await has('email:ann@example.com')],
    });
    const isNow = { words: [false, true], values: [false, true], visitors: [false, true] };

    await edit(id, { topic: 'support', email: 'ann@example.com' }).expect(200);
    expect(await askAll()).toEqual(isNow);
    await upkeep();
    expect(await askAll()).toEqual(isNow);
    expect(await choices()).toEqual({ sales: 3, support: 4 });

    await edit(id, { topic: 'sales', email: 'ann@exmaple.com' }).expect(200);
    await upkeep();
    const isBack = { words: [true, false], values: [true, false], visitors: [true, false] };
    expect(await askAll()).toEqual(isBack);
    expect(await choices()).toEqual({ sales: 4, support: 3 });
  });

  it('leaves nothing behind when the submission is erased', async () => {
    const id = await service().submit(form, { topic: 'sales' });
    await edit(id, { topic: 'support' }).expect(200);
    await upkeep();
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    await upkeep();
    const database = service().app.get(DataSource);
    for (const [table, column] of [
      ['submission_values', 'submission_id'],
      ['submission_acts', 'submission_id'],
      ['submission_texts', 'id'],
    ]) {
      const rows = await database.query<unknown[]>(`SELECT 1 FROM ${table ?? ''} WHERE ${column ?? ''} = ?`, [
        parseUuid(id),
      ]);
      expect({ table, rows }).toEqual({ table, rows: [] });
    }
  });

  it('is found among thousands whose words are in blocks', async () => {
    const accountId = await accountOf(owner);
    const filled = { accountId, formId: form.id, personId: 1, reader: 'x', rows: ROWS };
    await fill(service(), filled);
    const blocks = 'SELECT block FROM text_blocks WHERE form_id = ?';
    expect(await service().query(blocks, [form.id])).toHaveLength(1);
    const id = idOf(filled, 3).toString('hex');
    const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    expect(await idsWith('quixotic')).toEqual([]);
    await edit(uuid, { note: 'quixotic' }).expect(200);
    expect(await idsWith('quixotic')).toEqual([uuid]);
  });
});

describe('The page that edits a submission', () => {
  const signedIn = async () => service().makeBrowser(owner, { clientId: null, role: 'editor' });
  /** Returns fields of the page as a browser sends them, line ends included. */
  const typedOn = (page: string) => {
    const texts = Array.from(
      page.matchAll(
        /<(?:input|textarea)[^>]*name="(values\.\d+)"[^>]*?(?:value="([^"]*)"[^>]*)?>(?:([^<]*)<\/textarea>)?/g,
      ),
    );
    const field = Array.from(page.matchAll(/name="field" value="([^"]*)"/g), ([, text = '']) => unescaped(text));
    return {
      field,
      ...Object.fromEntries(
        texts.map(([, name, value, text]) => [name, unescaped(value ?? text ?? '').replace(/\r?\n/g, '\r\n')]),
      ),
    } as Record<string, string | string[]>;
  };
  const unescaped = (text: string) =>
    text
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&');

  it('changes what was typed anew, whatever kind of value it is, and nothing else', async () => {
    const id = await sendJson(JSON.stringify({ name: 'Ann', note: 'one\r\ntwo', list: ['a', 'b'], more: { n: 1 } }));
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const { text: page } = await browser.get(path);
    const typed = typedOn(page);
    expect((await browser.post(path, typed)).status).toBe(303);
    expect(await edits(id)).toEqual([]);

    // Somebody else changes a field meanwhile, which this person does not touch.
    await edit(id, { name: 'Anna' }).expect(200);
    const changed = { 'values.1': 'one\r\nthree', 'values.2': 'a\r\nc\r\n', 'values.3': '{"n":2}' };
    const { status, headers } = await browser.post(path, { ...typed, ...changed });
    expect({ status, to: headers.location }).toEqual({ status: 303, to: `/inbox/${form.identifier}/${id}` });
    expect((await owner.show(form, id)).values).toEqual({
      ...{ name: 'Anna', note: 'one\r\nthree', list: ['a', 'c'], more: { n: 2 } },
    });
    const { text: after } = await browser.get(`/inbox/${form.identifier}/${id}`);
    expect(after).toContain('Edited');
    expect(after).toContain('<del dir="auto">Ann</del>');
    expect(after).toContain('<ins dir="auto">Anna</ins>');
  });

  it('gives a browser nothing that it would send back as something else', async () => {
    const values = { nul: 'a\0b', cr: 'a\rb', half: '\ud800', 'two\r\nlines': 'x', list: ['a\rb'], 'n\0l': 'x' };
    const id = await sendJson(JSON.stringify({ ...values, name: 'Ann' }));
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const { text: page } = await browser.get(path);
    expect(page).toContain('This page cannot edit this value.');
    const typed = typedOn(page);
    expect(typed).toMatchObject({ 'values.0': '"a\\u0000b"', 'values.2': '"\\ud800"' });
    // Names come back changed too.
    expect(Object.keys(typed)).not.toEqual(expect.arrayContaining(['values.3']));
    expect(Object.keys(typed)).not.toEqual(expect.arrayContaining(['values.5']));
    await browser.post(path, { ...typed, 'values.6': 'Anna' });
    expect((await owner.show(form, id)).values).toEqual({ ...values, name: 'Anna' });
  });

  it('keeps each digit of numbers in JSON', async () => {
    const id = await sendJson('{"sum":{"exact":0.12345678901234567891,"n":1}}');
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const sum = '{"exact":0.12345678901234567891,"n":2}';
    await browser.post(path, { ...typedOn((await browser.get(path)).text), 'values.0': sum });
    expect((await owner.get(`${pathOf(form)}/${id}`).expect(200)).text).toContain(sum);
  });

  it('saves a submission of as many fields as there may be', async () => {
    const values = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, 'ж'.repeat(400)]));
    const id = await service().submit(form, values);
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const typed = typedOn((await browser.get(path)).text);
    expect((await browser.post(path, { ...typed, 'values.499': 'x' })).status).toBe(303);
    expect((await owner.show(form, id)).values).toEqual({ ...values, field499: 'x' });
  });

  it('says which value is no JSON, and keeps what was typed', async () => {
    const id = await sendJson('{"more":{"n":1}}');
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const typed = typedOn((await browser.get(path)).text);
    const { status, text } = await browser.post(path, { ...typed, 'values.0': '{"n":' });
    expect(status).toBe(422);
    expect(text).toContain('<a href="#f-values-0">More</a>: Must be valid JSON');
    expect(text).toContain('{&quot;n&quot;:');
    expect((await owner.show(form, id)).values).toEqual({ more: { n: 1 } });
  });

  it('leaves alone what is too long for it', async () => {
    const essay = 'a'.repeat(20_001);
    const id = await service().submit(form, { essay, name: 'Ann' });
    const browser = await signedIn();
    const path = `/inbox/${form.identifier}/${id}/edit`;
    const { text: page } = await browser.get(path);
    expect(page).not.toContain(essay);
    await browser.post(path, { ...typedOn(page), 'values.1': 'Anna' });
    expect((await owner.show(form, id)).values).toEqual({ essay, name: 'Anna' });
  });

  it('is for people of a client only with the permission', async () => {
    const id = await service().submit(form, { name: 'Ann' });
    const client = await owner.makeClient({ form_ids: [form.id] });
    const path = `/inbox/${form.identifier}/${id}`;
    for (const [actions, status] of [
      [['see', 'triage'], 403],
      [['see', 'edit'], 200],
    ] as const) {
      const browser = await service().makeBrowser(owner, { clientId: client, actions });
      expect((await browser.get(`${path}/edit`)).status).toBe(status);
      expect((await browser.get(path)).text.includes(`${path}/edit`)).toBe(status === 200);
    }
  });
});
