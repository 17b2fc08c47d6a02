import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import passport from 'passport';
import { BearerStrategy } from '../../src/people/auth/bearer.guard.js';
import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import { makeCertificate } from '../support/certificate.js';
import { run, runProgram, type AttemptResult } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/program.js';
import { Service, type FormBody, type Caller } from '../support/service.js';
import { MailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

let database: TestDatabase;
let service: Service;
let owner: Caller;
beforeAll(async () => {
  database = await createDatabase();
  service = await Service.start({ ...database.settings, WORKERS: 'off' });
  owner = await service.openAccount();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function examine(settings: Record<string, string>, ...words: string[]): Promise<AttemptResult> {
  const own = { BACKUP_SCHEDULE: 'off', ...database.settings, ...settings };
  const result = await run(own, 'doctor', ...words);
  // Passport asks the strategy that was made last in this process, which is now that of the command.
  passport.use(service.app.get(BearerStrategy));
  return result;
}

const doctor = (...words: string[]) => examine({ BASE_URL: service.url }, ...words);

const examineByProgram = (settings: Record<string, string>, ...words: string[]) =>
  runProgram({ ...database.settings, ...settings }, 'doctor', ...words);

function findingOf({ stdout }: { stdout: string }, name: string) {
  const findings = JSON.parse(stdout) as { name: string; state: string; detail: string }[];
  return findings.find((finding) => finding.name === name);
}

const moveCount = ({ id }: FormBody, by: number) =>
  service.query('UPDATE forms SET submission_count = submission_count + ? WHERE id = ?', [by, id]);

/** A form with a submission of every kind, and one that was deleted. */
async function makeUsedForm(): Promise<FormBody> {
  const form = await owner.makeForm();
  await service.submit(form, { m: 'counts' });
  await service.submitSpam(form, { m: 'spam' });
  const trashed = await service.submit(form, { m: 'trashed' });
  const path = `${pathOf(form)}/${trashed}` as const;
  await owner.patch(path, { submission: { trash: true } }).expect(200);
  const gone = await service.submit(form, { m: 'gone' });
  await owner.delete(`${pathOf(form)}/${gone}`).expect(200);
  return form;
}

describe('The doctor', () => {
  it('finds nothing wrong beside a running service, and says what it looked at', async () => {
    await makeUsedForm();
    const deleted = await makeUsedForm();
    await owner.delete(`/api/v1/forms/${deleted.identifier}`).expect(200);

    const { code, stdout, stderr } = await doctor('--json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const isEmbedded = database.kind === 'embedded';
    const found = (JSON.parse(stdout) as { name: string; state: string; detail: string }[]).map(
      ({ name, state, detail }) => [name, state, detail],
    );
    const like = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
    const some = like(/^(ok|warning)$/); // whatever this machine has
    expect(found).toEqual([
      [
        'address',
        'ok',
        `This service answers at ${service.url}/health/live. Passkeys are off, because browsers require an https:// address with a host name, or localhost.`,
      ],
      ['backups', 'warning', like(/^The service makes no backups by itself: BACKUP_SCHEDULE is off/)],
      ['canaries', 'ok', 'No test submission was lost on its way.'],
      ['certificate', 'ok', 'Neither TLS_CERT nor ACME_DOMAIN is set. HTTPS is left to a proxy.'],
      ['clock', 'ok', like(isEmbedded ? /^The embedded / : /^The database server is 0\.\d s /)],
      ['deliveries', 'ok', 'No delivery is late.'],
      ['disk space', some, like(/^DATA_DIR has \d+\.\d GiB free, \d+ %\./)],
      ['durability', some, like(isEmbedded ? /^.*journal_mode=wal synchronous=2/ : /sync_binlog=\d/)],
      ['instances', 'ok', 'One instance is running.'],
      ['mail', 'warning', 'SMTP_URL is not set. Emails are saved to files and not sent.'],
      ['mail flow', 'ok', 'Skipped: no mail server.'],
      ['packet size', 'ok', like(isEmbedded ? /^The embedded / : /^max_allowed_packet=\d+ MAX_BODY/)],
      ['secrets', 'ok', 'No secret is stored.'],
      ['sign-in provider', 'ok', like(/^OIDC_ISSUER is not set\. Sign-in with an identity provider/)],
      ['spam filters', 'ok', like(/^Neither RSPAMD_URL nor AKISMET_KEY is set\. Forms use no ext/)],
      ['submission counts', 'ok', like(/^The counts of \d+ forms are right\.$/)],
      ['submissions', 'ok', 'No form has received a submission lately.'],
    ]);
  });

  it.each([1, -1])('fails when a count is off by %d, names the form, and mends nothing', async (by) => {
    const form = await makeUsedForm();
    await moveCount(form, by);

    const [first, second] = [await doctor(), await doctor('--json')];
    await moveCount(form, -by);

    expect(first).toMatchObject({ code: 1, stderr: 'Failed: submission counts.\n' });
    const detail = `${form.identifier} says ${1 + by} and has 1`;
    expect(first.stdout).toContain(detail);
    expect(second.code).toBe(1);
    expect(findingOf(second, 'submission counts')).toMatchObject({ state: 'failed', detail });
    expect((await doctor()).code).toBe(0);
  });

  it('sets a wrong count right when asked to, and changes no other', async () => {
    const [form, other] = [await makeUsedForm(), await makeUsedForm()];
    await moveCount(form, 3);

    const { code, stdout } = await doctor('--mend', '--json');

    expect(code).toBe(0);
    expect(findingOf({ stdout }, 'submission counts')?.state).toBe('ok');
    expect([await owner.countOf(form), await owner.countOf(other)]).toEqual([1, 1]);
  });

  it('warns when nobody answers at BASE_URL, and fails when somebody else does', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const elsewhere = await WebhookReceiver.start(answers(200, 'Hello'));
    const { origin } = new URL(elsewhere.url);

    const silent = await examine({ BASE_URL: nowhere }, '--json');
    const wrong = await examine({ BASE_URL: origin }, '--json');
    await elsewhere.close();

    expect(silent.code).toBe(0);
    expect(findingOf(silent, 'address')).toMatchObject({
      state: 'warning',
      detail: `${nowhere}/health/live does not respond (ECONNREFUSED). Check BASE_URL and the proxy.`,
    });
    expect(wrong).toMatchObject({ code: 1, stderr: 'Failed: address.\n' });
    expect(findingOf(wrong, 'address')?.state).toBe('failed');
  });

  it('warns of a BASE_URL that leads nowhere for those who get mails', async () => {
    const found = await examine({ BASE_URL: service.url, SMTP_URL: 'smtp://mail.invalid' }, '--json');

    expect(findingOf(found, 'address')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^This service answers at .* Set BASE_URL /),
    });
    expect(findingOf(found, 'mail')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/mail\.invalid\. Check .* SMTP_URL/),
    });
  });

  it('fails when a delivery is overdue, or was left half-way by a worker', async () => {
    const form = await owner.makeForm({ notify_owner_emails: 'ada@example.com' });
    await service.submit(form, { m: 'overdue' });
    const age = (sql: string) => service.query(`UPDATE deliveries SET ${sql} WHERE form_id = ?`, [form.id]);
    const early = '2020-01-01 00:00:00.000';

    const look = async () => (await service.app.get(DoctorService).examine()).find(({ name }) => name === 'deliveries');

    await age(`next_attempt_at = '${early}'`);
    const overdue = await look();
    await age(`state = 'delivering', lease_until = '${early}'`);
    const left = await look();
    await age(`state = 'delivered', next_attempt_at = NULL, lease_until = NULL`);

    for (const found of [overdue, left]) {
      expect(found?.state).toBe('failed');
      expect(found?.detail).toMatch(/^\d deliveries are more than ten minutes late\. /);
    }
    expect((await look())?.state).toBe('ok');
  });
});

