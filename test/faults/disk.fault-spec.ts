import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { storedNames } from '../support/stored-files.js';
import { until } from '../support/until.js';
import type { RunningService } from './kit/running-service.js';
import { startDatabase, useServices } from './kit/scene.js';
import { expectNothingLost } from './kit/tally.js';

const CLIENTS = 16;
const ENOUGH = 200;
const MIB = 1024 * 1024;
/** Room for a new database of either kind, and for some submissions. */
const EMBEDDED_DISK = '32m';
const SERVER_DISK = '400m';
const SERVER_OPTIONS = ['--loose-innodb-log-file-size=8M'];
/** Space that MariaDB needs to start: it cannot on a disk without any room. */
const RESERVE = 16 * MIB;
const RESTART_MS = 60_000;

const { later, sendTo, ...services } = useServices();

/** A small file system that a test can fill, or null where that cannot be had: only root can make one. */
async function makeDisk(size: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fcs-disk-'));
  later(() => rm(folder, { recursive: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    process.stdout.write('D-05 full file system: left out, since only root can make one.\n');
    return null;
  }
  later(() => execFileSync('umount', [folder]));
  return folder;
}

/** Leaves no room on a file system. @returns the file to remove to have it again */
async function fill(folder: string): Promise<string> {
  const ballast = join(folder, 'ballast');
  for (let size = 64 * MIB; size >= 1_024; size /= 2) {
    while (await fits(writeFile(ballast, Buffer.alloc(size), { flag: 'a' }))) continue;
  }
  return ballast;
}

async function start(settings: Record<string, string>) {
  const service = await services.start(settings);
  const form = await service.makeForm();
  const ledger = sendTo(form, [service]);
  await ledger.submit(); // the first one makes the key that signs links
  return { service, form, ledger };
}

/** A submission with 100 kB of text. */
function sendText(service: RunningService, form: string) {
  const body = new URLSearchParams({ text: 'x'.repeat(100_000) });
  return fetch(`${service.url}/f/${form}`, { method: 'POST', body });
}

/** A submission with a file of 1 MiB. */
function sendFile(service: RunningService, form: string) {
  const body = new FormData();
  body.set('file', new Blob([Buffer.alloc(MIB, 'x')]), 'large.bin');
  return fetch(`${service.url}/f/${form}`, { method: 'POST', body });
}

async function expectRefused(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
  await answer.text();
}

async function isReady(service: RunningService): Promise<boolean> {
  return (await fetch(`${service.url}/health/ready`)).ok;
}

/** Tells whether a database server is up. */
async function isAnswering(url: string): Promise<boolean> {
  const connection = await mysql.createConnection(url).catch(() => null);
  await connection?.end();
  return connection !== null;
}

async function expectReads(service: RunningService, form: string): Promise<void> {
  await service.owner.get(`/api/v1/forms/${form}`).expect(200);
  await service.owner.get(`/api/v1/forms/${form}/submissions`).expect(200);
  for (const path of ['/health/live', '/health/ready']) {
    expect((await fetch(service.url + path)).status).toBe(200);
  }
}

describe('With a full disk', () => {
  it('D-05: refuses, still answers reads, and goes on once the server has room', async () => {
    const folder = await makeDisk(SERVER_DISK);
    if (!folder) return;
    const database = await startDatabase(SERVER_OPTIONS, folder);
    later(() => database.stop());
    const { service, form, ledger } = await start({ DATABASE_URL: database.url });
    const reserve = join(folder, 'reserve');
    await writeFile(reserve, Buffer.alloc(RESERVE));
    const ballast = await fill(folder);

    ledger.start(CLIENTS);
    await ledger.untilRefused(ENOUGH);
    await ledger.stop();
    // MariaDB ends itself when the rollback of a refused transaction finds no room either.
    if (!(await isAnswering(database.url))) {
      await rm(reserve);
      await until(() => isReady(service), RESTART_MS);
    }
    await expectReads(service, form);
    await until(async () => (await sendText(service, form)).status === 503);
    await expectRefused(await sendText(service, form));

    await rm(ballast);
    await until(() => isReady(service), RESTART_MS);
    await ledger.take(CLIENTS, ENOUGH);
    await expectNothingLost('D-05 disk of the server full', ledger, service.owner, form);
  });

  it('D-05: refuses submissions and files, and goes on once there is room', async () => {
    const folder = await makeDisk(EMBEDDED_DISK);
    if (!folder) return;
    const { service, form, ledger } = await start({ DATA_DIR: folder, MIN_FREE_DISK: '0' });
    const files = await service.makeForm();
    expect((await sendFile(service, files)).status).toBe(200);
    const ballast = await fill(folder);

    ledger.start(CLIENTS);
    await ledger.untilRefused(ENOUGH);
    for (let i = 0; i < 10; i++) await expectRefused(await sendFile(service, files));
    await expectReads(service, form);
    expect(await stored(folder)).toHaveLength(1);

    await rm(ballast);
    await ledger.untilAcknowledged(ENOUGH);
    expect((await sendFile(service, files)).status).toBe(200);
    await ledger.stop();
    expect(await stored(folder)).toHaveLength(2);
    await expectNothingLost('D-05 disk of the service full', ledger, service.owner, form);
  });
});

const stored = (dataDir: string) => storedNames({ config: { dataDir } });

const fits = (writing: Promise<unknown>) =>
  writing.then(
    () => true,
    () => false,
  );
