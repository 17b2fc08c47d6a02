import { DataSource, type EntityManager } from 'typeorm';
import { createDatabase } from '../support/database.js';
import { Service, type Caller } from '../support/service.js';
import { useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;

const { later, sendTo } = useServices();

/** The service in this process, so that faults can be put into it. */
async function startHere(): Promise<{ service: Service; owner: Caller }> {
  const database = await createDatabase('');
  later(() => database.drop());
  const service = await Service.start(database.settings);
  later(() => service.close());
  return { service, owner: await service.openAccount() };
}

describe('With an embedded database', () => {
  it('D-13: stores every submission once although the database takes transactions back', async () => {
    const { service, owner } = await startHere();
    const { identifier } = await owner.makeForm();
    const database = service.app.get(DataSource);
    const transaction = database.transaction.bind(database) as (
      work: (tx: EntityManager) => Promise<unknown>,
    ) => Promise<unknown>;
    let begun = 0;
    database.transaction = ((work: (tx: EntityManager) => Promise<unknown>) =>
      transaction(async (tx) => {
        const result = await work(tx);
        if (++begun % 3 === 0) throw Object.assign(new Error(), { code: 'ER_LOCK_DEADLOCK' });
        return result;
      })) as typeof database.transaction;

    const ledger = sendTo(identifier, [service]);
    await ledger.take(CLIENTS, 1_000);

    expectAllTaken(ledger);
    await expectNothingLost('D-13 embedded, a third taken back', ledger, owner, identifier);
  });

  it('D-05: refuses while the disk is full, still answers reads, and goes on once there is room', async () => {
    const { service, owner } = await startHere();
    const { identifier } = await owner.makeForm();
    const ledger = sendTo(identifier, [service]);
    await ledger.submit();

    const database = service.app.get(DataSource);
    const [{ page_count: pages }] = await database.query<[{ page_count: number }]>('PRAGMA page_count');
    await database.query(`PRAGMA max_page_count = ${pages}`);
    ledger.start(CLIENTS);
    await ledger.untilRefused(200);
    await owner.get(`/api/v1/forms/${identifier}`).expect(200);
    await service.anonymous().get('/health/live').expect(200);
    const { body } = await service
      .anonymous()
      .post(`/f/${identifier}`, { number: 0, text: 'x'.repeat(100_000) })
      .expect(503)
      .expect('Retry-After', /^\d+$/);
    expect(body).toMatchObject({ success: false, error: expect.any(String) });

    await database.query('PRAGMA max_page_count = 1000000');
    await ledger.untilAcknowledged(200);
    await ledger.stop();
    await expectNothingLost('D-05 embedded, no more pages', ledger, owner, identifier);
  });
});
