import { Clock } from '../kernel/time.js';
import { QueryFailedError, type DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from './unit-of-work.js';

const TX = {} as EntityManager;

const failure = (code: string) => new QueryFailedError('UPDATE', [], Object.assign(new Error(code), { code }));

/** A unit of work on a server whose transactions fail with these codes, one after the other, then succeed. */
function onServer(codes: string[]) {
  const tries: string[] = [];
  const database = {
    options: { type: 'mysql' },
    transaction: async (work: (tx: EntityManager) => Promise<unknown>) => {
      const result = await work(TX);
      const code = codes[tries.length] ?? 'committed';
      tries.push(code);
      if (code !== 'committed') throw failure(code);
      return result;
    },
  };
  return { unitOfWork: new UnitOfWork(database as unknown as DataSource, null, new Clock()), tries };
}

describe('A transaction that the database takes back', () => {
  it.each(['ER_LOCK_DEADLOCK', 'ER_CHECKREAD', 'SQLITE_BUSY'])(
    'because of %s is run again from the start',
    async (code) => {
      const { unitOfWork, tries } = onServer([code, code]);
      let runs = 0;

      const result = await unitOfWork.run((tx) => {
        expect(tx).toBe(TX);
        return Promise.resolve(++runs);
      });

      expect(result).toBe(3);
      expect(tries).toEqual([code, code, 'committed']);
    },
  );

  it('is run so often and no more', async () => {
    const { unitOfWork, tries } = onServer(Array.from({ length: 100 }, () => 'ER_LOCK_DEADLOCK'));

    await expect(unitOfWork.run(() => Promise.resolve())).rejects.toThrow('ER_LOCK_DEADLOCK');

    expect(tries.length).toBeGreaterThan(1);
    expect(tries.length).toBeLessThanOrEqual(8);
  });

  it.each(['ER_DUP_ENTRY', 'ER_LOCK_WAIT_TIMEOUT', 'ECONNRESET'])(
    'because of %s is not run again: it may have happened, or would fail once more',
    async (code) => {
      const { unitOfWork, tries } = onServer([code]);
      await expect(unitOfWork.run(() => Promise.resolve())).rejects.toThrow(code);
      expect(tries).toEqual([code]);
    },
  );
});
