import { get, type ClientRequest } from 'node:http';
import { ExportReader } from '../../src/exports/export-reader.js';
import { refusal } from '../support/refusal.js';
import { useService, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const service = useService();
it('Few exports at a time are sent to a token and to an account, and others have theirs', async () => {
  const [owner, stranger] = [await service().openAccount(), await service().openAccount()];
  const csv = `${pathOf(await owner.makeForm())}.csv` as const;
  const strangers = `${pathOf(await stranger.makeForm())}.csv` as const;
  const read = jest.spyOn(service().app.get(ExportReader), 'read');
  let release = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (release = resolve));
  read.mockImplementation(async function* () {
    await isRead;
    yield [];
  });
  const open: ClientRequest[] = [];
  const begin = async ({ secret }: Caller) => {
    for (let n = 0; n < 4; n++) {
      const headers = { Authorization: `Bearer ${secret ?? ''}` };
      open.push(get(`${service().url}${csv}`, { headers }).on('error', () => undefined));
    }
    await until(() => read.mock.calls.length === open.length);
  };

  await begin(owner);
  await owner.get(csv).expect(refusal(429, 'too_many_exports'));
  for (let n = 0; n < 3; n++) await begin(service().as((await owner.makeToken()).token));
  const another = service().as((await owner.makeToken()).token);
  await another.get(csv).expect(refusal(429, 'too_many_exports'));
  jest.restoreAllMocks();
  await stranger.get(strangers).expect(200);

  for (const call of open) call.destroy();
  release();
  await until(async () => (await another.get(csv)).status === 200);
});
