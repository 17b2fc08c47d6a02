import { Readable } from 'node:stream';
import { FileStore } from '../../src/submissions/files/file-store.js';
import { ExportRowsRepository } from '../../src/jobs/exports/export-rows.repository.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';

const service = useService({ WORKERS: 'off' });
describe('When the disk fills up to MIN_FREE_DISK', () => {
  /** From now on there is less than is to be left free. */
  const fillUp = () => jest.replaceProperty(service().config.intake, 'minFreeDisk', 1024 ** 4);
  const LONG = 'x'.repeat(230_000);

  // The first of all: what is wrong is said once.
  it('files are refused with what to do, and said once in the log; text is taken', async () => {
    fillUp();
    const owner = await service().openAccount();
    const form = await owner.makeForm();
    const sendFile = () =>
      service()
        .anonymous()
        .post(`/f/${form.identifier}`)
        .field('name', 'Jane')
        .attach('file', Buffer.from('x'), 'a.txt')
        .expect(503);

    for (let i = 0; i < 3; i++) {
      const { body, headers } = await sendFile();
      expect(body).toMatchObject({
        errors: [{ code: 'FILES_UNAVAILABLE' }],
        message: expect.stringContaining('submit without files'),
      });
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await service().submit(form);

    const lines = service().log.split('\n');
    const full = lines.filter((line) => line.includes('The disk is full'));
    expect(full).toHaveLength(1);
    expect(full[0]).toContain(service().config.dataDir);
    expect(service().log).not.toContain('"at":[');
    expect(await storedNames(service())).toEqual([]);
  });

  it('it is ready, and says what is wrong', async () => {
    fillUp();
    await service().openAccount();
    expect(await service().anonymous().read('/health/ready')).toEqual({
      status: 'degraded',
      detail: expect.stringMatching(/^The disk of DATA_DIR has \d+ MiB free, .*MIN_FREE_DISK/),
    });
  });

  it('while an export is written, its job says so and leaves no file; text is taken', async () => {
    const owner = await service().openAccount();
    const form = await owner.makeForm();
    for (let n = 0; n < 4; n++) await service().submit(form, { a: LONG, b: LONG, c: LONG });
    const path = `/api/v1/forms/${form.identifier}/exports` as const;
    const { body } = await owner.post(path, { format: 'ndjson' }).expect(202);
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    jest.spyOn(rows, 'newest').mockImplementation((...asked) => {
      fillUp();
      return newest(...asked);
    });

    await service().work('export');

    const { id } = body;
    expect((await owner.get(`/api/v1/jobs/${id}`).expect(200)).body).toMatchObject({
      state: 'failed',
      error: { code: 'export_disk_full' },
    });
    expect(await storedNames(service(), 'exports')).toEqual([]);
    await service().submit(form);
  });

  it('while rows wait for their columns, the download is refused and leaves no file; a small one is not', async () => {
    const owner = await service().openAccount();
    const form = await owner.makeForm();
    await service().submit(form);
    fillUp();
    const path = `/api/v1/forms/${form.identifier}/submissions` as const;
    await owner.get(`${path}.csv`).expect(200);
    for (let n = 0; n < 4; n++) await service().submit(form, { a: LONG, b: LONG, c: LONG });
    await owner.get(`${path}.csv`).expect(refusal(503, 'export_disk_full'));
    await owner.get(`${path}.csv?columns=a`).expect(200);
    expect(await storedNames(service(), 'exports')).toEqual([]);
  });

  it('while a file is received, it is refused and leaves nothing', async () => {
    const form = await (await service().openAccount()).makeForm();
    const store = service().app.get(FileStore);
    const content = Readable.from([Buffer.alloc(1024 * 1024), Buffer.alloc(1024 * 1024)]);
    let received = 0;
    const admit = () => {
      if (++received === 1) fillUp();
    };
    await expect(store.receive(content, admit)).rejects.toThrow('We cannot store files');
    expect(await storedNames(service())).toEqual([]);
    await service().submit(form);
  });
});
