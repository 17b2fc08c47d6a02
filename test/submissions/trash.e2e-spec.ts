import { DataSource } from 'typeorm';
import { Config } from '../../src/platform/config/config.js';
import { Clock } from '../../src/platform/kernel/time.js';
import { SubmissionPurger } from '../../src/submissions/erasure/erasure.service.js';
import { TrashRepository } from '../../src/submissions/trash/trash.repository.js';
import { Trash } from '../../src/submissions/trash/trash.service.js';
import { DAY_MS } from '../support/clock.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const TRASHED_AT = new Date('2030-01-01T12:00:00Z');
const days = (count: number) => new Date(TRASHED_AT.getTime() + count * DAY_MS);

const service = useService({ WORKERS: 'off', TRASH_DAYS: '3' });
const owner = useOwner(service);
const form = useForm(owner);
beforeEach(() => {
  itIs(TRASHED_AT);
});
const itIs = (now: Date) => jest.spyOn(service().app.get(Clock), 'now').mockReturnValue(now);
const move = (id: string, trash: boolean) =>
  owner.patch(`${pathOf(form)}/${id}`, { submission: { trash } }).expect(200);
const empty = (now: Date) => service().app.get(SubmissionPurger).emptyTrash({ now });
const idsIn = async (folder: string) => (await owner.list(form, folder)).submissions.map(({ id }) => id);
const TRASH = 'trash=true';

describe('The trash', () => {
  it('empties itself of what is in it for TRASH_DAYS, with its files, and of nothing else', async () => {
    const old = await service().submitFile(form, 'a file');
    const young = await service().submit(form);
    const kept = await service().submit(form);
    await move(old, true);
    itIs(days(1));
    await move(young, true);

    await empty(days(3));
    expect((await idsIn(TRASH)).sort()).toEqual([old, young].sort());
    await empty(new Date(days(3).getTime() + 1));
    expect(await idsIn(TRASH)).toEqual([young]);
    expect(await idsIn('')).toEqual([kept]);
    await owner.get(`${pathOf(form)}/${old}`).expect(404);
    expect(await service().query<unknown[]>('SELECT id FROM files')).toEqual([]);
  });

  it('counts anew after a submission was restored', async () => {
    const id = await service().submit(form);
    await move(id, true);
    await move(id, false);
    await empty(days(10));
    expect(await idsIn('')).toEqual([id]);
    itIs(days(10));
    await move(id, true);
    await empty(days(12));
    expect(await idsIn(TRASH)).toEqual([id]);
    await empty(days(14));
    expect(await idsIn(TRASH)).toEqual([]);
  });

  it('leaves what is restored at this moment', async () => {
    const id = await service().submit(form);
    await move(id, true);
    const trash = service().app.get(TrashRepository);
    const before = trash.before.bind(trash);
    jest.spyOn(trash, 'before').mockImplementationOnce(async (...given) => {
      const found = await before(...given);
      await move(id, false);
      return found;
    });
    await empty(days(4));
    expect(await idsIn('')).toEqual([id]);
  });

  it('counts from now on for what an older version moved there', async () => {
    const id = await service().submit(form);
    await move(id, true);
    await service().query('DELETE FROM trashed_submissions');
    await empty(days(9));
    await service()
      .app.get(Trash)
      .find({ now: days(9) });
    await empty(days(12));
    expect(await idsIn(TRASH)).toEqual([id]);
    await empty(days(13));
    expect(await idsIn(TRASH)).toEqual([]);
  });

  it('keeps nothing of a submission that is erased', async () => {
    const id = await service().submit(form);
    await move(id, true);
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    const database = service().app.get(DataSource);
    expect(await database.query('SELECT * FROM trashed_submissions')).toEqual([]);
  });

  it('says on its page when a submission is erased', async () => {
    const id = await service().submit(form);
    await move(id, true);
    const browser = await service().makeBrowser(owner);
    const { text } = await browser.get(`/inbox/${form.identifier}/${id}`);
    expect(text).toContain(`It will be erased after <time datetime="${days(3).toISOString()}"`);
  });

  it('stays with TRASH_DAYS=0', async () => {
    jest.replaceProperty(service().app.get(Config), 'trashDays', 0);
    const id = await service().submit(form);
    await move(id, true);
    await empty(days(4_000));
    expect(await idsIn(TRASH)).toEqual([id]);
  });
});