describe('Instances that run on one database', () => {
  const KEYS = { first: 'a'.repeat(32), second: 'b'.repeat(32) };
  let shared: TestDatabase;
  let other: TestDatabase;
  let running: { app: Service['app']; settings: Record<string, string> }[];
  beforeEach(async () => {
    shared = await createDatabase();
    other = await createDatabase();
    running = [];
  });
  afterEach(async () => {
    for (const { app } of running) await app.close();
    await shared.drop();
    await other.drop();
  });

  const begin = async (settings: Record<string, string> = {}) => {
    const own = { ...shared.settings, WORKERS: 'off', BACKUP_SCHEDULE: 'off', ...settings };
    const { app } = await Service.start(own);
    running.push({ app, settings: own });
  };

  /** Returns the settings of an instance on the same database, with a folder of its own. */
  async function elsewhere(): Promise<Record<string, string>> {
    const { DATA_DIR = '' } = other.settings;
    if (shared.kind === 'embedded') {
      await symlink(join(shared.settings.DATA_DIR ?? '', 'database.sqlite'), join(DATA_DIR, 'database.sqlite'));
    }
    return { DATA_DIR };
  }

  /** Returns what each of them finds, and the command beside the first. */
  async function found(): Promise<unknown[]> {
    const seen = [];
    for (const { app } of running) {
      const findings = await app.get(DoctorService).examineQuickly();
      seen.push(findings.find(({ name }) => name === 'instances'));
    }
    const command = await run(running[0]?.settings ?? {}, 'doctor', '--json');
    return [...seen, findingOf(command, 'instances')];
  }

  const ok = expect.objectContaining({ state: 'ok' }) as unknown;
  const failed = (...parts: string[]) =>
    expect.objectContaining({
      state: 'failed',
      detail: expect.stringMatching(new RegExp(`^${parts.join('.*')}`)) as unknown,
    }) as unknown;

  it('are well with one folder and one key', async () => {
    await begin();
    await begin();
    expect(await found()).toEqual([ok, ok, ok]);
  });

  it('are told of one with another folder, whose key is another then', async () => {
    await begin();
    await begin(await elsewhere());
    const told = failed('Another DATA_DIR: .*, process \\d+\\.', 'The key of secrets is there too\\.$');
    expect(await found()).toEqual([told, told, told]);
  });

  it('are told of a key that they lack, until they have it behind their own', async () => {
    await begin({ SECRET_KEY: KEYS.first });
    await begin({ SECRET_KEY: `${KEYS.second},${KEYS.first}` });
    const told = failed('A key that this process lacks: ');
    expect(await found()).toEqual([told, ok, told]);

    await running.shift()?.app.close();
    await begin({ SECRET_KEY: `${KEYS.first},${KEYS.second}` });
    expect(await found()).toEqual([ok, ok, ok]);
  });

  it('forget one that ended', async () => {
    await begin();
    await begin(await elsewhere());
    await running.pop()?.app.close();
    expect(await found()).toEqual([ok, ok]);
  });
});

