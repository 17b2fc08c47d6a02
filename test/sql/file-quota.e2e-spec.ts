import { useService, type FormBody, type Caller } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf } from '../support/submissions.js';
import { multipart, rawMultipart, send, type Answer, type Sent } from '../support/submit.js';
import { until } from '../support/until.js';

/** All that the files of an account may take, in bytes. */
const QUOTA = 1_000;

const service = useService({ WORKERS: 'off', MAX_ACCOUNT_FILES_BYTES: String(QUOTA) });
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
});

const file = (bytes: number) => ({ field: 'cv', name: 'cv.txt', bytes: 'x'.repeat(bytes) });

const sendTo = ({ identifier }: FormBody, sent: Sent, { url } = service()): Promise<Answer> =>
  send(`${url}/f/${identifier}`, sent);

/** Sends files of these sizes. */
const sendFiles = (to: FormBody, sizes: number[], at = service()) =>
  sendTo(to, multipart([['name', 'Jane']], sizes.map(file)), at);

async function keepFile(to: FormBody, bytes: number, at = service()): Promise<string> {
  const { status, body, text } = await sendFiles(to, [bytes], at);
  if (status !== 200) throw new Error(`Refused with ${status}: ${text}`);
  return body.id as string;
}

/** Tells whether a file would fit; what is sent with it is refused in any case, for a field that follows. */
async function hasRoom(to: FormBody, bytes: number, at = service()): Promise<boolean> {
  const head = 'Content-Disposition: form-data; name=';
  const parts = [`${head}"cv"; filename="cv.txt"\r\n\r\n${'x'.repeat(bytes)}`, `${head}"${'n'.repeat(300)}"\r\n\r\n`];
  const { status } = await sendTo(to, rawMultipart(parts), at);
  if (status !== 422 && status !== 507) throw new Error(`Answered with ${status}.`);
  return status === 422;
}

const filesOnDisk = async () => (await storedNames(service())).length;

/** Returns the bytes of files that the form counts, and those they really take. */
async function bytesOf({ id }: FormBody): Promise<{ counted: number; there: number }> {
  const [row] = await service().query<{ counted: number | string; there: number | string }[]>(
    `SELECT files_bytes AS counted, (SELECT COALESCE(SUM(size), 0) FROM files WHERE form_id = forms.id) AS there
       FROM forms WHERE id = ?`,
    [id],
  );
  return { counted: Number(row?.counted), there: Number(row?.there) };
}

const erase = (from: FormBody, id: string) => owner.delete(`${pathOf(from)}/${id}`).expect(200);
const runJobs = () => service().upkeep();

describe('Files beyond MAX_ACCOUNT_FILES_BYTES', () => {
  it('are refused with what to do, and leave nothing on the disk', async () => {
    const before = await filesOnDisk();

    const { status, body } = await sendFiles(form, [600, 401]);

    expect(status).toBe(507);
    expect(body).toMatchObject({
      message: expect.stringContaining('Submit without files'),
      errors: [{ code: 'ACCOUNT_FILES_FULL' }],
    });
    expect(await filesOnDisk()).toBe(before);
    expect((await owner.get(pathOf(form)).expect(200)).body).toMatchObject({ count: 0 });
  });

  it('are those of all forms of the account, spam too, and of no other account', async () => {
    const other = await owner.makeForm();
    const stranger = await (await service().openAccount()).makeForm();
    await keepFile(form, 600);
    await sendTo(other, multipart([['_gotcha', 'x']], [file(300)]));

    expect((await sendFiles(other, [101])).status).toBe(507);
    expect((await sendFiles(other, [100])).status).toBe(200);
    expect((await sendFiles(form, [0])).status).toBe(507);
    expect((await sendFiles(stranger, [1_000])).status).toBe(200);
    await service().submit(form);
  });

  it('are refused also when they come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendFiles(form, [300])));

    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect((await bytesOf(form)).counted).toBeLessThanOrEqual(QUOTA);
  });

  it('are refused soon after by an instance that remembers less', async () => {
    const sibling = await service().beside();
    expect(await hasRoom(form, 1_000, sibling)).toBe(true);
    await keepFile(form, 1_000);

    await until(async () => !(await hasRoom(form, 1, sibling)));
  });
});

