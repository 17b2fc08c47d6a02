import { Config } from '../../src/platform/config/config.js';
import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import { Metrics } from '../../src/operations/metrics/metrics.js';
import { VirusScanner } from '../../src/submissions/files/scans/virus-scanner.js';
import { LateVerdicts } from '../../src/submissions/verdicts/verdicts.service.js';
import { ClamdStub, EICAR, VIRUS } from '../support/clamd-stub.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../support/clock.js';
import { parseExposition } from '../support/exposition.js';
import { elementsOf } from '../support/page.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { storedNames } from '../support/stored-files.js';
import { Inbox, multipart } from '../support/submit.js';

/** Largest file that is given to clamd here, in bytes. */
const MAX_BYTES = 4_096;
const WEBHOOK = 'https://hook.example.com/';

let clamd = new ClamdStub();
let port: number;
beforeAll(async () => {
  await clamd.listen();
  port = clamd.port;
});
afterAll(() => clamd.close());

const mails = useMailServer();
const service = useService(() => ({
  ...{ WORKERS: 'off', SMTP_URL: mails.url, METRICS_TOKEN: 'metrics-token-of-the-tests' },
  ...{ CLAMD: `tcp://127.0.0.1:${port}`, CLAMD_MAX_BYTES: String(MAX_BYTES) },
}));

let inbox: Inbox;
beforeEach(async () => {
  clamd.mood = 'ok';
  clamd.maxBytes = MAX_BYTES;
  clamd.contents = [];
  clamd.broken = [];
  // No visitor waits for a clamd that was silent in the test before.
  await scanner().verify(AbortSignal.timeout(SECOND_MS));
  await rescan();
  inbox = await Inbox.open(service(), { webhook_url: WEBHOOK });
});
afterEach(() => {
  expect(clamd.broken).toEqual([]);
});

const scanner = () => service().app.get(VirusScanner);
const upkeep = (now = new Date()) => service().upkeep(now);
const rescan = (now = new Date()) => service().app.get(LateVerdicts).scan({ now });
const form = () => `/api/v1/forms/${inbox.form.identifier}` as const;
const path = (id: string) => `${form()}/submissions/${id}`;
let visitors = 0;
/** Sends a file as one more visitor. */
const send = (bytes: Buffer | string = EICAR, name = 'cv.pdf') =>
  inbox.accept({
    ...multipart([['email', 'jane@example.com']], [{ field: 'cv', name, bytes }]),
    headers: { 'User-Agent': `visitor/${++visitors}` },
  });
const verdictOf = async (id: string) => (await inbox.owner.get(`${path(id)}/verdict`).expect(200)).body;
const fileOf = async (id: string) => {
  const [file] = (await inbox.read(id)).submission.files;
  if (!file) throw new Error('The file is not there.');
  return { ...file, path: new URL(file.url).pathname };
};
const download = async (id: string, caller = inbox.owner) => caller.get((await fileOf(id)).path);
const mark = (id: string, spam: boolean, caller = inbox.owner) =>
  caller.patch(path(id), { submission: { spam } }).expect(200);
const isDue = async (id: string) => {
  const [call] = await inbox.owner.deliveriesOf(inbox.form, id);
  return Date.parse(String(call?.next_attempt_at)) <= Date.now();
};
const page = async (id: string) => {
  const browser = await service().makeBrowser(inbox.owner);
  const { text } = await browser.get(`/inbox/${inbox.form.identifier}/${id}`);
  return { text, browser };
};
const linksIn = (text: string) => elementsOf(text).flatMap(({ attributes: { href = '', src = '' } }) => [href, src]);
const scans = (): Promise<object[]> => service().query('SELECT file_id FROM file_scans ORDER BY file_id');
const INFECTED = {
  verdict: 'held',
  parts: [{ name: 'infected_files', points: 5, reason: `The file “cv.pdf” is infected (${VIRUS}).` }],
};

/** Does something while no clamd listens. */
async function withoutClamd<Result>(work: () => Promise<Result>): Promise<Result> {
  await clamd.close();
  try {
    return await work();
  } finally {
    clamd = new ClamdStub();
    await clamd.listen(port);
  }
}

describe('A clean file', () => {
  it('is given to clamd in full, and can be opened', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, n) => n % 256));
    const id = await send(bytes);

    expect(clamd.contents).toEqual([bytes]);
    expect(await verdictOf(id)).toMatchObject({ verdict: 'clean', parts: [] });
    expect((await download(id)).status).toBe(200);
    expect(await isDue(id)).toBe(true);
    expect((await page(id)).text).not.toMatch(/infected|scanned/i);
  });

  it('is not given to clamd again when the visitor repeats the request', async () => {
    const sent = multipart([], [{ field: 'cv', name: 'cv.pdf', bytes: 'x' }]);
    const headers = { 'Idempotency-Key': 'one' };
    await inbox.accept({ ...sent, headers });
    await inbox.accept({ ...sent, headers });
    expect(clamd.contents).toHaveLength(1);
  });
});

