import { randomBytes } from 'node:crypto';
import { DataSource, type EntityMetadata } from 'typeorm';
import { SubmissionPurger } from '../../src/submissions/erasure/erasure.service.js';
import { firstUuidAt, parseUuid } from '../../src/platform/kernel/uuid.js';
import { HOUR_MS } from '../support/clock.js';
import { useOwnDatabases } from '../support/own-database.js';
import type { Service, FormBody, Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { Projections } from '../../src/forms/projections.js';

/** Table that needs no projection: its rows are what is erased. */
const SUBMISSIONS = 'submissions';

const own = useOwnDatabases();
let service: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  service = await own.start({ WORKERS: 'off' });
  owner = await service.openAccount();
  form = await owner.makeForm();
});

const query = <Row>(sql: string, values: unknown[] = []) => service.query<Row[]>(sql, values);

const tables = () => service.app.get(DataSource).entityMetadatas;
const has = ({ columns }: EntityMetadata, name: string) => columns.some((each) => each.databaseName === name);

/** All tables with rows of submissions, and the column that names those. */
const ofSubmissions = (): [EntityMetadata, string][] =>
  tables().flatMap((table): [EntityMetadata, string][] => {
    if (table.tableName === 'submission_texts') return [[table, 'id']];
    return has(table, 'submission_id') ? [[table, 'submission_id']] : [];
  });
const ofForms = () => tables().filter((table) => has(table, 'form_id') && table.tableName !== 'form_grants');

