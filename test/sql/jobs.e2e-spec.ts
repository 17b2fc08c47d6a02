import { ExportStore } from '../../src/jobs/exports/export.service.js';
import { DAY_MS, useClock } from '../support/clock.js';
import { onServer } from '../support/database-matrix.js';
import { useForm, useOwner, useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';

const clock = useClock();
const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const owner = useOwner(service);
const form = useForm(owner);

let anna = '';
let made = 0;
beforeEach(async () => {
  await service().query('DELETE FROM jobs');
  anna = `anna-${++made}@example.com`;
  await owner.put('/api/v1/weekly-mail', { weekly_mail: { recipients: [anna] } }).expect(200);
});

/** Some days after the weekly mail of so many weeks is due. */
const inWeeks = (weeks: number) => new Date(clock.now().getTime() + weeks * 7 * DAY_MS);
const mails = () => server.to(anna).length;
async function change() {
  await service().submit(form);
  const task = { q: '', changes: { done: true } };
  const { body } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
  const { id } = body as { id: string };
  return async () => (await owner.get(`/api/v1/jobs/${id}`).expect(200)).body;
}

it('Work that ended the process once goes on, and says so when it has ended it twice', async () => {
  const [one, both] = [await change(), await change()];
  await service().endOver('change');
  await service().work('change');
  expect(await one()).toMatchObject({ state: 'finished' });
  expect(await both()).toMatchObject({ state: 'finished' });

  const third = await change();
  await service().endOver('change');
  await service().endOver('change');
  await service().work('change');
  expect(await third()).toMatchObject({ state: 'failed', error: { code: 'job_given_up' } });
});

it('A mail that ended the process twice is left out, and the next one is sent', async () => {
  await service().endOver('week', inWeeks(1));
  await service().endOver('week', inWeeks(1));
  await service().work('week', inWeeks(1));
  expect(mails()).toBe(0);
  await service().work('week', inWeeks(2));
  expect(mails()).toBe(1);
});

it('A clock that jumps ahead makes up for nothing, and one that jumps back repeats nothing', async () => {
  await service().work('week', inWeeks(52));
  await service().work('week', inWeeks(52));
  expect(mails()).toBe(1);
  await service().work('week', inWeeks(3));
  expect(mails()).toBe(1);
});

it('What somebody asked for is done whatever the clock says', async () => {
  const shown = await change();
  await service().work('change', inWeeks(-4));
  expect(await shown()).toMatchObject({ state: 'finished' });
});

it('An export that takes long lets no mail wait', async () => {
  await service().submit(form);
  const store = service().app.get(ExportStore);
  const keep = store.keep.bind(store);
  let goOn: (() => void) | undefined;
  jest.spyOn(store, 'keep').mockImplementation(async (file) => {
    await new Promise<void>((resolve) => (goOn = resolve));
    await keep(file);
  });
  const path = `/api/v1/forms/${form.identifier}/exports` as const;
  await owner.post(path, { format: 'csv' }).expect(202);
  const writing = service().work('export');
  await until(() => goOn !== undefined);
  await service().work('week', inWeeks(1));
  expect(mails()).toBe(1);
  goOn?.();
  await writing;
  jest.restoreAllMocks();
});

onServer('Of two instances that find the same job due one does it', async () => {
  const other = await service().beside();
  await Promise.all([service(), other].map((each) => each.work('week', inWeeks(1))));
  expect(mails()).toBe(1);
});
