import { DataSource } from 'typeorm';
import { Clock } from '../../src/platform/kernel/time.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { UNREAD_MAX } from '../../src/triage/read-state/unread-counts.service.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);

const UNMARKED = { read: false, starred: false, answered: false, done: false };

const marksOf = async (id: string, caller = owner, of = form): Promise<unknown> =>
  (await caller.read(`${pathOf(of)}/${id}/marks`)).marks;

const mark = (id: string, marks: object, caller = owner) => caller.patch(`${pathOf(form)}/${id}/marks`, { marks });

/** The unread counts of one form, as the caller is told. */
const unreadOf = async ({ identifier }: FormBody, caller = owner) =>
  (await caller.read('/api/v1/unread')).forms.find((each) => each.form === identifier);

const submitted = async (count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await service().submit(form, { n }));
  return ids;
};

const idsListed = async (query: string) => (await owner.list(form, query)).submissions.map(({ id }) => id);

it('Unread counts are told of one page of the forms too', async () => {
  const other = await owner.makeForm();
  await service().submit(other, { n: 1 });
  const { body, headers } = await owner.get('/api/v1/unread?per_page=1&page=2').expect(200);

  expect(body).toEqual({ forms: [{ form: other.identifier, unread: 1, or_more: false }] });
  expect(headers['x-total-count']).toBe('2');
  expect(headers.link).toContain('/api/v1/unread?page=1&per_page=1');
  await owner.get('/api/v1/unread?per_page=0').expect(422);
});

describe('The marks of a submission', () => {
  it('are none at first, and each is set and taken back by itself', async () => {
    const [id = ''] = await submitted(1);
    expect(await marksOf(id)).toEqual(UNMARKED);

    for (const name of ['read', 'starred', 'answered', 'done']) {
      for (const value of [true, true, false, false]) {
        const { body } = await mark(id, { [name]: value }).expect(200);
        expect(body).toEqual({ marks: { ...UNMARKED, [name]: value } });
        expect(await marksOf(id)).toEqual({ ...UNMARKED, [name]: value });
      }
    }
  });

  it('leave the submission and the count as they are', async () => {
    const [id = ''] = await submitted(1);
    const { body: before } = await owner.get(`${pathOf(form)}/${id}`).expect(200);

    await mark(id, { read: true, starred: true, done: true }).expect(200);

    expect(await owner.read(`${pathOf(form)}/${id}`)).toEqual(before);
    expect(await owner.countOf(form)).toBe(1);
    expect(await owner.list(form)).toMatchObject({ count: 1, submissions: [before] });
  });

  it('are the same for all who see it, but for what each has read', async () => {
    const [id = ''] = await submitted(1);
    const other = service().as((await owner.makeToken()).token);

    const all = { read: true, starred: true, answered: true, done: true };
    await mark(id, all);

    expect(await marksOf(id, other)).toEqual({ ...all, read: false });
  });

  it('need the right to write, but for what one has read oneself', async () => {
    const [id = ''] = await submitted(1);
    const client = await owner.makeClient({ form_ids: [form.id] });
    const rights = ['submissions:read'];
    for (const secret of [(await owner.makeToken({ rights })).token, await owner.makeClientToken(client, { rights })]) {
      const reader = service().as(secret);

      await mark(id, { done: true }, reader).expect(refusal(403, 'missing_right'));
      for (const name of ['starred', 'answered'])
        await mark(id, { read: true, [name]: true }, reader).expect(refusal(403, 'missing_right'));
      expect(await marksOf(id, reader)).toEqual(UNMARKED);

      await mark(id, { read: true }, reader).expect(200);
      expect(await marksOf(id, reader)).toEqual({ ...UNMARKED, read: true });
    }
  });

  it('are refused when they are none', async () => {
    const [id = ''] = await submitted(1);
    for (const marks of [{ done: 'yes' }, { read: null }, { starred: 1 }, { answered: 1 }, { spam: true }, []]) {
      await mark(id, marks).expect(422);
    }
    expect(await marksOf(id)).toEqual(UNMARKED);
  });
});