describe('The doctor, with a mail server that speaks TLS,', () => {
  const LOGIN = '//us%40er:pa%2Fss@';
  const certificate = makeCertificate();
  const offering = new MailServer(certificate);
  const speaking = new MailServer(certificate, true);
  const silent = new MailServer();
  let trusting: Record<string, string>;
  beforeAll(async () => {
    await Promise.all([offering.start(), speaking.start(), silent.start()]);
    const path = join(database.settings.DATA_DIR ?? '', 'certificate.pem');
    await writeFile(path, (await certificate).cert);
    trusting = { NODE_EXTRA_CA_CERTS: path };
  });
  afterAll(() => Promise.all([offering.stop(), speaking.stop(), silent.stop()]));

  it('logs in over it and sends a test mail, but not to a server that nobody vouches for', async () => {
    const BASE_URL = 'http://127.0.0.1:1';
    const starttls = { BASE_URL, SMTP_URL: offering.url.replace('//', LOGIN) };
    const smtps = { BASE_URL, SMTP_URL: speaking.url.replace('//', LOGIN) };
    const from = { MAIL_FROM: 'Forms <forms@example.com>' };
    const words = ['--json', '--to', 'me@example.org'];

    const [sent, nameless] = await Promise.all([
      examineByProgram({ ...starttls, ...from, ...trusting }, ...words),
      examineByProgram({ ...smtps, ...trusting }, '--json'),
    ]);
    const stranger = await examine({ ...starttls, ...from }, ...words);

    expect(findingOf(sent, 'mail')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^The mail server accepted a test email to me@example.org: 250 /),
    });
    expect(findingOf(stranger, 'mail')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/self.signed certificate/i),
    });
    expect(stranger.code).toBe(1);
    expect(findingOf(nameless, 'mail')).toMatchObject({
      state: 'warning',
      detail: 'Emails come from no-reply@127.0.0.1, which other mail servers reject. Set MAIL_FROM.',
    });
    for (const { logins } of [offering, speaking]) {
      expect(new Set(logins)).toEqual(new Set(['us@er:pa/ss']));
    }
    expect(offering.mails).toEqual([
      expect.objectContaining({ secure: true, from: 'forms@example.com', to: ['me@example.org'] }),
    ]);
  });

  it('sends a password unencrypted to the machine itself and nowhere else', async () => {
    const BASE_URL = 'http://127.0.0.1:1';
    const own = silent.url.replace('//', LOGIN);
    // Reaches the same server, by an address that is not known to stay on this machine.
    const other = own.replace('127.0.0.1', '0.0.0.0');

    const kept = await examine({ BASE_URL, SMTP_URL: other }, '--json');
    const sent = await examine({ BASE_URL, SMTP_URL: own }, '--json');

    expect(findingOf(kept, 'mail')).toMatchObject({
      state: 'failed',
      detail:
        'The mail server in SMTP_URL offers no STARTTLS, and we do not send a user and password unencrypted. Use smtps://, or leave them out.',
    });
    expect(findingOf(sent, 'mail')?.detail).toMatch(/^Emails come from /);
    expect(new Set(silent.logins)).toEqual(new Set(['us@er:pa/ss']));
    expect(silent.logins.length).toBeLessThanOrEqual(2); // its own verification, and that at the start
  });
});
