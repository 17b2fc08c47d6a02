import { Global, Module, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { DataSource, type EntityManager, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { createApp, listen } from '../../src/app.js';
import { DeliveryWorker } from '../../src/deliveries/queue/delivery-worker.js';
import { IdentitiesRepository, PasskeysRepository } from '../../src/people/credentials/credentials.repository.js';
import { Identity, Passkey } from '../../src/people/credentials/credential.entity.js';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { PASSWORD_COST, PeopleRepository } from '../../src/people/person/people.repository.js';
import { SetupService } from '../../src/people/setup/setup.service.js';
import { JobWorker } from '../../src/platform/background/job-worker.js';
import { TaskRunner } from '../../src/platform/background/tasks.js';
import { Config } from '../../src/platform/config/config.js';
import { Jobs } from '../../src/platform/database/jobs.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { firstUuidAt, formatUuid, parseUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { JsonLogger } from '../../src/platform/logging/json-logger.js';
import { Caller, type FormBody } from './caller.js';
import { MINUTE_MS } from './clock.js';
import { createTables, type TestDatabase } from './database.js';
import { accountOf, Browser, PASSWORD } from './people.js';
import { takeBroken, watchSql } from './portable-sql.js';

export type { Standing } from '../../src/people/members/membership.entity.js';
export { Caller, type FormBody, type Method } from './caller.js';

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
  providers: [{ provide: PASSWORD_COST, useValue: { algorithm: 2, memoryCost: 32, timeCost: 1, parallelism: 1 } }],
  exports: [PASSWORD_COST],
})
class CheapPasswords {}

/** Canaries would fetch the pages that submissions of tests name. */
const NO_CANARIES = { CANARY: 'off' };

type Form = Pick<FormBody, 'identifier'>;

/** A person whom a test has made. */
export interface Person {
  id: number;
  email: string;
  name: string;
  membershipId: number;
}

let visitors = 0;
/** Returns the headers of one more visitor: what one of them sends twice at once is told once. */
const ofVisitor = () => ({ Accept: 'application/json', 'User-Agent': `visitor/${++visitors}` });
let made = 0;

/** Runs a service with an account. */
export class Service {
  /** Log so far, as text. */
  log = '';
  private readonly others: Service[] = [];

  private constructor(
    private readonly settings: Record<string, string>,
    readonly app: NestExpressApplication,
    readonly config: Config,
    readonly url: string,
  ) {}

  /** Starts a service on a free port. @param beside replaces what tests have in place of the real thing */
  static async start(settings: Record<string, string>, beside: Type[] = [CheapPasswords]): Promise<Service> {
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
    const service = new Service(settings, app, config, urlOf(await app.getUrl(), config));
    Object.defineProperty(service, 'log', { get: () => log });
    return service;
  }

  /** Starts another instance on its database, which ends with it. */
  async beside(more: Record<string, string> = {}): Promise<Service> {
    const other = await Service.start({ ...this.settings, ...more });
    this.others.push(other);
    return other;
  }

