import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { makeUuid } from '../src/shared/uuid.js';
import { Upkeep } from '../src/upkeep/upkeep.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { makeForm, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { Service, type Caller } from './support/service.js';
import { storedNames } from './support/stored-files.js';
import { countOf, listed, pathOf, submit, submitFile, submitSpam } from './support/submissions.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TABLES = ['submissions', 'submission_values', 'files'] as const;

let database: TestDatabase;
let service: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  database = await createDatabase();
  service = await Service.start(database.settings);
  owner = await service.openAccount();
  form = await makeForm(owner);
});
afterEach(async () => {
  await service.app.close();
  await database.drop();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const upkeep = (now = new Date()) => service.app.get(Upkeep).runAll(now);

/** Rows in each table that belong to a form. */
async function rowsOf({ id }: FormBody): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await service.app
      .get(DataSource)
      .query<{ n: number | string }[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE form_id = ?`, [
        id,
      ]);
    counts[table] = Number(row?.n);
  }
  return counts;
}

async function isPurged({ id }: FormBody): Promise<boolean> {
  const [row] = await service.app
    .get(DataSource)
    .query<{ purged_at: unknown }[]>('SELECT purged_at FROM forms WHERE id = ?', [id]);
  return row?.purged_at !== null;
}

/** Submissions of every kind, more than are removed at once. */
async function fill(target: FormBody): Promise<void> {
  await Promise.all(Array.from({ length: 250 }, (_, n) => submit(service, target, { n })));
  await submitSpam(service, target, { n: 'spam' });
  const trashed = await submit(service, target, { n: 'trashed' });
  const path = `${pathOf(target)}/${trashed}`;
  await owner.patch(path, { submission: { trash: true } }).expect(200);
  await submitFile(service, target, 'cv');
}

const NOTHING = { submissions: 0, submission_values: 0, files: 0 };

describe('Deleting a form', () => {
  it('answers before its submissions are removed, and removes them in the background', async () => {
    const other = await makeForm(owner);
    await submitFile(service, other, 'stays');
    const kept = await storedNames(service);
    await fill(form);
    await upkeep();
    const before = await rowsOf(form);
    expect(before).toEqual({ submissions: 253, submission_values: 253, files: 1 });

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await owner.get(pathOf(form)).expect(refusal(404, 'form_not_found'));
    expect((await rowsOf(form)).files).toBeLessThanOrEqual(1);

    await upkeep();
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await storedNames(service)).toEqual(kept);
    expect(await rowsOf(other)).toEqual({ submissions: 1, submission_values: 1, files: 1 });
    expect(await countOf(owner, other)).toBe(1);
  });

  it('goes on after a restart', async () => {
    await fill(form);
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await service.app.close();

    service = await Service.start(database.settings);
    await upkeep();

    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await storedNames(service)).toEqual([]);
  });

  it('looks for stragglers until a minute has passed', async () => {
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await upkeep();
    expect(await isPurged(form)).toBe(false);

    // As an instance leaves one that still had the form in its cache.
    await service.app
      .get(DataSource)
      .query(
        "INSERT INTO submissions (id, form_id, trash, spam, created_at, payload, search_text) VALUES (?, ?, 0, 0, '2030-01-01 00:00:00.000', '[]', '')",
        [makeUuid(), form.id],
      );
    await upkeep(new Date(Date.now() + 50_000));
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await isPurged(form)).toBe(false);

    await upkeep(new Date(Date.now() + 2 * MINUTE_MS));
    expect(await isPurged(form)).toBe(true);
  });

  it('leaves forms alone that are not deleted', async () => {
    await submit(service, form, { m: 'hello' });
    await upkeep(inDays(10_000));
    expect((await listed(owner, form)).count).toBe(1);
    expect(await isPurged(form)).toBe(false);
  });
});

describe('Retention', () => {
  const path = () => `/api/v1/forms/${form.identifier}/retention`;
  const keep = (days: unknown) => owner.put(path(), { days });

  it('is for ever until it is set, and can be set back', async () => {
    expect((await owner.get(path()).expect(200)).body).toEqual({ days: null });
    for (const days of [30, 1, 36_500, null]) {
      expect((await keep(days).expect(200)).body).toEqual({ days });
      expect((await owner.get(path()).expect(200)).body).toEqual({ days });
    }
  });

  it.each([0, -1, 1.5, '30', 36_501, true, [], {}, undefined])('refuses %j', async (days) => {
    await keep(7).expect(200);
    await keep(days).expect(refusal(422, 'invalid_fields', 'days'));
    await owner.put(path(), { days: 5, hours: 1 }).expect(refusal(422, 'invalid_fields', 'hours'));
    expect((await owner.get(path())).body).toEqual({ days: 7 });
  });

  it('removes what is older, spam and trash and files too, and the count follows', async () => {
    const other = await makeForm(owner);
    await submit(service, other, { m: 'kept for ever' });
    await fill(form);
    await keep(30).expect(200);

    await upkeep(inDays(29.9));
    expect((await rowsOf(form)).submissions).toBe(253);
    expect(await countOf(owner, form)).toBe(251);

    await upkeep(inDays(30.1));
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await countOf(owner, form)).toBe(0);
    expect(await storedNames(service)).toEqual([]);
    expect(await countOf(owner, other)).toBe(1);
  });

  it('keeps everything again once it is set back', async () => {
    await submit(service, form, { m: 'hello' });
    await keep(1).expect(200);
    await keep(null).expect(200);
    await upkeep(inDays(1_000));
    expect(await countOf(owner, form)).toBe(1);
  });

  it('is not shown or set by other accounts', async () => {
    const stranger = await service.openAccount();
    await stranger.get(path()).expect(refusal(404, 'form_not_found'));
    await stranger.put(path(), { days: 1 }).expect(refusal(404, 'form_not_found'));
  });
});
