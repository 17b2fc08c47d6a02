import { Readable } from 'node:stream';
import { FileStore } from '../../src/files/file-store.js';
import { ExportRowsRepository } from '../../src/exports/export-rows.repository.js';
import { ExportJobWorker } from '../../src/jobs/exports/export-job-worker.js';
import { makeForm } from '../support/make.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { submit } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
describe('When the disk fills up to MIN_FREE_DISK', () => {
  /** From now on there is less than is to be left free. */
  const fillUp = () => jest.replaceProperty(service().config.intake, 'minFreeDisk', 1024 ** 4);
  const LONG = 'x'.repeat(230_000);

  it('while an export is written, its job says so and leaves no file; text is taken', async () => {
    const owner = await service().openAccount();
    const form = await makeForm(owner);
    for (let n = 0; n < 4; n++) await submit(service(), form, { a: LONG, b: LONG, c: LONG });
    const path = `/api/v1/forms/${form.identifier}/exports` as const;
    const { body } = await owner.post(path, { format: 'ndjson' }).expect(202);
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    jest.spyOn(rows, 'newest').mockImplementation((...asked) => {
      fillUp();
      return newest(...asked);
    });

    await service().app.get(ExportJobWorker).work({ now: new Date() });

    const { id } = body;
    expect((await owner.get(`/api/v1/jobs/${id}`).expect(200)).body).toMatchObject({
      state: 'failed',
      error: { code: 'export_disk_full' },
    });
    expect(await storedNames(service(), 'exports')).toEqual([]);
    await submit(service(), form);
  });

  it('while rows wait for their columns, the download is refused and leaves no file; a small one is not', async () => {
    const owner = await service().openAccount();
    const form = await makeForm(owner);
    await submit(service(), form);
    fillUp();
    const path = `/api/v1/forms/${form.identifier}/submissions` as const;
    await owner.get(`${path}.csv`).expect(200);
    for (let n = 0; n < 4; n++) await submit(service(), form, { a: LONG, b: LONG, c: LONG });
    await owner.get(`${path}.csv`).expect(refusal(503, 'export_disk_full'));
    await owner.get(`${path}.csv?columns=a`).expect(200);
    expect(await storedNames(service(), 'exports')).toEqual([]);
  });

  it('while a file is received, it is refused and leaves nothing', async () => {
    const form = await makeForm(await service().openAccount());
    const store = service().app.get(FileStore);
    const content = Readable.from([Buffer.alloc(1024 * 1024), Buffer.alloc(1024 * 1024)]);
    let received = 0;
    const admit = () => {
      if (++received === 1) fillUp();
    };
    await expect(store.receive(content, admit)).rejects.toThrow('We cannot store files');
    expect(await storedNames(service())).toEqual([]);
    await submit(service(), form);
  });
});
