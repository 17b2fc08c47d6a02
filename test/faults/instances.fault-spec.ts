import mysql from 'mysql2/promise';
import { setTimeout as pause } from 'node:timers/promises';
import { migrationNames } from '../../src/platform/database/migrations/index.js';
import { until } from '../support/until.js';
import { inFull } from './kit/duration.js';
import type { RunningService } from './kit/running-service.js';
import { useDatabase, useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const INSTANCES = 3;
const DELIVERY_MS = 120_000;
const CLIENTS = 8;
const ENOUGH = inFull(2_000, 200);
/** After this time every instance knows what was changed on another. */
const SEEN_MS = 1_000;

const database = useDatabase();
const { start, receive, sendTo } = useServices();
let services: RunningService[];

async function rows<T>(sql: string): Promise<T[]> {
  const connection = await mysql.createConnection(database().url);
  const [found] = await connection.query(sql);
  await connection.end();
  return found as T[];
}

/** Sends a submission to each instance. @returns their answers */
function submitToAll(form: string): Promise<{ status: number; message: string }[]> {
  return Promise.all(
    services.map(async ({ url }) => {
      const body = new URLSearchParams({ a: '1' });
      const headers = { Accept: 'application/json' };
      const answer = await fetch(`${url}/f/${form}`, { method: 'POST', headers, body });
      const { message } = (await answer.json()) as { message: string };
      return { status: answer.status, message };
    }),
  );
}

describe('Three instances on one database', () => {
  it('start at once on an empty one, count exactly, deliver once, and see each other’s changes', async () => {
    const receiver = await receive();
    const settings = { DATABASE_URL: database().url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
    services = await Promise.all(Array.from({ length: INSTANCES }, () => start(settings)));
    expect(await rows('SELECT name FROM migrations ORDER BY id')).toEqual(migrationNames.map((name) => ({ name })));
    expect(await rows('SELECT COUNT(*) AS count FROM accounts')).toEqual([{ count: 1 }]);

    const webhook = { webhook_url: receiver.url };
    const forms = await Promise.all(services.map((service) => service.makeForm(webhook)));
    const ledgers = forms.map((form) => sendTo(form, services));
    for (const ledger of ledgers) ledger.start(CLIENTS);
    await Promise.all(ledgers.map((ledger) => ledger.untilAcknowledged(ENOUGH)));
    for (const ledger of ledgers) await ledger.stop();
    for (const [index, ledger] of ledgers.entries()) {
      expectAllTaken(ledger);
      // What one instance made is read from another.
      const { owner } = services.at(index - 1) ?? {};
      if (owner) await expectNothingLost(`Instance ${index}`, ledger, owner, forms[index] ?? '');
    }

    const planned = ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    await until(() => receiver.calls.length >= planned, DELIVERY_MS);
    const ids = new Set(receiver.calls.map(({ id }) => id));
    process.stdout.write(
      `Three instances, webhooks: planned ${planned}, delivered ${ids.size}, doubled ${receiver.calls.length - ids.size}\n`,
    );
    expect({ ids: ids.size, calls: receiver.calls.length }).toEqual({ ids: planned, calls: planned });

    const [first, second] = services;
    const form = (await first?.makeForm()) ?? '';
    await submitToAll(form);
    await first?.owner.patch(`/api/v1/forms/${form}`, { form: { submission_text: 'New' } });
    await pause(SEEN_MS);
    const seen = await submitToAll(form);
    expect(seen).toEqual(services.map(() => ({ status: 200, message: 'New' })));
    await second?.owner.delete(`/api/v1/forms/${form}`);
    await pause(SEEN_MS);
    expect((await submitToAll(form)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
