import { Global, Module, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { createApp, listen } from '../../src/app.js';
import { TaskRunner } from '../../src/platform/background/task-runner.js';
import { Config } from '../../src/platform/config/config.js';
import { PASSWORD_COST } from '../../src/people/person/passwords.js';
import { JsonLogger } from '../../src/platform/logging/json-logger.js';
import { Caller } from './caller.js';
import { createTables, type TestDatabase } from './database.js';
import { takeBroken, watchSql } from './portable-sql.js';

export { Caller, type Method } from './caller.js';

/** Every test is a test of the SQL too. */
afterEach(() => {
  const broken = takeBroken();
  if (broken.length > 0) throw new Error(`SQL that is not portable:\n${broken.join('\n')}`);
});

/** Tests ask more often from one address than anybody else; the headers are there all the same. */
const NO_RATE_LIMITS = {
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_FORM: '1000000',
  RATE_LIMIT_TOKEN: '1000000',
  RATE_LIMIT_SESSION: '1000000',
  RATE_LIMIT_FAILURES: '1000000',
  RATE_LIMIT_SIGN_IN: '100000',
  RATE_LIMIT_SIGN_IN_LINKS: '100000',
};

/** Tests run all tasks, as of any time. */
const NO_BACKUPS = { BACKUP_SCHEDULE: 'off', BACKUP_BEFORE_MIGRATIONS: 'off' };

/** Cost of passwords in most tests: next to none. */
@Global()
@Module({
  providers: [
    {
      provide: PASSWORD_COST,
      useValue: { algorithm: 2, memoryCost: 32, timeCost: 1, parallelism: 1 },
    },
  ],
  exports: [PASSWORD_COST],
})
class CheapPasswords {}

/** Canaries would fetch the pages that submissions of tests name. */
const NO_CANARIES = { CANARY: 'off' };

/** Runs a service with an account. */
export class Service {
  /** Log so far, as text. */
  log = '';

  private constructor(
    readonly app: NestExpressApplication,
    readonly config: Config,
    readonly url: string,
  ) {}

  /** Starts a service on a free port. @param beside replaces what tests have in place of the real thing */
  static async start(
    settings: Record<string, string>,
    beside: Type[] = [CheapPasswords],
  ): Promise<Service> {
    const config = Config.from({
      PORT: '0',
      HOST: '127.0.0.1',
      ...NO_RATE_LIMITS,
      ...NO_BACKUPS,
      ...NO_CANARIES,
      ...settings,
    });
    let log = '';
    const logger = new JsonLogger('debug', { write: (line) => (log += line) });
    const app = await createApp(config, logger, beside);
    watchSql(app.get(DataSource));
    await listen(app, config);
    const service = new Service(app, config, urlOf(await app.getUrl(), config));
    Object.defineProperty(service, 'log', { get: () => log });
    return service;
  }

  /** Opens another account; its caller may do everything in it. */
  async openAccount(name = 'An account', email: string | null = null): Promise<Caller> {
    const { secret } = await this.app.get(AccountsService).open(name, email);
    return this.as(secret);
  }

  /** Does what upkeep has to do, as of some time. */
  upkeep(now = new Date()): Promise<void> {
    return this.app.get(TaskRunner).runAll(now);
  }

  query<Rows = unknown>(sql: string, values?: unknown[]): Promise<Rows> {
    return this.app.get(DataSource).query(sql, values);
  }

  repository<Row extends ObjectLiteral>(entity: EntityTarget<Row>): Repository<Row> {
    return this.app.get(DataSource).getRepository(entity);
  }

  as(secret: string): Caller {
    return new Caller(this.url, secret);
  }

  anonymous(): Caller {
    return new Caller(this.url, null);
  }
}

/**
 * Runs a service on a database of its own for the tests of a file.
 * @param settings a function when they are known only once the tests begin
 * @returns a function, since the service starts only with the tests
 * @param beside none for the real cost of passwords
 */
export function useService(
  settings: Record<string, string> | (() => Record<string, string>) = {},
  beside?: Type[],
): () => Service {
  let database: TestDatabase;
  let service: Service | undefined;
  beforeAll(async () => {
    database = await createTables();
    const given = typeof settings === 'function' ? settings() : settings;
    service = await Service.start({ ...database.settings, ...given }, beside);
  });
  afterAll(async () => {
    await service?.app.close();
    await database.drop();
  });
  return () => {
    if (!service) throw new Error('The service has not been started.');
    return service;
  };
}

function urlOf(url: string, { tls }: Config): string {
  return url.replace('[::1]', '127.0.0.1').replace(/^http:/, tls.isOn ? 'https:' : 'http:');
}
