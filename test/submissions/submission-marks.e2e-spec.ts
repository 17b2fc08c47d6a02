import { refusal } from '../support/refusal.js';
import { storedNames } from '../support/stored-files.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService();
const owner = useOwner(service);
const form = useForm(owner);

const mark = (id: string, submission: object) => owner.patch(`${pathOf(form)}/${id}`, { submission });

describe('Marking a submission', () => {
  it('moves the count with what it counts', async () => {
    const id = await service().submit(form, { m: 'hello' });
    const states = [
      [{ spam: true }, 0],
      [{ trash: true }, 0],
      [{ spam: false }, 0],
      [{ trash: false }, 1],
      [{ spam: true, trash: true }, 0],
      [{ spam: false, trash: false }, 1],
      [{}, 1],
    ] as const;
    for (const [marks, count] of states) {
      expect((await mark(id, marks).expect(200)).body).toMatchObject({ id, ...marks });
      expect(await owner.countOf(form)).toBe(count);
      expect((await owner.list(form)).submissions).toHaveLength(count);
    }
  });

  it('changes nothing the second time', async () => {
    const id = await service().submit(form, { m: 'hello' });
    const first = await mark(id, { spam: true }).expect(200);
    expect((await mark(id, { spam: true }).expect(200)).body).toEqual(first.body);
    expect(await owner.countOf(form)).toBe(0);
  });

  it('gives a reason by hand, keeps the one there was, and drops it with the mark', async () => {
    const id = await service().submitSpam(form, { m: 'hello' });
    const reason = async (marks: object) => {
      await mark(id, marks).expect(200);
      return (await owner.show(form, id)).spam_reason;
    };
    const { spam_reason: first } = await owner.show(form, id);

    expect(first).toMatch(/\w/);
    expect(await reason({ spam: true, trash: true })).toBe(first);
    expect(await reason({ spam: false })).toBeNull();
    expect(await reason({ trash: false })).toBeNull();
    expect(await reason({ spam: true })).toBe('Someone marked it as spam.');
  });

  it('keeps the count exact among many changes and submissions at once', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => service().submit(form, { n })));

    await Promise.all([
      ...Array.from({ length: 30 }, (_, n) =>
        mark(ids[n % 10] ?? '', { spam: n % 3 === 0, trash: n % 4 === 0 }).expect(200),
      ),
      ...Array.from({ length: 10 }, (_, n) => service().submit(form, { n: `late ${n}` })),
      ...Array.from({ length: 5 }, (_, n) => service().submitSpam(form, { n: `spam ${n}` })),
    ]);

    const counted = (await owner.list(form, 'per_page=100')).submissions;
    expect(await owner.countOf(form)).toBe(counted.length);
    expect(counted.length).toBeGreaterThanOrEqual(10);
    expect((await owner.list(form, 'spam=all&trash=all')).count).toBe(25);
  });

  it('counts once what many mark alike at once', async () => {
    const id = await service().submit(form, { m: 'hello' });
    await service().submit(form, { m: 'stays' });

    await Promise.all(Array.from({ length: 30 }, () => mark(id, { trash: true }).expect(200)));
    expect(await owner.countOf(form)).toBe(1);

    await Promise.all(Array.from({ length: 30 }, () => mark(id, { trash: false }).expect(200)));
    expect(await owner.countOf(form)).toBe(2);
  });

  it.each([
    [{ submission: { spam: 'yes' } }, 'submission.spam'],
    [{ submission: { trash: null } }, 'submission.trash'],
    [{ submission: { values: { m: 'forged' } } }, 'submission.values'],
    [{ submission: { spam_reason: 'x' } }, 'submission.spam_reason'],
    [{ submission: [] }, 'submission'],
    [{ submission: { spam: true }, id: 1 }, 'id'],
    [{}, 'submission'],
  ])('refuses %j and changes nothing', async (body, field) => {
    const id = await service().submit(form, { m: 'hello' });

    await owner.patch(`${pathOf(form)}/${id}`, body).expect(refusal(422, 'invalid_fields', field));

    expect(await owner.show(form, id)).toMatchObject({ values: { m: 'hello' }, spam: false });
  });
});

describe('Deleting a submission', () => {
  it('takes it away with its files, and off the count', async () => {
    const before = await storedNames(service());
    const kept = await service().submitFile(form, 'one');
    const names = await storedNames(service());
    const id = await service().submitFile(form, 'two');

    await owner
      .delete(`${pathOf(form)}/${id}`)
      .expect(200)
      .expect({ message: 'The submission has been deleted.' });

    expect((await owner.list(form)).submissions).toMatchObject([{ id: kept }]);
    expect(await owner.countOf(form)).toBe(1);
    expect(names).toHaveLength(before.length + 1);
    expect(await storedNames(service())).toEqual(names);
    await owner.delete(`${pathOf(form)}/${id}`).expect(refusal(404, 'submission_not_found'));
    expect(await owner.countOf(form)).toBe(1);
  });

  it('leaves the count alone when it was spam or in the trash', async () => {
    await service().submit(form, { m: 'stays' });
    const spam = await service().submitSpam(form, { m: 'spam' });
    const trashed = await service().submit(form, { m: 'trashed' });
    await mark(trashed, { trash: true }).expect(200);

    for (const id of [spam, trashed]) await owner.delete(`${pathOf(form)}/${id}`).expect(200);

    expect(await owner.countOf(form)).toBe(1);
    expect((await owner.list(form, 'spam=all&trash=all')).count).toBe(1);
  });

  it('happens once when many ask for it at once', async () => {
    const id = await service().submit(form, { m: 'hello' });

    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.delete(`${pathOf(form)}/${id}`)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect(await owner.countOf(form)).toBe(0);
  });
});