describe('What is done', () => {
  it('is a folder of its own, in lists and counts that ask for it', async () => {
    const [first = '', second = '', third = ''] = await submitted(3);
    const spam = await service().submitSpam(form, { m: 'x' });
    await mark(second, { done: true });
    await mark(spam, { done: true });

    expect(await idsListed('')).toEqual([third, second, first]);
    expect(await idsListed('done=all')).toEqual([third, second, first]);
    expect(await idsListed('done=false')).toEqual([third, first]);
    expect(await owner.list(form, 'done=true')).toMatchObject({ count: 1, submissions: [{ id: second }] });
    expect(await idsListed('done=true&spam=all')).toEqual([spam, second]);
    await owner.get(`${pathOf(form)}?done=maybe`).expect(422);
  });

  it('is found on every page by its number, whatever the folders', async () => {
    const ids = await submitted(12);
    const marksFor = (n: number) => ({ spam: n % 2 === 1, trash: n % 3 === 1, done: n % 5 < 2 });
    for (const [n, id] of ids.entries()) {
      const { done, ...folder } = marksFor(n);
      await owner.patch(`${pathOf(form)}/${id}`, { submission: folder }).expect(200);
      await mark(id, { done }).expect(200);
    }
    const fits = (wanted: string, is: boolean) => wanted === 'all' || String(is) === wanted;
    const values = ['false', 'true', 'all'];
    const asked = values.flatMap((spam) => values.flatMap((trash) => values.map((done) => ({ spam, trash, done }))));
    for (const { spam, trash, done } of asked) {
      const expected = ids
        .filter((_, n) => {
          const is = marksFor(n);
          return fits(spam, is.spam) && fits(trash, is.trash) && fits(done, is.done);
        })
        .reverse();
      const query = `spam=${spam}&trash=${trash}&done=${done}&per_page=2`;
      const found: string[] = [];
      const pages = Math.ceil(expected.length / 2);
      for (let page = 1; page <= pages; page++) {
        found.push(...(await idsListed(`${query}&page=${page}`)));
      }
      expect({ query, found }).toEqual({ query, found: expected });
      expect((await owner.list(form, query)).count).toBe(expected.length);
    }
  });
});

