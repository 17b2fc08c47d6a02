import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Config } from '../../src/platform/config/config.js';
import { databaseOptions, openDatabase } from '../../src/platform/database/data-source.js';
import { migrationsDone, schemaDrift } from '../../src/platform/database/database-status.js';
import { migrationNames } from '../../src/platform/database/migrations/index.js';
import { TextMover } from '../../src/search/texts/block-builder.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { Caller } from '../support/caller.js';
import { Service } from '../support/service.js';
import { freePort, Program } from '../support/program.js';
import { where } from '../support/where.js';
import { inFull } from './kit/duration.js';
import { Release } from './kit/release.js';
import { useDatabase, useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

/** The commit of the tag v0.1.0. */
const COMMIT = 'bff5338a4b8e12f9b6178a66a7c6a134f0e42ce1';
const CLIENTS = 16;
const BEFORE = inFull(20_000, 2_000);
const ENOUGH = inFull(2_000, 300);
/** Changes of tables by this version that are done when it is killed; the first makes its lock. */
const KILLED_AFTER = inFull([0, 1, 2, 15, 40, 70, 85, 100], [1, 40, 85]);
const KILLER = new URL('kit/kill-at-statement.js', import.meta.url).href;
const WORD = 'sunflower';
/** Submissions without a text, and what waits to be indexed. */
const NOT_INDEXED = `
  SELECT submissions.id FROM submissions LEFT JOIN submission_texts texts
    ON texts.form_id = submissions.form_id AND texts.id = submissions.id WHERE texts.id IS NULL
  UNION ALL SELECT id FROM submission_batches`;

const isHere = Release.isHere(COMMIT);

const { later, ...services } = useServices();
let old: Release;
let backups: string;

const start = (settings: Record<string, string>, build?: string) =>
  services.start({ BACKUP_DIR: backups, ...settings }, build);

const sendTo = (form: string, ...to: { url: string }[]) => services.sendTo(form, to, { text: `a ${WORD}` });

/** Returns the ids that a search for a word finds. */
async function search(owner: Caller, form: string, word: string): Promise<string[]> {
  return (await owner.download(`/api/v1/forms/${form}/submissions.ndjson?q=${word}`))
    .split('\n')
    .flatMap((line) => (line ? [(JSON.parse(line) as { id: string }).id] : []));
}

/** Returns how many the statistics of the form count. */
const counted = async (owner: Caller, form: string): Promise<number> =>
  (await owner.read(`/api/v1/forms/${form}/statistics`)).totals.submissions;

/** Returns how many the statistics of its pages count, with or without a page. */
async function countedByPage(owner: Caller, form: string): Promise<number> {
  const { pages } = await owner.read(`/api/v1/forms/${form}/statistics/pages`);
  return pages.values.reduce((sum, { submissions }) => sum + submissions, pages.other);
}

/** Starts this version here, and checks something when background tasks have indexed all that is stored. */
async function onceIndexed(
  settings: Record<string, string>,
  { secret }: Caller,
  check: (owner: Caller, database: DataSource) => Promise<void>,
): Promise<void> {
  const service = await Service.start(settings);
  try {
    const database = service.app.get(DataSource);
    await service.app.get(TaskRunner).runAll(new Date());
    await service.app.get(TextMover).moveAll({ before: new Date() });
    expect(await database.query(NOT_INDEXED)).toHaveLength(0);
    await check(new Caller(service.url, secret), database);
  } finally {
    await service.close();
  }
}

const tell = (text: string) => process.stdout.write(`D-17 ${text}\n`);

where(isHere, 'D-17: this clone lacks the commit of 0.1.0').describe('An upgrade from 0.1.0', () => {
  const server = useDatabase();
  beforeAll(async () => {
    old = await Release.build(COMMIT);
    backups = await mkdtemp(join(tmpdir(), 'fcs-backups-'));
  });
  afterEach(async () => {
    for (const name of await readdir(backups)) await rm(join(backups, name));
  });
  afterAll(async () => {
    await old.remove();
    await rm(backups, { recursive: true });
  });

  it('D-17: fails no visitor of two instances on a server, and can be taken back', async () => {
    const settings = { DATABASE_URL: server().url };
    const first = await start(settings, old.program);
    const second = await start(settings, old.program);
    const { owner } = first;
    const form = await first.makeForm();
    const ledger = sendTo(form, first, second);
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged(BEFORE);

    const before = ledger.acknowledged.size;
    const began = performance.now();
    const migrating = Program.cli(second.settings, 'migrate');
    expect({ code: await migrating.ended, stderr: migrating.stderr }).toMatchObject({ code: 0 });
    const ms = Math.round(performance.now() - began);
    const during = ledger.acknowledged.size - before;
    expect(await readdir(backups)).toEqual([expect.stringMatching(/^upgrade-.*\.ndjson\.gz$/)]);

    for (const service of [first, second]) {
      await service.stop();
      await service.up();
      await ledger.untilAcknowledged(ENOUGH);
    }
    await ledger.stop();
    tell(`server: ${during} acknowledged in the ${ms} ms of the command`);
    expect(during).toBeGreaterThan(0);
    expectAllTaken(ledger);
    await expectNothingLost('D-17 server', ledger, owner, form);

    // From here on all is counted.
    const late = sendTo(form, second);
    await late.take(CLIENTS, ENOUGH);
    const stored = [...ledger.acknowledged.values(), ...late.acknowledged.values()].sort();
    await onceIndexed(settings, owner, async (here) => {
      expect((await search(here, form, WORD)).sort()).toEqual(stored);
      expect(await counted(here, form)).toBe(stored.length);
      const byPage = await countedByPage(here, form);
      tell(`server: statistics of pages lack ${stored.length - byPage} of ${stored.length}`);
      expect(byPage).toBeLessThanOrEqual(stored.length);
      expect(byPage).toBeGreaterThanOrEqual(late.acknowledged.size);
    });

    // The way back.
    await first.stop();
    await second.stop();
    await first.up(old.program);
    const back = sendTo(form, first);
    await back.take(CLIENTS, ENOUGH);
    expectAllTaken(back);
    const own = [...back.acknowledged.values()];
    const foundByOld = new Set(await search(owner, form, WORD));
    expect(own.filter((id) => !foundByOld.has(id))).toEqual([]);
    await first.stop();
    await first.up();
    expect((await search(owner, form, WORD)).sort()).toEqual([...stored, ...own].sort());
    tell(`server: 0.1.0 took ${own.length} on the newer tables, all found afterwards`);
  });

  it('D-17: takes over the embedded database, also when it is killed half-way', async () => {
    const before = await start({}, old.program);
    const form = await before.makeForm();
    const ledger = sendTo(form, before);
    await ledger.take(CLIENTS, BEFORE);
    expectAllTaken(ledger);
    expect(await before.stop()).toBe(0);

    const ids = [...ledger.acknowledged.values()].sort();
    const takeOver = async (settings: Record<string, string>, name: string) => {
      const began = performance.now();
      const service = await start(settings);
      tell(`embedded, ${name}: up after ${Math.round(performance.now() - began)} ms`);
      await expectNothingLost(`D-17 embedded, ${name}`, ledger, service.owner, form);
      await service.stop();
      await onceIndexed(settings, service.owner, async (here, database) => {
        expect(await schemaDrift(database)).toEqual([]);
        expect((await search(here, form, WORD)).sort()).toEqual(ids);
        expect(await counted(here, form)).toBe(ids.length);
      });
    };

    const killed = await Promise.all(
      KILLED_AFTER.map(async (done) => {
        const folder = await mkdtemp(join(tmpdir(), 'fcs-killed-'));
        later(() => rm(folder, { recursive: true }));
        await cp(before.dataDir, folder, { recursive: true });
        return { done, settings: { DATA_DIR: folder } };
      }),
    );
    for (const { done, settings } of killed) {
      const killer = { NODE_OPTIONS: `--import=${KILLER}`, KILL_AFTER: String(done) };
      const all = { ...before.settings, ...settings, ...killer, PORT: await freePort() };
      expect(await Program.service(all).ended).toBeNull();
      const database = await openDatabase(await databaseOptions(Config.from(settings)));
      later(() => database.destroy());
      const names = await migrationsDone(database);
      tell(`embedded: killed after ${done} changes, the last migration is ${names.at(-1)}`);
      expect(names).not.toContain(migrationNames.at(-1));
    }
    // A killed one leaves its lock for a while; they wait for it together.
    await Promise.all(killed.map(({ done, settings }) => takeOver(settings, `killed after ${done}`)));

    await rm(backups, { recursive: true });
    await takeOver({ DATA_DIR: before.dataDir }, 'in peace');
    expect(await readdir(backups)).toEqual([expect.stringMatching(/^upgrade-.*\.ndjson\.gz$/)]);
  });
});
