import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { storeRows } from '../support/stored-rows.js';
import { pathOf } from '../support/submissions.js';

const MAX_FIELDS = 50;
/** Values of submissions as versions took them that counted members of the JSON alone. */
const MANY = 9_000;
/** Entries of the index that one transaction may touch. */
const VALUES_AT_ONCE = 800;

/** Each is indexed by its page and its origin too, also where it has none. */
const WHERE_FROM = 2;

const service = useService({ MAX_FIELDS: String(MAX_FIELDS) });
const owner = useOwner(service);
const form = useForm(owner);
const upkeep = () => service().upkeep();
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const exists = async (field: string, value: string) => {
  const asked = new URLSearchParams({ field, value }).toString();
  return owner.read(`/api/v1/forms/${form.identifier}/value_exists?${asked}`);
};

async function entries(): Promise<number> {
  const [row] = await service().query<{ n: number | string }[]>(
    'SELECT COUNT(*) AS n FROM submission_values WHERE form_id = ?',
    [form.id],
  );
  return Number(row?.n);
}

/** Stores what is refused today, and has it wait to be indexed. */
async function storeMany(person: string): Promise<void> {
  const id = makeUuid();
  const values = Object.entries({ person, many: numbers(MANY) });
  await storeRows(service(), form, [{ id, values, text: person }]);
  const batch = 'INSERT INTO submission_batches (id, submission_ids) VALUES (?, ?)';
  await service().query(batch, [makeUuid(), id]);
  const count = 'UPDATE forms SET submission_count = submission_count + 1 WHERE id = ?';
  await service().query(count, [form.id]);
}

/** Notes, for each transaction from now on, the entries it touches and what it does after the count. */
function watchTransactions(): { values: number; afterCount: string[] }[] {
  const unitOfWork = service().app.get(UnitOfWork);
  const run = unitOfWork.run.bind(unitOfWork);
  const seen: { values: number; afterCount: string[] }[] = [];
  jest.spyOn(unitOfWork, 'run').mockImplementation((work) =>
    run(async (tx) => {
      const transaction = { values: 0, afterCount: [] as string[] };
      let counted = false;
      const runner = tx.queryRunner;
      if (!runner) throw new Error('A transaction has a runner.');
      const query = runner.query.bind(runner);
      const spy = jest.spyOn(runner, 'query').mockImplementation(((
        sql: string,
        parameters: unknown[] = [],
        ...rest: []
      ) => {
        if (sql.includes('submission_values')) {
          // Removals have them as parameters, insertions in the statement.
          transaction.values += parameters.length / 3 + (sql.match(/\(\d+,X'/g)?.length ?? 0);
        }
        if (counted) transaction.afterCount.push(sql);
        counted ||= sql.startsWith('UPDATE forms');
        return query(sql, parameters, ...rest);
      }) as typeof runner.query);
      try {
        return await work(tx);
      } finally {
        spy.mockRestore();
        seen.push(transaction);
      }
    }),
  );
  return seen;
}

describe('A submission of many values', () => {
  it.each([
    [{ list: numbers(MAX_FIELDS) }, 200],
    [{ list: numbers(MAX_FIELDS + 1) }, 422],
    [{ a: numbers(MAX_FIELDS - 1), b: 'x' }, 200],
    [{ a: numbers(MAX_FIELDS - 1), b: 'x', c: [] }, 422],
    [{ a: [[1, 2, 3]], b: { deep: numbers(MAX_FIELDS * 2) } }, 200],
  ])('is refused when fields and items of lists are more than MAX_FIELDS: %#', async (values, status) => {
    const { text } = await service().anonymous().post(`/f/${form.identifier}`, values).expect(status);
    if (status === 422) {
      expect(text).toMatch(/too_many_fields/i);
      expect(text).toContain(`more than ${MAX_FIELDS}`);
    }
    expect(await owner.countOf(form)).toBe(status === 200 ? 1 : 0);
  });

  it('is indexed and removed in transactions of a bounded size, and found meanwhile', async () => {
    for (const person of ['jane', 'jane', 'john']) await storeMany(person);
    const seen = watchTransactions();

    await upkeep();
    expect(await entries()).toBe(3 * (MANY + 1 + WHERE_FROM));
    expect(await exists('many', String(MANY - 1))).toEqual({ exists: true });

    await owner.delete(`${pathOf(form)}?field=person&value=jane`).expect(200, { erased: 2 });
    expect(await exists('person', 'jane')).toEqual({ exists: false });
    expect(await exists('person', 'john')).toEqual({ exists: true });
    expect(await owner.countOf(form)).toBe(1);
    await upkeep();
    expect(await entries()).toBe(MANY + 1 + WHERE_FROM);

    const sizes = seen.map(({ values }) => values);
    expect(Math.max(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(VALUES_AT_ONCE);
  });

  it('holds the row of its form for nothing but the count and its exports when it is removed', async () => {
    for (let n = 0; n < 5; n++) await service().submit(form, { n, person: 'jane' });
    const seen = watchTransactions();

    await owner.delete(`${pathOf(form)}?field=person&value=jane`).expect(200, { erased: 5 });

    const after = seen.flatMap(({ afterCount }) => afterCount);
    expect(after.filter((sql) => !sql.includes('bulk_jobs'))).toEqual([]);
    expect((await owner.list(form)).count).toBe(0);
  });
});