/** Inserts a row with these columns, and something in all that must have a value. */
async function insert(table: EntityMetadata, known: Record<string, unknown>): Promise<void> {
  const row: Record<string, unknown> = {};
  for (const { databaseName, type, length, isNullable, isGenerated } of table.columns) {
    if (databaseName in known) row[databaseName] = known[databaseName];
    else if (!isNullable && !isGenerated) row[databaseName] = anything(String(type), length);
  }
  const names = Object.keys(row);
  await query(
    `INSERT INTO ${table.tableName} (${names.map((name) => `\`${name}\``).join(', ')})
      VALUES (${names.map(() => '?').join(', ')})`,
    Object.values(row),
  );
}

function anything(type: string, length: string): unknown {
  if (type === 'binary') return randomBytes(Number(length));
  if (type.endsWith('blob')) return randomBytes(16);
  if (type === 'datetime') return '2100-01-01 00:00:00.000';
  return /char|text/.test(type) ? 'x' : 0;
}

const left = async (table: EntityMetadata, column: string, value: unknown) => {
  const [row] = await query<{ n: number | string }>(
    `SELECT COUNT(*) AS n FROM ${table.tableName} WHERE ${column} = ?`,
    [value],
  );
  return Number(row?.n);
};
const namesLeft = async (column: string, value: unknown, some: readonly EntityMetadata[]) => {
  const counts = await Promise.all(some.map((table) => left(table, column, value)));
  return some.map(({ tableName }) => tableName).filter((_, at) => counts[at] !== 0);
};
const idLeft = async (id: Buffer) => {
  const found: string[] = [];
  for (const [table, column] of ofSubmissions()) {
    if ((await left(table, column, id)) > 0) found.push(table.tableName);
  }
  return found;
};
const whose = async () => {
  const [row] = await query<{ account_id: number }>('SELECT account_id FROM forms WHERE id = ?', [form.id]);
  // Counts are of an hour.
  return { form_id: form.id, account_id: row?.account_id, length: 1 };
};
const fillAll = async (id: Buffer) => {
  const known = { ...(await whose()), person_id: id.readUInt32BE(12) >>> 1 };
  for (const [table, column] of ofSubmissions()) await insert(table, { ...known, [column]: id });
};

/** Does all there is to do, as an hour later, when everything sent now is settled. */
const upkeep = () => service.upkeep(new Date(Date.now() + HOUR_MS));
/** Counts rows that an older version leaves of a submission it removed, since it does not know them. */
const ofLongAgo = () => Buffer.concat([firstUuidAt(new Date(Date.now() - HOUR_MS)).subarray(0, 8), randomBytes(8)]);

async function purged(): Promise<boolean> {
  const [row] = await query<{ purged_at: unknown }>('SELECT purged_at FROM forms WHERE id = ?', [form.id]);
  return row?.purged_at !== null;
}

/** Deletes the form, long enough ago that nothing can be stored any more. */
async function deleteForm(): Promise<void> {
  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
  await query("UPDATE forms SET deleted_at = '2020-01-01 00:00:00.000' WHERE id = ?", [form.id]);
}

it('Every table with rows of submissions or forms has a projection that forgets them', () => {
  const found = [...ofSubmissions().map(([table]) => table), ...ofForms()];
  const names = new Set(found.map(({ tableName }) => tableName));
  const forgotten = new Set(service.app.get(Projections).tables());

  expect([...names].filter((name) => !forgotten.has(name))).toEqual([SUBMISSIONS]);
  const known = new Set(tables().map(({ tableName }) => tableName));
  expect([...forgotten].filter((name) => !known.has(name))).toEqual([]);
});

describe('What an older version leaves', () => {
  it('of a submission that it removed goes from every table', async () => {
    const gone = ofLongAgo();
    await fillAll(gone);
    expect(await idLeft(gone)).toHaveLength(ofSubmissions().length);

    await upkeep();
    await upkeep();

    expect(await idLeft(gone)).toEqual(['spent_solutions']);
  });

  it('does not take along what belongs to a submission that is there', async () => {
    const id = parseUuid(await service.submit(form, { a: 'b' }));
    if (!id) throw new Error('no id');
    const gone = Array.from({ length: 30 }, ofLongAgo);
    for (const each of gone) await fillAll(each);
    const known = { ...(await whose()), person_id: 1, text: 'x' };
    for (const [table, column] of ofSubmissions()) {
      // The service keeps the one row of these itself.
      if ((await left(table, column, id)) === 0) await insert(table, { ...known, [column]: id });
    }
    const before = await idLeft(id);
    expect(before).toHaveLength(ofSubmissions().length);

    await upkeep();
    await upkeep();

    expect(await idLeft(id)).toEqual(before);
    for (const each of gone) expect(await idLeft(each)).toEqual(['spent_solutions']);
  });

  it('of a form that it purged goes from every table', async () => {
    await deleteForm();
    await query("UPDATE forms SET purged_at = '2020-01-02 00:00:00.000' WHERE id = ?", [form.id]);
    const keyed = ofForms().filter((table) =>
      ['form_id', 'account_id'].includes(table.primaryColumns[0]?.databaseName ?? ''),
    );
    const known = { ...(await whose()), submission_id: ofLongAgo() };
    for (const table of keyed) await insert(table, known);

    await upkeep();
    await upkeep();

    expect(await namesLeft('form_id', form.id, keyed)).toEqual([]);
    expect(await purged()).toBe(true);
  });
});

describe('Every table', () => {
  it('loses what names a submission when that is erased', async () => {
    const text = await service.submit(form, { a: 'b' });
    const id = parseUuid(text);
    if (!id) throw new Error('no id');
    const known = { ...(await whose()), person_id: 1 };
    for (const [table, column] of ofSubmissions()) {
      if (table.tableName === 'submission_values') continue;
      if ((await left(table, column, id)) === 0) await insert(table, { ...known, [column]: id });
    }

    await owner.delete(`${pathOf(form)}/${text}`).expect(200);
    await upkeep();
    await upkeep();

    const found = await idLeft(id);
    expect(found.filter((name) => !service.app.get(Projections).tables('areStaying').includes(name))).toEqual([]);
  });

  it('loses what names a form when that is purged', async () => {
    const known = { ...(await whose()), submission_id: ofLongAgo() };
    for (const table of ofForms()) {
      if (table.tableName !== 'submissions') await insert(table, known);
    }

    await deleteForm();
    await upkeep();
    await upkeep();

    expect(await namesLeft('form_id', form.id, ofForms())).toEqual([]);
    expect(await purged()).toBe(true);
  });

  it('loses it by the next start, when a stop cuts the purge short', async () => {
    const ended = ['text_postings', 'text_blocks', 'counters'];
    const cutShort = tables().filter(({ tableName }) => ended.includes(tableName));
    const known = await whose();
    for (const table of cutShort) await insert(table, known);
    await deleteForm();
    const stop = new AbortController();

    // Stops once the submissions are gone, which are the first to go.
    const projections = service.app.get(Projections);
    const forgetForm = projections.forgetForm.bind(projections);
    jest.spyOn(projections, 'forgetForm').mockImplementationOnce((formId, signal) => {
      stop.abort();
      return forgetForm(formId, signal);
    });
    await service.app.get(SubmissionPurger).purgeDeletedForms({ now: new Date(), signal: stop.signal });

    expect(await purged()).toBe(false);
    await upkeep();
    expect(await namesLeft('form_id', form.id, cutShort)).toEqual([]);
    expect(await purged()).toBe(true);
  });
});
