import { setTimeout as pause } from 'node:timers/promises';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { Program } from '../support/program.js';
import { answers, type Behaviour, type WebhookReceiver } from '../support/webhook-receiver.js';
import { inFull } from './kit/duration.js';
import type { RunningService } from './kit/running-service.js';
import { useDatabase, useServices } from './kit/scene.js';

const WORKERS = 3;
/** Addresses that are called, each by a form of its own: more calls may be under way than to one. */
const HOSTS = 20;
const DELIVERIES = inFull(10_000, 2_000);
const DELIVERIES_WITH_KILL = inFull(1_000, 500);
/** More deliveries than two workers have under way: each of the three is at some. */
const ALL_ARE_AT_SOME = 100;
/** Longer than a call takes here. */
const CALLS_END_MS = 2_000;
const POLL_MS = 100;

const database = useDatabase();
const { later, start, receive, sendTo } = useServices();
let connection: mysql.Connection;
let receiver: WebhookReceiver;
let service: RunningService;
let settings: Record<string, string>;
let workers: Program[];
beforeEach(async () => {
  connection = await mysql.createConnection(database().url);
  later(() => connection.end());
  later(() => connection.query('DELETE FROM deliveries'));
  receiver = await receive();
  settings = { DATABASE_URL: database().url, LOG_LEVEL: 'silent', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  service = await start({ ...settings, WORKERS: 'off' });
});

/** Sends so many submissions, each of which plans one call. */
async function planCalls(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: HOSTS }, async (_, host) => {
      const form = await service.makeForm({
        webhook_url: `http://127.0.1.${host + 1}:${receiver.port}/`,
        notify_owner_on_submission: false,
      });
      const ledger = sendTo(form, [service]);
      while (ledger.acknowledged.size < count / HOSTS) await ledger.submit();
    }),
  );
}

/** Makes the receiver delay its answers. @returns a function that answers all calls */
function delayAnswers(): () => void {
  const waiting: Parameters<Behaviour>[] = [];
  receiver.behaviour = (...call) => waiting.push(call);
  return () => {
    receiver.behaviour = answers(200);
    for (const call of waiting) receiver.behaviour(...call);
  };
}

function startWorkers(): void {
  const worker = () => Program.service({ ...settings, WORKERS: 'only' });
  workers = Array.from({ length: WORKERS }, worker);
  later(() => Promise.all(workers.map((each) => each.kill())));
}

async function idsOf(condition: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT LOWER(HEX(id)) AS id FROM deliveries WHERE ${condition}`,
  );
  return rows.map(({ id }) => `msg_${id}`);
}

/** Waits until no delivery matches. It asks seldom, since the workers need the database. */
async function untilNone(condition: string): Promise<void> {
  const counting = `SELECT COUNT(*) AS count FROM deliveries WHERE ${condition}`;
  while ((await connection.query<RowDataPacket[]>(counting))[0][0]?.count !== 0) await pause(POLL_MS);
}

/** Ids that the receiver was called with, and those it was called with more than once. */
function calls() {
  const received = new Set<string>();
  const doubled = new Set<string>();
  for (const { id } of receiver.calls) (received.has(id) ? doubled : received).add(id);
  return { received, doubled };
}

function print(name: string, planned: string[], begin: number): void {
  const { received, doubled } = calls();
  const lost = planned.filter((id) => !received.has(id)).length;
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  process.stdout.write(
    `${name}: planned ${planned.length}, calls ${receiver.calls.length}, lost ${lost}, doubled ${doubled.size}, ${seconds} s\n`,
  );
}

describe('Three workers on one database', () => {
  it('D-12: make each of thousands of calls once', async () => {
    await planCalls(DELIVERIES);
    const begin = performance.now();
    startWorkers();
    await untilNone("state <> 'delivered'");

    const planned = await idsOf('TRUE');
    print('Three workers', planned, begin);
    expect(receiver.calls).toHaveLength(DELIVERIES);
    expect(calls().received).toEqual(new Set(planned));
    const once = 'scheduled_attempts = 1 AND (SELECT COUNT(*) FROM attempts WHERE delivery_id = deliveries.id) = 1';
    expect(await idsOf(once)).toHaveLength(DELIVERIES);
  });

  it('D-12: lose nothing when one is killed, and repeat only what it was at', async () => {
    await planCalls(DELIVERIES_WITH_KILL);
    const begin = performance.now();
    startWorkers();
    while (receiver.calls.length < DELIVERIES_WITH_KILL / 4) await pause(POLL_MS);
    // The calls wait for their answers until every worker is in the middle of some.
    const answerAll = delayAnswers();
    while ((await idsOf("state = 'delivering'")).length <= ALL_ARE_AT_SOME) await pause(POLL_MS);
    await workers[0]?.kill();
    answerAll();
    await untilNone("state = 'pending'");
    // A delivery that is neither due nor delivered has a lease; that of the others ends with their calls.
    await pause(CALLS_END_MS);
    const held = await idsOf("state = 'delivering'");
    expect(held.length).toBeGreaterThan(0);
    await connection.query("UPDATE deliveries SET lease_until = '2000-01-01' WHERE state = 'delivering'");
    await untilNone("state <> 'delivered'");

    const planned = await idsOf('TRUE');
    print('One of three killed', planned, begin);
    const { received, doubled } = calls();
    expect(received).toEqual(new Set(planned));
    expect(held).toEqual(expect.arrayContaining([...doubled]));
    expect(receiver.calls.length - received.size).toBe(doubled.size);
  });
});