describe('What is unread', () => {
  it('is what is new and was not read, one by one or all at once', async () => {
    const ids = await submitted(4);
    expect(await unreadOf(form)).toMatchObject({ unread: 4, or_more: false });

    await mark(ids[3] ?? '', { read: true });
    await mark(ids[0] ?? '', { done: true });
    expect(await unreadOf(form)).toMatchObject({ unread: 2 });

    await owner.post(`${pathOf(form)}/read`, {}).expect(200);
    expect(await unreadOf(form)).toMatchObject({ unread: 0 });
    for (const id of ids) expect(await marksOf(id)).toMatchObject({ read: true });

    await mark(ids[1] ?? '', { read: false });
    const latest = await service().submit(form, { n: 'more' });
    expect(await unreadOf(form)).toMatchObject({ unread: 2 });
    expect(await marksOf(latest)).toMatchObject({ read: false });
    await mark(latest, { read: true });
    await mark(ids[1] ?? '', { read: true });
    expect(await unreadOf(form)).toMatchObject({ unread: 0 });
  });

  it('is nothing after "read all", of an instance whose clock is ahead too', async () => {
    const [id = ''] = await submitted(1);
    const ahead = await service().setAhead(id);

    await owner.post(`${pathOf(form)}/read`, {}).expect(200);
    const unread = await unreadOf(form);
    // Else "by now" would be ahead for the tests that follow.
    await owner.delete(`${pathOf(form)}/${ahead}`).expect(200);

    expect(unread).toMatchObject({ unread: 0 });
  });

  it('is not what is spam or in the trash', async () => {
    const [id = ''] = await submitted(1);
    await service().submitSpam(form, { m: 'x' });
    expect(await unreadOf(form)).toMatchObject({ unread: 1 });

    await owner.patch(`${pathOf(form)}/${id}`, { submission: { trash: true } });

    expect(await unreadOf(form)).toMatchObject({ unread: 0 });
  });

  it('stays so above what one has seen, and never becomes unread by an older position', async () => {
    const [first = '', second = ''] = await submitted(2);

    await owner.post(`${pathOf(form)}/read`, { up_to: first }).expect(200);
    expect(await marksOf(first)).toMatchObject({ read: true });
    expect(await marksOf(second)).toMatchObject({ read: false });

    await owner.post(`${pathOf(form)}/read`, { up_to: second }).expect(200);
    await mark(first, { read: false });
    await owner.post(`${pathOf(form)}/read`, { up_to: first }).expect(200);
    expect(await marksOf(second)).toMatchObject({ read: true });
    await owner.post(`${pathOf(form)}/read`, { up_to: 'x' }).expect(422);
    await owner
      .post(`${pathOf(form)}/read`, { up_to: 'f'.repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') })
      .expect(200);
    const later = await service().submit(form, { m: 'x' });
    await owner
      .get(`${pathOf(form)}/${later}/marks`)
      .expect(200, { marks: { read: false, starred: false, answered: false, done: false } });
  });

  it('is read in all forms of the scope at once, and in no other', async () => {
    const other = await owner.makeForm();
    const jane = await owner.makeClientCaller({ form_ids: [form.id] });
    await submitted(1);
    await service().submit(other, { m: 'x' });

    expect(await unreadOf(form, jane)).toMatchObject({ unread: 1 });
    expect(await unreadOf(other, jane)).toBeUndefined();
    await jane.post('/api/v1/submissions/read', {}).expect(200);

    expect(await unreadOf(form, jane)).toMatchObject({ unread: 0 });
    expect(await unreadOf(other)).toMatchObject({ unread: 1 });
    await owner.post('/api/v1/submissions/read', {}).expect(200);
    expect(await unreadOf(form)).toMatchObject({ unread: 0 });
    expect(await unreadOf(other)).toMatchObject({ unread: 0 });
  });

  it(`is counted to ${UNREAD_MAX}, and then said to be that or more`, async () => {
    await Promise.all(Array.from({ length: UNREAD_MAX + 1 }, (_, n) => service().submit(form, { n })));

    expect(await unreadOf(form)).toMatchObject({ unread: UNREAD_MAX, or_more: true });
  });
});

const tagsOf = async (id: string) => (await owner.get(`${pathOf(form)}/${id}/tags`).expect(200)).body;
const putTags = (id: string, tags: unknown, caller = owner) => caller.put(`${pathOf(form)}/${id}/tags`, { tags });
const addNote = (id: string, text: unknown, caller = owner) =>
  caller.post(`${pathOf(form)}/${id}/notes`, { note: { text } });

describe('The tags of a submission', () => {
  it('are exactly those that were given last, once each and in lower case', async () => {
    const [id = '', other = ''] = await submitted(2);
    expect(await tagsOf(id)).toEqual({ tags: [] });

    for (const [given, kept] of [
      [
        ['Urgent', ' call  Back ', 'urgent'],
        ['call back', 'urgent'],
      ],
      [
        ['urgent', 'Zoë 🙂'],
        ['urgent', 'zoë 🙂'],
      ],
      [[], []],
    ]) {
      expect((await putTags(id, given).expect(200)).body).toEqual({ tags: kept });
      expect(await tagsOf(id)).toEqual({ tags: kept });
    }
    expect(await tagsOf(other)).toEqual({ tags: [] });
  });

  it('find it in lists, exports and over all forms', async () => {
    const [id = '', other = ''] = await submitted(2);
    await putTags(id, ['call back', 'urgent']).expect(200);
    await putTags(other, ['urgent']).expect(200);

    expect(await idsListed('q=tag:urgent')).toEqual([other, id]);
    expect(await idsListed('q=tag:urgent+tag:"call+back"')).toEqual([id]);
    const { body } = await owner.get('/api/v1/submissions?q=tag:URGENT').expect(200);
    expect(body).toMatchObject({ submissions: [{ id: other }, { id }], next_page: null });
    const { text } = await owner.get(`${pathOf(form)}.csv?q=tag:"call+back"`).expect(200);
    expect(text).toContain(id);
    expect(text).not.toContain(other);
  });

  it('are refused when they are none, and then stay as they were', async () => {
    const [id = ''] = await submitted(1);
    await putTags(id, ['urgent']);
    const many = Array.from({ length: 21 }, (_, n) => `t${n}`);
    for (const tags of ['x', null, [''], ['  '], [1], ['a,b'], ['a"b'], ['x'.repeat(41)], many]) {
      await putTags(id, tags).expect(422);
    }
    expect(await tagsOf(id)).toEqual({ tags: ['urgent'] });
  });
});

const notesOf = async (id: string) => (await owner.get(`${pathOf(form)}/${id}/notes`).expect(200)).body;

describe('The notes on a submission', () => {
  it('are shown oldest first, with their author and time, and only there', async () => {
    const [id = '', other = ''] = await submitted(2);
    const before = (await owner.get(`${pathOf(form)}/${id}`)).body;

    const { body: first } = await addNote(id, '  Called back.\nNobody there. ').expect(201);
    await addNote(id, 'Second');

    expect(first).toEqual({
      id: expect.any(String) as unknown,
      text: 'Called back.\nNobody there.',
      author: 'First token',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      mentions: [],
    });
    expect((await notesOf(id)).notes).toMatchObject([first, { text: 'Second' }]);
    expect(await notesOf(other)).toEqual({ notes: [] });
    expect((await owner.get(`${pathOf(form)}/${id}`)).body).toEqual(before);
  });

  it('are refused when they are empty, too long or no text', async () => {
    const [id = ''] = await submitted(1);
    for (const text of ['', ' \n', 'x'.repeat(10_001), 7, null]) {
      await addNote(id, text).expect(422);
    }
    await addNote(id, '🙂'.repeat(10_000)).expect(201);
  });

  it('are removed by the account; by a client only its own, others being unknown to it', async () => {
    const [id = ''] = await submitted(1);
    const client = await owner.makeClient({ form_ids: [form.id] });
    const jane = service().as(await owner.makeClientToken(client));
    await addNote(id, 'by the owner');
    await addNote(id, 'by the client', jane).expect(201);
    const [ours, hers] = (await notesOf(id)).notes;
    const path = (note: string) => `${pathOf(form)}/${id}/notes/${note}` as const;

    await jane.delete(path(ours?.id ?? '')).expect(refusal(404, 'note_not_found'));
    await jane.delete(path(hers?.id ?? '')).expect(200);
    expect((await notesOf(id)).notes).toMatchObject([{ text: 'by the owner' }]);
    await owner.delete(path(ours?.id ?? '')).expect(200);
    await owner.delete(path(ours?.id ?? '')).expect(refusal(404, 'note_not_found'));
  });
});

describe('A removed note', () => {
  it('can be put back for ten minutes, by whoever may remove it', async () => {
    const [id = ''] = await submitted(1);
    const jane = await owner.makeClientCaller({ form_ids: [form.id] });
    await addNote(id, 'first').expect(201);
    await addNote(id, 'second').expect(201);
    const [first] = (await notesOf(id)).notes;
    const path = `${pathOf(form)}/${id}/notes/${first?.id ?? ''}` as const;
    await owner.post(`${path}/restore`).expect(refusal(404, 'note_not_found'));

    await owner.delete(path).expect(200);
    expect((await notesOf(id)).notes).toMatchObject([{ text: 'second' }]);
    await jane.post(`${path}/restore`).expect(refusal(404, 'note_not_found'));
    expect((await owner.post(`${path}/restore`).expect(200)).body).toEqual(first);
    expect((await notesOf(id)).notes).toMatchObject([{ text: 'first' }, { text: 'second' }]);
  });

  it('is gone for good after that', async () => {
    const [id = ''] = await submitted(1);
    await addNote(id, 'a note').expect(201);
    const [note] = (await notesOf(id)).notes;
    const path = `${pathOf(form)}/${id}/notes/${note?.id ?? ''}` as const;
    await owner.delete(path).expect(200);
    const later = new Date(Date.now() + 10 * 60_000 + 1);
    const clock = jest.spyOn(service().app.get(Clock), 'now').mockReturnValue(later);
    await owner.post(`${path}/restore`).expect(refusal(404, 'note_not_found'));
    clock.mockRestore();

    await service().upkeep(later);
    const rows = await service().query<unknown[]>('SELECT id FROM submission_notes WHERE submission_id = ?', [
      parseUuid(id),
    ]);
    expect(rows).toEqual([]);
  });
});

describe('What belongs to a submission', () => {
  /** Say nothing of a form or a visitor, and end by themselves within minutes. */
  const SHORT_LIVED = ['spent_solutions', 'presences'];
  /** Tables with rows about single submissions; what waits to be indexed or sent goes its own way. */
  const tables = () =>
    service()
      .app.get(DataSource)
      .entityMetadatas.filter(({ columns }) => columns.some(({ databaseName }) => databaseName === 'submission_id'))
      .map(({ tableName }) => tableName)
      .filter((name) => !SHORT_LIVED.includes(name));
  const rowsIn = async (table: string) => {
    const rows = await service().query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE form_id = ?`, [
      form.id,
    ]);
    return Number(rows[0]?.n);
  };

  it.each([
    ['is deleted', (id: string) => owner.delete(`${pathOf(form)}/${id}`).expect(200)],
    ['is erased with its person', () => owner.post(`${pathOf(form)}/erase`, { field: 'n', value: '0' }).expect(200)],
    ['goes with its form', () => owner.delete(`/api/v1/forms/${form.identifier}`).expect(200)],
  ])('goes with it when it %s', async (_, remove) => {
    const [id = ''] = await submitted(1);
    await mark(id, { read: true, starred: true, done: true }).expect(200);
    await putTags(id, ['urgent']).expect(200);
    await addNote(id, 'a note').expect(201);
    const stored = parseUuid(id);
    await service().query('INSERT INTO submission_repeats (id, form_id, submission_id) VALUES (?, ?, ?)', [
      ...[stored, form.id, stored],
    ]);
    expect(await rowsIn('submission_marks')).toBe(2);
    expect(await rowsIn('submission_notes')).toBe(1);
    expect(await rowsIn('read_exceptions')).toBe(1);

    await remove(id);
    for (let round = 0; round < 2; round++) await service().upkeep();

    for (const table of tables()) expect({ table, rows: await rowsIn(table) }).toEqual({ table, rows: 0 });
  });

  it('goes with its form: what was read of it', async () => {
    await submitted(1);
    await owner.post('/api/v1/submissions/read', {}).expect(200);
    expect(await rowsIn('read_positions')).toBe(1);

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await service().upkeep();

    expect(await rowsIn('read_positions')).toBe(0);
  });
});