describe('An infected file', () => {
  it('is kept, and holds the submission with a reason that names it', async () => {
    const before = (await storedNames(service())).length;
    const id = await send();

    expect(await verdictOf(id)).toMatchObject(INFECTED);
    expect(await isDue(id)).toBe(false);
    expect((await inbox.read(id)).submission.spam).toBe(false);
    expect(await storedNames(service())).toHaveLength(before + 1);
  });

  it('cannot be opened by the API, a page or a link', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const id = await send(Buffer.concat([png, Buffer.from(EICAR)]));
    const response = await download(id);
    refusal(403, 'file_infected')(response);
    expect(response.body.detail).toContain(`This file is infected (${VIRUS}). We keep it locked.`);

    const { text, browser } = await page(id);
    const { id: fileId } = await fileOf(id);
    expect(text).toContain(`This file is infected (${VIRUS}). We keep it locked.`);
    expect(linksIn(text).filter((link) => link.includes(fileId))).toEqual([]);
    for (const suffix of ['', '/image']) {
      const address = `/inbox/${inbox.form.identifier}/${id}/files/${fileId}${suffix}`;
      expect((await browser.get(address)).status).toBe(403);
    }
  });

  it('has no link in the mail to the owner, which names the virus', async () => {
    await inbox.owner.patch(form(), { form: { notify_owner_emails: 'owner@example.com' } });
    await send();
    await service().sendDue();

    const [{ mail }] = mails.mails as [(typeof mails.mails)[0]];
    expect(mail.text).toContain('A file is infected, so we keep it locked.');
    expect(mail.text).toContain(`infected: ${VIRUS}, locked`);
    expect(`${mail.text}${mail.html}`).not.toContain('/files/');
  });

  it('holds for ever, also where other holds end', async () => {
    await inbox.owner.put(`${form()}/spam`, { spam: { hold_hours: 2 } }).expect(200);
    const id = await send();
    await upkeep(new Date(Date.now() + 300 * DAY_MS));
    expect(await verdictOf(id)).toMatchObject(INFECTED);
    expect(await isDue(id)).toBe(false);
  });

  it('holds when the submission is judged again', async () => {
    const id = await send();
    await inbox.owner.post(`${form()}/submissions/rejudge`, {}).expect(202);
    await upkeep();
    expect(await verdictOf(id)).toMatchObject(INFECTED);
    expect(await isDue(id)).toBe(false);
  });

  it('leaves spam what it is, and locked', async () => {
    const sent = multipart([['_gotcha', 'x']], [{ field: 'cv', name: 'cv.pdf', bytes: EICAR }]);
    const id = await inbox.accept(sent);
    expect(await verdictOf(id)).toMatchObject({ verdict: 'spam' });
    refusal(403, 'file_infected')(await download(id));
  });

  it('is unlocked by somebody who may change the form and says that it is no spam', async () => {
    const id = await send();
    await mark(id, false);

    expect((await download(id)).status).toBe(200);
    expect(await verdictOf(id)).toMatchObject({ verdict: 'clean' });
    expect(await isDue(id)).toBe(true);
    expect((await page(id)).text).toContain('Someone unlocked it.');

    await mark(id, true);
    refusal(403, 'file_infected')(await download(id));
  });

  it('stays locked when a client or a change of many says that it is no spam', async () => {
    const client = await inbox.owner.makeClientCaller({ form_ids: [inbox.form.id] });
    const [one, other] = [await send(), await send()];
    await mark(one, false, client);
    const changes = { spam: false };
    await inbox.owner.post('/api/v1/submissions/bulk', { ids: [other], changes }).expect(200);

    for (const id of [one, other]) {
      expect(await verdictOf(id)).toMatchObject({ verdict: 'clean' });
      expect(await isDue(id)).toBe(true);
      refusal(403, 'file_infected')(await download(id));
    }
  });

  it('leaves nothing behind when it is erased', async () => {
    const before = await scans();
    const id = await send();
    await inbox.owner.delete(path(id)).expect(200);
    await upkeep();
    expect(await scans()).toEqual(before);
  });
});

