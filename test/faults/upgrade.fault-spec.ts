import type { QueryRunner } from 'typeorm';
import { Config } from '../../src/platform/config/config.js';
import { databaseOptions, openDatabase } from '../../src/platform/database/data-source.js';
import { hasPendingMigrations, migrate } from '../../src/platform/database/database-status.js';
import { createTables, extendTables, Migration } from '../../src/platform/database/migrations/columns.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { inFull } from './kit/duration.js';
import { useDatabase, useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;
const BEFORE = inFull(3_000, 1_000);
/** Longer than a statement that serves a request may take. */
const SLOW_SECONDS = 4;

/** As a next version would expand the tables; the version that runs knows nothing of it. */
class Expand extends Migration {
  readonly name = 'Expand1999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, { next_things: 'id int key' });
    await extendTables(runner, {
      forms: 'next_setting int null',
      submissions: 'next_mark int null, ix_submissions_next (next_mark, id)',
      deliveries: 'next_mark int null',
    });
    await runner.query(`DO SLEEP(${SLOW_SECONDS})`);
  }
}

const server = useDatabase();
const { start, sendTo } = useServices();

async function upgradeTables(): Promise<string[]> {
  const database = await openDatabase({
    ...(await databaseOptions(Config.from({ DATABASE_URL: server().url }))),
    migrations: [...migrations, Expand],
  });
  try {
    const done = await migrate(database);
    expect(await hasPendingMigrations(database)).toBe(false);
    return done;
  } finally {
    await database.destroy();
  }
}

describe('An upgrade', () => {
  it('D-15: fails no visitor: the tables first, then one instance after the other', async () => {
    const settings = { DATABASE_URL: server().url, NEWER_DATABASE: 'allow' };
    const [first, second] = await Promise.all([start(settings), start(settings)]);
    const form = await first.makeForm();
    const ledger = sendTo(form, [first, second]);
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged(BEFORE);

    const before = ledger.acknowledged.size;
    expect(await upgradeTables()).toEqual(['Expand1999999999999']);
    const during = ledger.acknowledged.size - before;
    for (const service of [first, second]) {
      await service.stop();
      await service.up();
      await ledger.untilAcknowledged(500);
    }
    await ledger.stop();

    process.stdout.write(`Upgrade: ${during} acknowledged while the tables were changed\n`);
    expect(during).toBeGreaterThan(100);
    expectAllTaken(ledger);
    await expectNothingLost('Upgrade', ledger, first.owner, form);
  });
});