describe('Room for files', () => {
  it('is there again after what did not come to be stored', async () => {
    expect(await hasRoom(form, 1_000)).toBe(true);
    expect(await hasRoom(form, 1_001)).toBe(false);

    await keepFile(form, 1_000);
  });

  it('is taken once by a submission that is repeated', async () => {
    const once = { ...multipart([], [file(400)]), headers: { 'Idempotency-Key': 'k' } };
    const first = await sendTo(form, once);
    expect((await sendTo(form, once)).body.id).toBe(first.body.id);

    await keepFile(form, 600);
  });

  it('is there again after an erasure', async () => {
    const id = await keepFile(form, 1_000);
    expect(await hasRoom(form, 1)).toBe(false);

    await erase(form, id);

    await until(() => hasRoom(form, 1_000));
    expect(await hasRoom(form, 1_001)).toBe(false);
  });

  it('is there again after the purge of a deleted form, and not before', async () => {
    const other = await owner.makeForm();
    await keepFile(form, 1_000);
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(await hasRoom(other, 1)).toBe(false);

    await runJobs();

    await until(() => hasRoom(other, 1_000));
    expect(await bytesOf(form)).toEqual({ counted: 0, there: 0 });
  });
});

it('What the files of a form take is the sum of their sizes, whatever is sent, marked, erased and purged', async () => {
  const forms = [form, await owner.makeForm(), await owner.makeForm()];
  const expectSums = async () => {
    for (const { counted, there } of await Promise.all(forms.map(bytesOf))) {
      expect(counted).toBe(there);
    }
  };
  const stored: { from: FormBody; id: string }[] = [];
  await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const from = forms[n % 3] ?? form;
      const pairs: [string, string][] = n % 4 === 0 ? [['_gotcha', 'x']] : [['name', 'Jane']];
      const files = Array.from({ length: n % 5 }, (_, at) => file((n * 7 + at * 5) % 23));
      const { status, body } = await sendTo(from, multipart(pairs, files));
      expect(status).toBe(200);
      stored.push({ from, id: body.id as string });
    }),
  );
  await expectSums();
  for (const each of forms) expect((await bytesOf(each)).counted).toBeGreaterThan(0);

  for (const { from, id } of stored.slice(0, 6)) {
    await owner.patch(`${pathOf(from)}/${id}`, { submission: { trash: true } }).expect(200);
  }
  await expectSums();

  for (const { from, id } of stored.slice(0, 18)) {
    const twice = [1, 2].map(async () => (await owner.delete(`${pathOf(from)}/${id}`)).status);
    expect((await Promise.all(twice)).sort()).toEqual([200, 404]);
  }
  await expectSums();

  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
  await runJobs();
  await expectSums();
  expect((await bytesOf(form)).counted).toBe(0);
});

describe('That files are nearly full', () => {
  const warnings = async ({ identifier }: FormBody, caller = owner) => {
    const { body } = await caller.get(`/api/v1/forms/${identifier}/warnings`).expect(200);
    const found = (body as { warnings: { code: string; message: string }[] }).warnings;
    return found.filter(({ code }) => code === 'files_nearly_full').map(({ message }) => message);
  };

  it('is told with each form from nine tenths on, with the sum and the setting', async () => {
    const other = await owner.makeForm();
    const stranger = await service().openAccount();
    await keepFile(form, 899);
    expect(await warnings(form)).toEqual([]);
    await keepFile(form, 1);

    for (const each of [form, other]) {
      const [message] = await warnings(each);
      expect(message).toContain('900 bytes of the 1000 bytes');
      expect(message).toContain('MAX_ACCOUNT_FILES_BYTES');
    }
    expect(await warnings(await stranger.makeForm(), stranger)).toEqual([]);
  });

  it('is not told to a client, who cannot mend it', async () => {
    await keepFile(form, 950);
    const client = await owner.makeClient({ form_ids: [form.id] });
    const secret = await owner.makeClientToken(client);

    expect(await warnings(form, service().as(secret))).toEqual([]);
  });
});