  /** Stops. What a file of tests names stays in memory with its process, so nothing is left to be named. */
  async close(): Promise<void> {
    for (const other of this.others) await other.close();
    await (this as Partial<Service>).app?.close();
    Reflect.deleteProperty(this, 'app');
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

  /** Works on the jobs of a kind that are due at some time. */
  work(kind: string, now = new Date(), signal?: AbortSignal): Promise<void> {
    return this.app.get(JobWorker).work(kind, now, signal);
  }

  /** Claims a job as a process does that ends at once. */
  endOver(kind: string, now = new Date()): Promise<unknown> {
    const claim = (tx: EntityManager) => this.app.get(Jobs).in(tx).claim(kind, now, randomBytes(16), 0);
    return this.app.get(UnitOfWork).run(claim);
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

  /** Sends values through a form as JSON; returns the id of the submission. */
  async submit(
    form: Form,
    values: object = { message: 'Hello' },
    headers: Record<string, string> = {},
  ): Promise<string> {
    const { body } = await request(this.url)
      .post(`/f/${form.identifier}`)
      .set({ ...ofVisitor(), ...headers })
      .send(values)
      .expect(200);
    return body.id;
  }

  /** Submits values, then sends all due deliveries. @returns the id of the submission */
  async deliver(...submitted: Parameters<Service['submit']>): Promise<string> {
    const id = await this.submit(...submitted);
    await this.sendDue();
    return id;
  }

  /** Sends values that are taken for spam. */
  submitSpam(form: Form, values: object): Promise<string> {
    return this.submit(form, { ...values, _gotcha: 'x' });
  }

  /** Sends names and values, repeated names too, as a browser encodes a form. */
  async submitPairs(form: Form, pairs: [string, string][] | Record<string, string>): Promise<string> {
    const { body } = await request(this.url)
      .post(`/f/${form.identifier}`)
      .set(ofVisitor())
      .send(new URLSearchParams(pairs).toString())
      .expect(200);
    return body.id;
  }

  /** Sends one value and a file, as a browser encodes a form with an upload; its name may hold anything. */
  async submitFile(
    form: Form,
    content: Buffer | string,
    { name = 'cv.pdf', type = 'application/pdf', email = 'jane@example.com' } = {},
  ): Promise<string> {
    const body = new FormData();
    body.set('email', email);
    body.set('cv', new File([Uint8Array.from(Buffer.from(content))], name, { type }));
    const headers = ofVisitor();
    const url = `${this.url}/f/${form.identifier}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id?: string };
    if (id === undefined) throw new Error(`The file was answered with ${response.status}.`);
    return id;
  }

  /** Gives a submission the id that an instance whose clock is two minutes ahead would have given. @returns it */
  async setAhead(id: string): Promise<string> {
    const before = parseUuid(id);
    if (!before) throw new Error(`${id} is no id`);
    const ahead = firstUuidAt(new Date(timeOf(before).getTime() + 2 * MINUTE_MS));
    await this.query('UPDATE submissions SET id = ? WHERE id = ?', [ahead, before]);
    return formatUuid(ahead);
  }

  /** Sends all due deliveries, with WORKERS=off. */
  sendDue(): Promise<void> {
    return this.app.get(DeliveryWorker).runDue();
  }

  /** Ends the leases of all deliveries and jobs under way, and their rests, as if their time had passed. */
  async endLeases(): Promise<void> {
    await this.query("UPDATE jobs SET lease_until = '2000-01-01'");
    await this.query("UPDATE deliveries SET lease_until = '2000-01-01' WHERE state = 'delivering'");
  }

  /** Makes a person who signs in with `PASSWORD`; an owner by default. */
  async makePerson(caller: Caller, standing: Standing = { clientId: null, role: 'owner' }): Promise<Person> {
    const name = `Person ${++made}`;
    const details = { email: `person${made}@example.com`, name, timeZone: 'UTC' };
    const { person, membership } = await this.app
      .get(PeopleService)
      .create(COMMAND_LINE, details, PASSWORD, await accountOf(caller), standing);
    return { id: person.id, email: person.email, name, membershipId: membership.id };
  }

  /** Makes a person who has signed in; an owner by default. @returns their browser */
  async makeBrowser(caller: Caller, standing?: Standing): Promise<Browser> {
    return Browser.of(this, (await this.makePerson(caller, standing)).email);
  }

  /** Opens an account with an owner who is signed in. */
  async openWithOwner(): Promise<{ owner: Caller; email: string; browser: Browser }> {
    const owner = await this.openAccount();
    const { email } = await this.makePerson(owner);
    return { owner, email, browser: await Browser.of(this, email) };
  }

  /** Issues a code by which somebody becomes the owner of a caller's account, as the operator does. */
  async setupCodeOf(caller: Caller) {
    return this.app.get(SetupService).issueFor(await accountOf(caller));
  }

  /** Makes it unknown whether a person reads mail to their address. */
  async unprove({ id }: { id: number }): Promise<void> {
    const people = this.app.get(PeopleRepository);
    const person = await people.get(id);
    await this.app.get(UnitOfWork).run((tx) => people.in(tx).update(person, { verifiedAt: null }));
  }

  /** Lets a person act in another account, or for a client, too. */
  async actFor(caller: Caller, { id }: { id: number }, standing: Standing): Promise<void> {
    const account = await accountOf(caller);
    const person = await this.app.get(PeopleRepository).get(id);
    const people = this.app.get(PeopleService);
    await this.app.get(UnitOfWork).run((tx) => people.join(tx, COMMAND_LINE, person, account, standing, new Date()));
  }

  /** Links a person to an account at a provider. @returns the id of the identity */
  async makeIdentity(personId: number): Promise<string> {
    const claims = { issuer: 'https://accounts.example.com', subject: `${++made}`, email: null };
    const identity = Identity.link(personId, claims, new Date());
    const identities = this.app.get(IdentitiesRepository);
    await this.app.get(UnitOfWork).run((tx) => identities.in(tx).insert(identity));
    return formatUuid(identity.id);
  }

  /** Gives a person a passkey that nobody can sign in with. @returns its id */
  async makePasskey(personId: number): Promise<string> {
    const made = {
      credentialId: randomBytes(32),
      publicKey: Buffer.alloc(1),
      userHandle: Buffer.alloc(16),
      uses: 0,
      transports: '',
    };
    const passkey = Passkey.create(personId, 'Laptop', made, new Date());
    const passkeys = this.app.get(PasskeysRepository);
    await this.app.get(UnitOfWork).run((tx) => passkeys.in(tx).insert(passkey));
    return formatUuid(passkey.id);
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
    await service?.close();
    await database.drop();
  });
  return () => {
    if (!service) throw new Error('The service has not been started.');
    return service;
  };
}

/** Opens an account for each test of a file. @returns its caller, who is another in each */
export function useOwner(service: () => Service, name?: string, email?: string): Caller {
  const owner = new Caller('', null);
  beforeEach(async () => {
    Object.assign(owner, await service().openAccount(name, email));
  });
  return owner;
}

/** Creates a form for each test of a file. @returns the form, which is another in each */
export function useForm(owner: Caller, settings?: object): FormBody {
  const form = {} as FormBody;
  beforeEach(async () => {
    Object.assign(form, await owner.makeForm(settings));
  });
  return form;
}

/** Makes a person for each test of a file. @returns the browser of who has signed in, another in each */
export function useSignedIn(service: () => Service, owner: Caller, standing?: Standing): Browser {
  const browser = new Browser({ url: '' });
  beforeEach(async () => {
    Object.assign(browser, await service().makeBrowser(owner, standing));
  });
  return browser;
}

function urlOf(url: string, { tls }: Config): string {
  return url.replace('[::1]', '127.0.0.1').replace(/^http:/, tls.isOn ? 'https:' : 'http:');
}
