import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { FormQueries } from '../../src/forms/form-queries.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { insertStatement, runStatements } from '../../src/platform/database/sql.js';
import { firstUuidAt, makeUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';
import { useOwnDatabases } from '../support/own-database.js';
import { RawClient, requestText } from '../support/raw-client.js';
import { refusal } from '../support/refusal.js';
import type { Service, FormBody, Caller } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const TABLES = ['submissions', 'submission_values', 'files'] as const;

const own = useOwnDatabases();
let service: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  service = await start();
  owner = await service.openAccount();
  form = await owner.makeForm();
});

/** All that a test's clock leaves running. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const FILE_BODY = '--x\r\nContent-Disposition: form-data; name="cv"; filename="cv.txt"\r\n\r\nA long life\r\n--x--\r\n';
const toColumn = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '');
/** Nothing is done in the background but when a test says so. */
const start = () => own.start({ WORKERS: 'off' });

/** From the time of new ids, which never goes back: after a test with a clock ahead, they are ahead too. */
const inDays = (days: number) => new Date(timeOf(makeUuid()).getTime() + days * DAY_MS);
/** Does what there is to do, and what that makes to be done. */
const upkeep = async (now = new Date()) => {
  await service.upkeep(now);
  await service.upkeep(now);
};

it('What is left of a deleted form besides its submissions is removed too: webhook, notices to owners with their tries, idempotency keys', async () => {
  const url = `${service.url}/f/${form.identifier}`;
  const headers = { 'Idempotency-Key': 'once', 'Content-Type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body: '{"a":"1"}' });
  const { app } = service;
  const delivery = makeUuid();
  await app.get(DataSource).query(
    `INSERT INTO deliveries (id, form_id, submission_id, kind, recipient, recipient_key, state, scheduled_attempts)
        VALUES (?, ?, NULL, 'owner_notice', 'owner@example.com', 'owner@example.com', 'failed', 1)`,
    [delivery, form.id],
  );
  await app.get(DataSource).query(
    `INSERT INTO attempts (id, delivery_id, at, duration_ms, cause, outcome)
        VALUES (?, ?, '2030-01-01 00:00:00.000', 1, 'scheduled', 'refused')`,
    [makeUuid(), delivery],
  );
  const webhook = await owner.firstPath(form, 'webhook');
  await owner.patch(`/api/v1${webhook}`, { destination: { paused: true } }).expect(200);
  const left = async () => {
    const counts: number[] = [];
    for (const table of ['destinations', 'deliveries', 'idempotency_keys']) {
      const [row] = await app
        .get(DataSource)
        .query<{ n: number | string }[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE form_id = ?`, [form.id]);
      counts.push(Number(row?.n));
    }
    const [row] = await app
      .get(DataSource)
      .query<{ n: number | string }[]>('SELECT COUNT(*) AS n FROM attempts WHERE delivery_id = ?', [delivery]);
    return [...counts, Number(row?.n)];
  };
  expect((await left()).every((count) => count > 0)).toBe(true);

  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
  await upkeep();

  expect(await left()).toEqual([0, 0, 0, 0]);
});

/** Rows in each table that belong to a form. */
async function rowsOf({ id }: FormBody): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await service.query<{ n: number | string }[]>(
      `SELECT COUNT(*) AS n FROM ${table} WHERE form_id = ?`,
      [id],
    );
    counts[table] = Number(row?.n);
  }
  return counts;
}

async function isPurged({ id }: FormBody): Promise<boolean> {
  const [row] = await service.query<{ purged_at: unknown }[]>('SELECT purged_at FROM forms WHERE id = ?', [id]);
  return row?.purged_at !== null;
}

/** Dates the deletion of a form back. */
async function deletedAgo({ id }: FormBody, ms: number): Promise<void> {
  await service.query('UPDATE forms SET deleted_at = ? WHERE id = ?', [toColumn(new Date(Date.now() - ms)), id]);
}

/** Submissions of every kind, more than are removed at once. */
async function fill(target: FormBody): Promise<void> {
  await Promise.all(Array.from({ length: 250 }, (_, n) => service.submit(target, { n })));
  await service.submitSpam(target, { n: 'spam' });
  const trashed = await service.submit(target, { n: 'trashed' });
  const path = `${pathOf(target)}/${trashed}` as const;
  await owner.patch(path, { submission: { trash: true } }).expect(200);
  await service.submitFile(target, 'cv');
}

const NOTHING = { submissions: 0, submission_values: 0, files: 0 };

describe('Deleting a form', () => {
  it('answers before its submissions are removed, and removes them in the background', async () => {
    const other = await owner.makeForm();
    await service.submitFile(other, 'stays');
    const kept = await storedNames(service);
    await fill(form);
    await upkeep();
    const before = await rowsOf(form);
    // Each value once, the address of the visitor who sent the file, and the page and the origin of each.
    expect(before).toEqual({ submissions: 253, submission_values: 254 + 2 * 253, files: 1 });

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await owner.get(pathOf(form)).expect(refusal(404, 'form_not_found'));
    expect(await rowsOf(form)).toEqual(before);

    await upkeep();
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await storedNames(service)).toEqual(kept);
    expect(await rowsOf(other)).toEqual({ submissions: 1, submission_values: 2 + 2, files: 1 });
    expect(await owner.countOf(other)).toBe(1);
  });

  it('goes on after a restart', async () => {
    await fill(form);
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await service.close();

    service = await start();
    await upkeep();

    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await storedNames(service)).toEqual([]);
  });

  it("looks for stragglers for a minute more than a request may take, by the database's clock", async () => {
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await upkeep(inDays(1));
    expect(await isPurged(form)).toBe(false);

    const { bodyTimeoutMs } = service.config.http;
    await deletedAgo(form, bodyTimeoutMs + MINUTE_MS - 10_000);
    // As an instance leaves one that still had the form in its cache.
    await service.query(
      "INSERT INTO submissions (id, form_id, trash, spam, created_at, payload, search_text) VALUES (?, ?, 0, 0, '2030-01-01 00:00:00.000', '[]', '')",
      [makeUuid(), form.id],
    );
    await upkeep();
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await isPurged(form)).toBe(false);

    await deletedAgo(form, bodyTimeoutMs + MINUTE_MS + 1_000);
    await upkeep();
    expect(await isPurged(form)).toBe(true);
  });

  it("is dated by the database's clock, whatever that of the instance says", async () => {
    // Behind, since ids never go back: ids of later tests would stay ahead.
    jest.useFakeTimers({ now: Date.now() - DAY_MS, doNotFake: [...TIMERS] });
    try {
      await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    } finally {
      jest.useRealTimers();
    }
    const rows = await service.query<unknown[]>('SELECT id FROM forms WHERE id = ? AND deleted_at > ?', [
      form.id,
      toColumn(inDays(-0.5)),
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['fields', 'a=1&b=2', 'application/x-www-form-urlencoded'],
    ['a file', FILE_BODY, 'multipart/form-data; boundary=x'],
  ])('refuses what was still being sent then: %s', async (_, body, type) => {
    const lookUp = jest.spyOn(service.app.get(FormQueries), 'findPublicCached');
    const client = await RawClient.to(service.url);
    const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`, 'Connection: close'];
    const half = body.length / 2;
    await client.flush(requestText(`/f/${form.identifier}`, headers, body.slice(0, half)));
    await until(() => lookUp.mock.results.length > 0);
    await lookUp.mock.results[0]?.value;
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    client.write(body.slice(half));

    expect(await client.closed).toMatch(/^HTTP\/1.1 404 .*FORM_NOT_FOUND/s);
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await storedNames(service)).toEqual([]);
  });

  it('leaves forms alone that are not deleted', async () => {
    await service.submit(form, { m: 'hello' });
    await upkeep(inDays(10_000));
    expect((await owner.list(form)).count).toBe(1);
    expect(await isPurged(form)).toBe(false);
  });
});

