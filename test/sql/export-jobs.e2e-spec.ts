import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import request from 'supertest';
import type { Action } from '../../src/accounts/access/principal.js';
import { DataSource, IsNull, Not } from 'typeorm';
import type { Schemas } from '../../build/api.js';
import { isEmbedded } from '../../src/platform/database/select-rows.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { makeUuid, parseUuid } from '../../src/platform/kernel/uuid.js';
import { BulkJob } from '../../src/jobs/queue/bulk-job.entity.js';
import { FormsService } from '../../src/forms/forms.service.js';
import { ExportJobWorker } from '../../src/jobs/queue/export-job-worker.js';
import { ExportRowsRepository } from '../../src/jobs/exports/export-rows.repository.js';
import { ExportStore } from '../../src/jobs/exports/export.service.js';
import { Config } from '../../src/platform/config/config.js';
import { SubmissionPurger } from '../../src/submissions/erasure/erasure.service.js';
import { Clock } from '../../src/platform/kernel/time.js';
import { refusal } from '../support/refusal.js';
import { besideTransaction } from '../support/portable-sql.js';
import { useService, useOwner, useForm, type FormBody, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const HOUR_MS = 3_600_000;

type JobBody = Schemas['BulkJobDto'];

/** No worker runs by itself: the test says when. */
const service = useService({ WORKERS: 'off', MAX_ACCOUNT_EXPORTS_BYTES: '1048576' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
const exportsOf = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/exports` as const;

async function begin(body: object = { format: 'csv' }, caller = owner, of = form) {
  const answer = await caller.post(exportsOf(of), body).expect(202);
  const job = answer.body;
  expect(answer.headers.location).toBe(`/api/v1/jobs/${job.id}`);
  return job;
}

const work = (signal?: AbortSignal): Promise<void> => service().work('export', new Date(), signal);

const shown = async ({ id }: { id: string }, caller = owner): Promise<JobBody> =>
  (await caller.get(`/api/v1/jobs/${id}`).expect(200)).body;

/** The files of exports on disk. */
async function onDisk(): Promise<string[]> {
  const folder = join(service().app.get(Config).dataDir, 'exports');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /[0-9a-f]{32}$/.test(name));
}

const fileOf = ({ id }: { id: string }) => `/api/v1/jobs/${id}/file` as const;

describe('An export in the background', () => {
  it('holds what an export at once would, and says how far it is', async () => {
    for (const m of ['one', 'two']) await service().submit(form, { m });
    const before = new Set(await onDisk());
    const job = await begin({ format: 'csv', columns: ['m', 'spam'], separator: 'semicolon' });
    await service().submit(form, { m: 'too late' });
    expect(await shown(job)).toMatchObject({
      state: 'waiting',
      total: 2,
      done: 0,
      export: { format: 'csv', file: null },
    });
    await owner.get(fileOf(job)).expect(refusal(404, 'export_gone'));

    await work();

    const done = await shown(job);
    expect(done).toMatchObject({ state: 'finished', total: 2, done: 2 });
    const { text, headers } = await owner.get(fileOf(job)).expect(200);
    expect(text).toBe('\uFEFFm;spam\r\ntwo;false\r\none;false\r\n');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Contact \d.*\.csv"/);
    expect(done.export?.file?.size).toBe(Buffer.byteLength(text));
    expect((await onDisk()).filter((name) => !before.has(name))).toHaveLength(1);
  });

  it('goes on where a download broke off, and only in the same file', async () => {
    await service().submit(form, { m: 'x' });
    const job = await begin({ format: 'ndjson' });
    await work();
    const { text, headers } = await owner.get(fileOf(job)).expect(200);
    const { etag = '' } = headers as Record<string, string>;
    expect(headers['accept-ranges']).toBe('bytes');
    const part = (range: string, ifRange?: string) =>
      request(service().url)
        .get(fileOf(job))
        .set({ Authorization: `Bearer ${owner.secret ?? ''}`, Range: range })
        .set(ifRange === undefined ? {} : { 'If-Range': ifRange });

    const rest = await part('bytes=10-', etag).expect(206);
    expect(rest.text).toBe(text.slice(10));
    expect(rest.headers['content-range']).toBe(`bytes 10-${text.length - 1}/${text.length}`);
    expect((await part('bytes=0-4').expect(206)).text).toBe(text.slice(0, 5));
    expect((await part('bytes=-3').expect(206)).text).toBe(text.slice(-3));
    expect((await part('bytes=10-', '"another"').expect(200)).text).toBe(text);
    const none = await part(`bytes=${text.length}-`).expect(refusal(416, 'range_not_satisfiable'));
    expect(none.headers['content-range']).toBe(`bytes */${text.length}`);
  });

  it('is opened by a link without a token, for an hour', async () => {
    await service().submit(form, { m: 'x' });
    const job = await begin({ format: 'ndjson' });
    await work();
    const { link } = (await shown(job)).export?.file ?? {};
    const nobody = service().anonymous();

    const { text } = await owner.get(fileOf(job)).expect(200);
    expect((await nobody.get(`/exports/${link ?? ''}`).expect(200)).text).toBe(text);
    await nobody.get(`/exports/x${link ?? ''}`).expect(refusal(404, 'link_expired'));
    const now = Date.now();
    jest.spyOn(service().app.get(Clock), 'now').mockReturnValue(new Date(now + HOUR_MS + 2_000));
    await nobody.get(`/exports/${link ?? ''}`).expect(refusal(404, 'link_expired'));
  });

  it('is opened by a link no longer than who was shown it may export', async () => {
    await service().submit(form, { m: 'x' });
    const clientFor = async () => {
      const id = await owner.makeClient({ form_ids: [form.id] });
      const { body } = await owner.post(`/api/v1/clients/${id}/tokens`, { token: { name: 'x' } }).expect(201);
      return { ...body, clientId: id };
    };
    const ends: [string, (of: Awaited<ReturnType<typeof clientFor>>) => Promise<unknown>][] = [
      [
        'the grant',
        ({ clientId }) => owner.patch(`/api/v1/clients/${clientId}`, { client: { form_ids: [] } }).expect(200),
      ],
      ['the client', ({ clientId }) => owner.delete(`/api/v1/clients/${clientId}`).expect(200)],
      ['the token', ({ clientId, id }) => owner.delete(`/api/v1/clients/${clientId}/tokens/${id}`).expect(200)],
    ];
    for (const [what, end] of ends) {
      const client = await clientFor();
      const caller = service().as(client.token);
      const job = await begin({ format: 'ndjson' }, caller);
      await work();
      const link = (await shown(job, caller)).export?.file?.link ?? '';
      const nobody = service().anonymous();
      await nobody.get(`/exports/${link}`).expect(200);

      await end(client);

      const { status, body } = await nobody.get(`/exports/${link}`);
      expect({ what, status, body }).toMatchObject({
        ...{ what, status: 404 },
        body: { type: 'urn:form-collection-service:problem:link_expired' },
      });
    }
  });

  it('is removed after a day, with its bytes', async () => {
    await service().submit(form, { m: 'x' });
    const before = await onDisk();
    const job = await begin();
    await work();
    const later = new Date(Date.now() + 24 * HOUR_MS + 2_000);
    const clock = jest.spyOn(service().app.get(Clock), 'now').mockReturnValue(later);
    await owner.get(fileOf(job)).expect(refusal(404, 'export_gone'));
    clock.mockRestore();

    await service().upkeep(later);

    expect((await shown(job)).export).toEqual({ format: 'csv', file: null });
    expect((await onDisk()).filter((name) => !before.includes(name))).toEqual([]);
  });

  it.each(['csv', 'xlsx'])('as %s is broken off and begun anew, whoever goes on', async (format) => {
    for (const m of ['one', 'two']) await service().submit(form, { m });
    const before = await onDisk();
    const job = await begin({ format, columns: ['m'] });
    const end = new AbortController();
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    const spy = jest.spyOn(rows, 'newest').mockImplementation(async (...asked) => {
      end.abort();
      return newest(...asked);
    });

    await work(end.signal);
    expect(await shown(job)).toMatchObject({ state: 'running', export: { file: null } });
    expect(await onDisk()).toEqual(before);
    spy.mockRestore();
    await work();

    expect(await shown(job)).toMatchObject({ state: 'finished', done: 2 });
  });

  it('can be stopped, and leaves no file', async () => {
    await service().submit(form, { m: 'x' });
    const before = await onDisk();
    const job = await begin();
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    jest.spyOn(rows, 'newest').mockImplementation(async (...asked) => {
      await owner.delete(`/api/v1/jobs/${job.id}`).expect(200);
      return newest(...asked);
    });

    await work();

    expect(await shown(job)).toMatchObject({ state: 'stopped', export: { file: null } });
    expect(await onDisk()).toEqual(before);
  });

  it('fails when the files of the account would take more than they may', async () => {
    await service().submit(form, { m: 'x'.repeat(60_000) });
    const jobs = [];
    for (let n = 0; n < 18; n++) jobs.push(await begin({ format: 'ndjson', columns: ['m'] }));
    await work();

    const states = await Promise.all(jobs.map(async (job) => (await shown(job)).state));
    expect(states.slice(0, 17)).toEqual(Array(17).fill('finished'));
    const last = jobs[17];
    expect(last && (await shown(last)).error).toMatchObject({ code: 'exports_full' });
  });

  it('has room in the limit for rows that wait for their columns, also when it is downloaded at once', async () => {
    const long = 'x'.repeat(200_000);
    for (let n = 0; n < 6; n++) await service().submit(form, { m: long });
    // What one took before is free again.
    for (let n = 0; n < 3; n++) await owner.get(`${pathOf(form)}.csv`).expect(200);
    for (let n = 0; n < 6; n++) await service().submit(form, { m: long });
    await owner.get(`${pathOf(form)}.csv`).expect(refusal(507, 'exports_full'));
    await owner.get(`${pathOf(form)}.csv?columns=m`).expect(200);
  });

  it.each([
    [{ format: 'pdf' }, 'format'],
    [{}, 'format'],
    [{ format: 'csv', columns: 'm' }, 'columns'],
    [{ format: 'csv', separator: 'pipe' }, 'separator'],
  ])('refuses %j', async (body, field) => {
    await owner.post(exportsOf(form), body).expect(refusal(422, 'invalid_fields', field));
  });
});

describe('What is erased', () => {
  const erasures: [string, (id: string) => Promise<unknown>][] = [
    ['one', (id) => owner.delete(`${pathOf(form)}/${id}`).expect(200)],
    ['by value', () => owner.post(`${pathOf(form)}/erase`, { field: 'm', value: 'erased' }).expect(200)],
    [
      'by retention',
      async () => {
        await owner.put(`/api/v1/forms/${form.identifier}/retention`, { days: 1 }).expect(200);
        const later = new Date(Date.now() + 48 * HOUR_MS);
        await service().app.get(SubmissionPurger).applyRetention({ now: later });
      },
    ],
    [
      'with the form',
      async () => {
        await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
        await service().app.get(SubmissionPurger).purgeDeletedForms({ now: new Date() });
      },
    ],
  ];

  it.each(erasures)('%s is in no file of an export any more', async (_, erase) => {
    const other = await owner.makeForm();
    await service().submit(other, { m: 'kept' });
    const id = await service().submit(form, { m: 'erased' });
    const before = await onDisk();
    const [job, kept] = [await begin(), await begin({ format: 'csv' }, owner, other)];
    await work();
    const { link } = (await shown(job)).export?.file ?? {};
    expect((await onDisk()).length).toBe(before.length + 2);

    await erase(id);

    await owner.get(fileOf(job)).expect(404);
    await service()
      .anonymous()
      .get(`/exports/${link ?? ''}`)
      .expect(refusal(404, 'export_gone'));
    await owner.get(fileOf(kept)).expect(200);
    expect((await onDisk()).length).toBe(before.length + 1);
  });

  it('while an export is written is not in it', async () => {
    const id = await service().submit(form, { m: 'erased' });
    await service().submit(form, { m: 'kept' });
    const job = await begin({ format: 'ndjson', columns: ['m'] });
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    let erased = false;
    jest.spyOn(rows, 'newest').mockImplementation(async (...asked) => {
      const found = await newest(...asked);
      // It was read already.
      if (!erased) await owner.delete(`${pathOf(form)}/${id}`).expect(200);
      erased = true;
      return found;
    });

    await work();

    expect((await owner.get(fileOf(job)).expect(200)).text).toBe('{"values":{"m":"kept"}}\n');
  });
});

it('An export of a form of which something is erased again and again is given up, and leaves no file', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await service().submit(form, { m: `${n}` }));
  const before = await onDisk();
  const job = await begin({ format: 'ndjson', columns: ['m'] });
  const rows = service().app.get(ExportRowsRepository);
  const newest = rows.newest.bind(rows);
  jest.spyOn(rows, 'newest').mockImplementation(async (...asked) => {
    const found = await newest(...asked);
    const id = ids.pop();
    if (id !== undefined) await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    return found;
  });

  await work();

  expect(await shown(job)).toMatchObject({
    state: 'failed',
    error: { code: 'erased_meanwhile' },
    export: { file: null },
  });
  expect(ids.length).toBeGreaterThan(0);
  expect(await onDisk()).toEqual(before);
});

it('Exports of several accounts are written in turns, however many one has asked for', async () => {
  for (let n = 0; n < 3; n++) await begin();
  const other = await service().openAccount();
  const theirs = await begin({ format: 'csv' }, other, await other.makeForm());
  const ended: string[] = [];
  const running = async (caller: Caller) =>
    (await caller.read('/api/v1/jobs')).jobs.filter(({ state }) => state === 'running');
  const store = service().app.get(ExportStore);
  const keep = store.keep.bind(store);
  jest.spyOn(store, 'keep').mockImplementation(async (file) => {
    const [job] = [...(await running(owner)), ...(await running(other))];
    ended.push(job?.id ?? '');
    await keep(file);
  });

  await work();

  expect(ended).toHaveLength(4);
  expect(ended.indexOf(theirs.id)).toBeLessThan(2);
});

it('An erasure and an export that is asked for at the same time leave nothing erased in the file', async () => {
  const id = await service().submit(form, { m: 'erased' });
  await service().submit(form, { m: 'kept' });
  const forms = service().app.get(FormsService);
  const note = forms.noteErasure.bind(forms);
  let asked: Promise<JobBody> | undefined;
  let worked: Promise<void> | undefined;
  jest.spyOn(forms, 'noteErasure').mockImplementation(async (tx, ...erased) => {
    // Its rows are removed, which is not committed yet.
    asked ??= besideTransaction(() => begin({ format: 'ndjson', columns: ['m'] }));
    worked ??= asked.then(() => besideTransaction(work));
    worked.catch(() => undefined); // seen when it is awaited
    // On the embedded database everybody waits for the end of a transaction.
    if (!isEmbedded(service().app.get(DataSource))) await worked;
    return note(tx, ...erased);
  });

  await owner.delete(`${pathOf(form)}/${id}`).expect(200);

  const job = (await asked) ?? { id: '' };
  await worked;
  const { status, text } = await owner.get(fileOf(job));
  expect([status, status === 200 ? text : '']).toEqual(
    isEmbedded(service().app.get(DataSource)) ? [200, '{"values":{"m":"kept"}}\n'] : [404, ''], // the file was there before the commit, and is gone
  );
});

it('An erasure whose process ends before it has removed the files of exports lets none of them be opened, and has them removed later', async () => {
  const id = await service().submit(form, { m: 'erased' });
  const before = await onDisk();
  const job = await begin({ format: 'ndjson' });
  await work();
  const { link } = (await shown(job)).export?.file ?? {};
  jest.spyOn(service().app.get(ExportJobWorker), 'forgetForm').mockRejectedValue(new Error('Ended'));
  await owner.delete(`${pathOf(form)}/${id}`).expect(500);
  await owner.get(`${pathOf(form)}/${id}`).expect(404);
  expect((await onDisk()).length).toBe(before.length + 1);

  await owner.get(fileOf(job)).expect(refusal(404, 'export_gone'));
  await service()
    .anonymous()
    .get(`/exports/${link ?? ''}`)
    .expect(refusal(404, 'export_gone'));
  await service().app.get(ExportJobWorker).sweep({ now: new Date() });

  expect((await onDisk()).length).toBe(before.length);
  expect((await shown(job)).export?.file).toBeNull();
});

it('More files than one statement takes away are all gone with what is erased', async () => {
  const id = await service().submit(form, { m: 'erased' });
  const job = await begin({ format: 'ndjson' });
  await work();
  const jobs = service().repository(BulkJob);
  const made = await jobs.findOneByOrFail({ id: parseUuid(job.id) ?? Buffer.alloc(16) });
  const copies = Array.from({ length: 450 }, () =>
    Object.assign(new BulkJob(), made, { id: makeUuid(), fileId: makeUuid() }),
  );
  await service()
    .app.get(UnitOfWork)
    .run(async (tx) => {
      for (let at = 0; at < 450; at += 50) {
        await tx.getRepository(BulkJob).insert(copies.slice(at, at + 50));
      }
    });

  await owner.delete(`${pathOf(form)}/${id}`).expect(200);

  expect(await jobs.countBy({ exportFormId: form.id, fileId: Not(IsNull()) })).toBe(0);
});

describe('The file of an export', () => {
  it('is for the clients who see the form', async () => {
    await service().submit(form, { m: 'x' });
    const seeing = await owner.makeClientCaller({ form_ids: [form.id] });
    const other = await owner.makeClientCaller({ form_ids: [form.id] });
    const ofClient = await begin({ format: 'csv' }, seeing);
    const ofAccount = await begin();
    await work();

    await seeing.get(fileOf(ofClient)).expect(200);
    await owner.get(fileOf(ofClient)).expect(200);
    await seeing.get(fileOf(ofAccount)).expect(refusal(404, 'job_not_found'));
    await other.get(fileOf(ofClient)).expect(refusal(404, 'job_not_found'));
    const stranger = await service().openAccount();
    await stranger.get(fileOf(ofClient)).expect(refusal(404, 'job_not_found'));
    await stranger.post(exportsOf(form), { format: 'csv' }).expect(refusal(404, 'form_not_found'));
    const { token } = await owner.makeToken({ rights: ['forms:read'] });
    await service().as(token).get(fileOf(ofAccount)).expect(refusal(403, 'missing_right'));
  });

  it('is not for a person who may only see, nor for whom the form was taken from', async () => {
    await service().submit(form, { m: 'x' });
    const client = await owner.makeClient({ form_ids: [form.id] });
    const browserOf = async (actions: Action[]) => service().makeBrowser(owner, { clientId: client, actions });
    const [exporting, seeing] = [await browserOf(['see', 'export']), await browserOf(['see'])];
    const sent = await exporting.post(`/forms/${form.identifier}/submissions/export`, { format: 'csv', q: '' });
    const page = sent.headers.location ?? '';
    expect((await exporting.get(page)).text).toContain('>CSV</dd>');
    await work();

    expect((await exporting.get(page)).text).toContain(`${page}/file`);
    expect((await exporting.get(`${page}/file`)).status).toBe(200);
    expect((await seeing.get(page)).text).not.toContain(`${page}/file`);
    expect((await seeing.get(`${page}/file`)).status).toBe(403);
    await owner.patch(`/api/v1/clients/${client}`, { client: { form_ids: [] } }).expect(200);
    expect((await exporting.get(`${page}/file`)).status).toBe(404);
  });
});
