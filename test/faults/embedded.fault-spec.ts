import { afterEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { makeForm } from '../support/make.js';
import { Service, type Caller } from '../support/service.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';
import { expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;
/** More than the service can answer at once; each sends its next submission when one is answered. */
const OVERLOAD_FACTOR = 5;
const OVERLOAD_CLIENTS = OVERLOAD_FACTOR * CLIENTS;
const OVERLOAD_MS = 15_000;
/** In memory: the pace of the service is measured, not that of a disk which others use too. */
const MEMORY = '/dev/shm/';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

function makeLedger(url: string): Ledger {
  const ledger = new Ledger([url]);
  cleanUp.push(() => ledger.stop());
  return ledger;
}

/** What 99 of 100 acknowledged submissions took at most, in milliseconds. */
function p99({ times }: Ledger): number {
  const sorted = times.sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

/** The service in this process, so that faults can be put into it. */
async function startHere(): Promise<{ service: Service; owner: Caller }> {
  const database: TestDatabase = await createDatabase();
  cleanUp.push(() => database.drop());
  const service = await Service.start(database.settings);
  cleanUp.push(() => service.app.close());
  return { service, owner: await service.openAccount() };
}

describe('With an embedded database', () => {
  it('stores every submission once although the database takes transactions back', async () => {
    const { service, owner } = await startHere();
    const { identifier } = await makeForm(owner);
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

    const ledger = makeLedger(`${service.url}/f/${identifier}`);
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged(1_000);
    await ledger.stop();

    expect({ refused: ledger.refused, unanswered: ledger.unanswered }).toEqual({
      refused: 0,
      unanswered: 0,
    });
    await expectNothingLost('Deadlocks', ledger, owner, identifier);
  });

  it('refuses while the disk is full, still answers reads, and goes on once there is room', async () => {
    const { service, owner } = await startHere();
    const { identifier } = await makeForm(owner);
    const ledger = makeLedger(`${service.url}/f/${identifier}`);
    await ledger.submit();

    const database = service.app.get(DataSource);
    const [{ page_count: pages }] =
      await database.query<[{ page_count: number }]>('PRAGMA page_count');
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
    await expectNothingLost('Disk full', ledger, owner, identifier);
  });

  it('keeps its pace and its memory when far more arrives than it can store', async () => {
    const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'fcs-fault-'));
    cleanUp.push(() => rm(folder, { recursive: true }));
    const service = await RunningService.start({ DATA_DIR: folder });
    cleanUp.push(() => service.remove());
    const form = await service.makeForm();
    const busyForm = await service.makeForm();
    const busy = makeLedger(`${service.url}/f/${busyForm}`);
    busy.start(CLIENTS);
    await pause(OVERLOAD_MS / 3);
    await busy.stop();

    const ledger = makeLedger(`${service.url}/f/${form}`);
    ledger.start(OVERLOAD_CLIENTS);
    await pause(OVERLOAD_MS / 3);
    const before = await service.memory();
    await pause((OVERLOAD_MS * 2) / 3);
    const after = await service.memory();
    await ledger.stop();

    const [usual, slowest] = [p99(busy), p99(ledger)];
    process.stdout.write(
      `Overload: p99 ${usual} ms, then ${slowest} ms, memory ${Math.round(before)} to ${Math.round(after)} MiB, refused ${ledger.refused}\n`,
    );
    // A machine that others keep busy is slow before the overload too.
    expect(slowest).toBeLessThan(Math.max(1_000, OVERLOAD_FACTOR * 1.5 * usual));
    expect(after - before).toBeLessThan(64);
    await expectNothingLost('Overload', ledger, service.owner, form);
  });
});