describe('Retention', () => {
  const path = () => `/api/v1/forms/${form.identifier}/retention` as const;
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
    const other = await owner.makeForm();
    await service.submit(other, { m: 'kept for ever' });
    await fill(form);
    await keep(30).expect(200);

    await upkeep(inDays(29.9));
    expect((await rowsOf(form)).submissions).toBe(253);
    expect(await owner.countOf(form)).toBe(251);

    await upkeep(inDays(30.1));
    expect(await rowsOf(form)).toEqual(NOTHING);
    expect(await owner.countOf(form)).toBe(0);
    expect(await storedNames(service)).toEqual([]);
    expect(await owner.countOf(other)).toBe(1);
  });

  it('keeps everything again once it is set back', async () => {
    await service.submit(form, { m: 'hello' });
    await keep(1).expect(200);
    await keep(null).expect(200);
    await upkeep(inDays(1_000));
    expect(await owner.countOf(form)).toBe(1);
  });
});

describe('What is old', () => {
  /** More than any transaction removes. */
  const COUNT = 1_100;
  const LONG_AGO = '2020-01-01 00:00:00.000';
  const oldId = () => Buffer.concat([firstUuidAt(new Date('2020-01-01')).subarray(0, 8), randomBytes(8)]);
  const columns = {
    idempotency_keys: {
      form_id: () => form.id,
      key_hash: () => randomBytes(32),
      content_hash: () => randomBytes(32),
      answer: () => '{}',
      created_at: () => LONG_AGO,
    },
    deliveries: {
      id: oldId,
      form_id: () => form.id,
      kind: () => 'owner_notice',
      recipient: () => 'owner@example.com',
      recipient_key: () => 'owner@example.com',
      state: () => 'delivered',
      scheduled_attempts: () => 1,
      settled_at: () => LONG_AGO,
    },
    audit_entries: {
      id: oldId,
      at: () => LONG_AGO,
      actor_kind: () => 'operator',
      actor_name: () => 'Command line',
      action: () => 'account.opened',
      target_kind: () => 'account',
    },
  };

  it.each(Object.keys(columns) as (keyof typeof columns)[])(
    'is removed in transactions of a bounded size: %s',
    async (table) => {
      const makers = Object.entries(columns[table]);
      const rows = Array.from({ length: COUNT }, () => makers.map(([, make]) => make()));
      const unitOfWork = service.app.get(UnitOfWork);
      const names = makers.map(([name]) => name);
      for (let at = 0; at < COUNT; at += 100) {
        const some = insertStatement(table, names, rows.slice(at, at + 100));
        await unitOfWork.run((tx) => runStatements(tx, some));
      }
      const count = async () => {
        const [row] = await service.query<{ n: number | string }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
        return Number(row?.n);
      };
      const before = await count();
      const left = [before];
      const run = unitOfWork.run.bind(unitOfWork);
      const spy = jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
        const result = await run(work);
        left.push(await count());
        return result;
      });

      await upkeep();
      spy.mockRestore();

      expect(before - (left.at(-1) ?? 0)).toBeGreaterThanOrEqual(COUNT);
      const removed = left.slice(1).map((now, index) => (left[index] ?? 0) - now);
      expect(Math.max(...removed)).toBeLessThanOrEqual(500);
    },
  );
});
