import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { useClock } from '../support/clock.js';
import { findingOf, run } from '../support/command.js';
import { parseExposition } from '../support/exposition.js';
import { useOwnDatabases } from '../support/own-database.js';
import type { Service } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const METRICS_TOKEN = 'a-token-that-reads-metrics.1';
const NAME = 'backup-20261126T030000Z.ndjson.gz';
const NEXT_NAME = 'backup-20261127T030000Z.ndjson.gz';

const mailbox = useMailServer();
const clock = useClock();
const own = useOwnDatabases();
let folder: string;
let settings: Record<string, string>;
let operator: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'fcs-scheduled-')), 'backups');
  settings = { ...own.settings(), BACKUP_SCHEDULE: '03:00', BACKUP_DIR: folder, SMTP_URL: mailbox.url, METRICS_TOKEN };
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

/** Starts a service with one submission, whose file is part of a backup, and an operator. */
async function start(more: Record<string, string> = {}): Promise<Service> {
  const service = await own.start({ ...settings, ...more });
  const owner = await service.openAccount();
  const form = await owner.makeForm({ notify_owner_on_submission: false });
  await service.submitFile(form, 'content');
  ({ email: operator } = await service.makePerson(owner));
  await service.app.get(PeopleService).makeOperator(COMMAND_LINE, operator, true);
  return service;
}

/** Runs all tasks as of a time, as the running service does again and again. */
async function runTasks({ app }: Service, time: string): Promise<void> {
  clock.forwardTo(time);
  await app.get(TaskRunner).runAll(new Date(time));
}

async function metricsOf({ url }: Service): Promise<Map<string, number>> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  return parseExposition(await (await fetch(`${url}/metrics`, { headers })).text()).values;
}

const finding = () => findingOf(settings, 'backups');
const mailsAboutBackups = () => mailbox.mails.filter(({ mail }) => mail.subject?.endsWith(': backups'));

describe('A backup by schedule', () => {
  it('is made once when it is due, with rows and files, and again a day later', async () => {
    const service = await start();

    await runTasks(service, '2026-11-26T02:59:00Z');
    await runTasks(service, '2026-11-26T03:01:00Z');
    const { mtimeMs } = await stat(join(folder, NAME));
    await runTasks(service, '2026-11-26T03:02:00Z');
    expect((await stat(join(folder, NAME))).mtimeMs).toBe(mtimeMs);
    await runTasks(service, '2026-11-27T09:00:00Z');

    expect(await readdir(folder)).toEqual(['backup-20261125T030000Z.ndjson.gz', NAME, NEXT_NAME]);
    expect((await stat(join(folder, NAME))).mode & 0o777).toBe(0o600);
    const { stdout } = await run(settings, 'backup', 'verify', join(folder, NAME), '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ files: 1, lost: 0 }]);
    expect((await metricsOf(service)).get('fcs_backup_newest_timestamp_seconds')).toBe(
      Date.parse('2026-11-27T03:00:00Z') / 1_000,
    );
  });

  it('is made by one of several processes', async () => {
    const first = await start();
    const second = await own.start(settings);

    await Promise.all([first, second].map((one) => runTasks(one, '2026-11-26T03:01:00Z')));

    expect(await readdir(folder)).toEqual([NAME]);
    expect(first.log + second.log).not.toContain('The backup failed');
  });

  it('is finished by another process when its writer has died', async () => {
    const service = await start();
    const partial = join(folder, `${NAME}.partial`);
    await mkdir(folder);
    await writeFile(partial, 'cut off');

    await runTasks(service, '2026-11-26T03:01:00Z');
    expect(await readdir(folder)).toEqual([`${NAME}.partial`]);

    const longAgo = new Date(Date.now() - 11 * 60_000);
    await utimes(partial, longAgo, longAgo);
    await runTasks(service, '2026-11-26T03:12:00Z');
    expect(await readdir(folder)).toEqual([NAME]);
  });

  it('that fails is on Status, in the metrics and the log, and told once; it is tried again each hour', async () => {
    const service = await start();
    await writeFile(folder, 'no folder');

    for (const time of ['03:01', '03:11', '03:21', '04:02', '05:03']) {
      await runTasks(service, `2026-11-26T${time}:00Z`);
    }

    expect(service.log.split('\n').filter((line) => line.includes('The backup failed'))).toHaveLength(3);
    expect((await metricsOf(service)).get('fcs_backup_trouble')).toBe(1);
    const sent = mailsAboutBackups();
    expect(sent.map(({ to, mail }) => [mail.subject, to])).toEqual([['Check failed: backups', [operator]]]);
    expect(sent[0]?.mail.text).toContain('BACKUP_DIR is not a folder.');

    await rm(folder);
    await runTasks(service, '2026-11-26T06:04:00Z');
    expect(await readdir(folder)).toEqual([NAME]);
    const well = /^The last backup, of .+ UTC, has .+ The next is due at .+ UTC\.$/;
    expect(await finding()).toMatchObject({ state: 'ok', detail: expect.stringMatching(well) });
  });

  it('is handed to BACKUP_COMMAND, again if that fails', async () => {
    const copy = join(folder, '..', 'copy');
    const command = `test -e ${folder}/ready || { echo no bucket; exit 3; }; cp "$BACKUP_FILE" ${copy}`;
    const service = await start({ BACKUP_COMMAND: command });

    await runTasks(service, '2026-11-26T03:01:00Z');
    expect(await finding()).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('BACKUP_COMMAND exited with 3: no bucket.'),
    });

    await writeFile(join(folder, 'ready'), '');
    await runTasks(service, '2026-11-26T04:02:00Z');
    expect(await readFile(copy)).toEqual(await readFile(join(folder, NAME)));
    expect((await metricsOf(service)).get('fcs_backup_trouble')).toBe(0);
  });

  it('that nobody makes is late', async () => {
    const service = await start({ WORKERS: 'off' });
    clock.forwardTo('2036-11-26T05:01:00Z');
    expect((await metricsOf(service)).get('fcs_backup_trouble')).toBe(1);

    const late = 'is late. Check that a process with WORKERS on or only runs.';
    expect(await finding()).toMatchObject({ ...{ state: 'failed', detail: expect.stringContaining(late) } });
  });
});