describe('Without an answer of clamd', () => {
  it('stores the submission, says so, and holds it once the virus is found', async () => {
    const { log } = service();
    const id = await withoutClamd(async () => {
      await rescan();
      const first = await send();
      await send('x');
      await rescan();
      const failing = await service().app.get(DoctorService).examineQuickly();
      const detail = expect.stringMatching(/ECONNREFUSED.*2 files wait/);
      expect(failing).toContainEqual(expect.objectContaining({ name: 'virus scan', state: 'failed', detail }));
      expect((await page(first)).text).toContain('Not scanned for viruses yet.');
      expect((await download(first)).status).toBe(200);
      return first;
    });
    expect(await verdictOf(id)).toMatchObject({ verdict: 'clean' });
    const said = service().log.slice(log.length);
    expect(said.match(/Files are not scanned for viruses/g)).toHaveLength(1);

    await rescan();

    expect(await verdictOf(id)).toMatchObject(INFECTED);
    expect(await isDue(id)).toBe(false);
    refusal(403, 'file_infected')(await download(id));
    expect(
      service()
        .log.slice(log.length)
        .match(/Files are scanned again/g),
    ).toHaveLength(1);
    expect(await service().app.get(DoctorService).examineQuickly()).toContainEqual(
      expect.objectContaining({ name: 'virus scan', state: 'ok' }),
    );
  });

  it('leaves no way by a link that a mail had before the virus was found', async () => {
    await inbox.owner.patch(form(), { form: { notify_owner_emails: 'owner@example.com' } });
    await withoutClamd(() => send());
    await service().sendDue();
    const [{ mail }] = mails.mails as [(typeof mails.mails)[0]];
    expect(mail.text).toContain('not scanned for viruses yet');
    const [link = ''] = /\/files\/\S+/.exec(mail.text ?? '') ?? [];
    await service().anonymous().get(link).expect(200);

    await rescan();
    await service().anonymous().get(link).expect(refusal(403, 'file_infected'));
  });

  it('holds what somebody had decided before', async () => {
    const id = await withoutClamd(() => send());
    await mark(id, true);
    await mark(id, false);
    await rescan();
    expect(await verdictOf(id)).toMatchObject(INFECTED);
    refusal(403, 'file_infected')(await download(id));
  });

  it('lets visitors wait for five seconds in all, and the next ones not at all', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const waits: number[] = [];
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      waits.push(ms);
      return timeout(20);
    });
    clamd.mood = 'silent';
    const bytes = 'x';
    const files = ['a', 'b', 'c'].map((name) => ({ field: name, name, bytes }));
    await inbox.accept(multipart([], files));
    expect(waits).toEqual([5_000]);

    const { connections } = clamd;
    await inbox.accept(multipart([], files));
    expect(clamd.connections).toBe(connections);
  });

  it.each(['error', 'hang-up'] as const)('tries again in a while after: %s', async (mood) => {
    clamd.mood = mood;
    const id = await send();
    expect(await verdictOf(id)).toMatchObject({ verdict: 'clean' });
    await rescan();
    clamd.mood = 'ok';
    clamd.contents = [];
    await rescan();
    expect(clamd.contents).toEqual([]);

    await rescan(new Date(Date.now() + 11 * MINUTE_MS));
    expect(await verdictOf(id)).toMatchObject(INFECTED);
  });

  it('gives up after a day on a file that clamd fails on', async () => {
    clamd.mood = 'error';
    const id = await send();
    await rescan(new Date(Date.now() + 2 * DAY_MS));
    clamd.mood = 'ok';
    await rescan(new Date(Date.now() + 3 * DAY_MS));
    expect(await verdictOf(id)).toMatchObject({ verdict: 'clean' });
    expect((await page(id)).text).toContain('Not scanned for viruses');
  });
});

it.each([
  ['is not given to it', MAX_BYTES, MAX_BYTES + 1],
  ['is not scanned where clamd takes less than it should', 1_000, 2_000],
])('A file that is larger than clamd takes %s, and stored', async (_, maxBytes, size) => {
  clamd.maxBytes = maxBytes;
  const { connections } = clamd;
  const id = await send(Buffer.alloc(size, 'x'));
  expect(clamd.connections - connections).toBe(size > MAX_BYTES ? 0 : 1);
  expect((await page(id)).text).toContain('Not scanned for viruses');

  clamd.maxBytes = 2 * MAX_BYTES;
  await rescan(new Date(Date.now() + DAY_MS));
  expect(clamd.contents).toEqual([]);
});

it('counts scans by their result', async () => {
  const counted = async () => {
    const { values } = parseExposition(await service().app.get(Metrics).text());
    const of = (result: string) => values.get(`fcs_virus_scans_total{result="${result}"}`) ?? 0;
    return { clean: of('clean'), infected: of('infected'), failed: of('failed') };
  };
  const before = await counted();
  await send('x');
  await send();
  clamd.mood = 'error';
  await send();
  expect(await counted()).toEqual({
    clean: before.clean + 1,
    infected: before.infected + 1,
    failed: before.failed + 1,
  });
});

it('Once CLAMD is unset keeps locked what was found before', async () => {
  const id = await send();
  jest.spyOn(scanner(), 'isOn', 'get').mockReturnValue(false);
  refusal(403, 'file_infected')(await download(id));
});

it.each(['clamav', 'http://clamav:3310', './clamd.ctl'])('refuses CLAMD=%s at the start', (CLAMD) => {
  expect(() => Config.from({ CLAMD })).toThrow('CLAMD must be where clamd listens, such as');
});
