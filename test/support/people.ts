import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { COMMAND_LINE } from '../../src/access/actor.js';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { IdentitiesRepository } from '../../src/people/credentials/identities.repository.js';
import { Identity } from '../../src/people/credentials/identity.entity.js';
import { Passkey } from '../../src/people/credentials/passkey.entity.js';
import { PasskeysRepository } from '../../src/people/credentials/passkeys.repository.js';
import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { PeopleService } from '../../src/people/members/people.service.js';
import { SetupService } from '../../src/people/setup/setup.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { formatUuid } from '../../src/platform/kernel/uuid.js';
import type { Caller, Method, Service } from './service.js';

export const PASSWORD = 'purple otters juggle at noon';

let made = 0;

/** Input of a form; several values of one name are sent one after the other. */
export type Fields = Record<string, string | string[]>;

/** Acts as a person's browser: keeps cookies, sends forms as our pages do, and follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly service: Service,
    /** Headers that browsers add to a request from a page of the service. */
    private readonly origin: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ) {}

  get = (path: string, headers = {}) => this.send('get', path, undefined, headers);
  head = (path: string) => this.send('head', path);
  post = (path: string, fields: Fields = {}, headers = this.origin) =>
    this.send('post', path, encoded(fields), headers);

  /** Calls a route of the API as a script of a page does. */
  call = (method: Method, path: string, body?: object, headers = this.origin) =>
    this.send(method, path, body, { Accept: 'application/json', ...headers }, 'json');

  /** Returns the browser of somebody who has signed in. */
  static async of(service: Service, email: string): Promise<Browser> {
    const browser = new Browser(service);
    await browser.signIn(email);
    return browser;
  }

  /** Signs in; `more` are further fields. */
  signIn(email: string, password = PASSWORD, more: Record<string, string> = {}) {
    return this.post('/sign-in', { email, password, ...more });
  }

  /** Returns the cookie of the session, if there is one. */
  get session(): string | undefined {
    return this.cookies.get('fcs_session') ?? this.cookies.get('__Host-fcs_session');
  }

  private async send(
    method: Method | 'head',
    path: string,
    body?: string | object,
    headers: Record<string, string> = {},
    type = 'form',
  ): Promise<request.Response> {
    const call = request(this.service.url)[method](path).redirects(0).set(headers);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) void call.set('Cookie', cookies.join('; '));
    const response = await (body === undefined ? call : call.type(type).send(body));
    for (const line of (response.headers['set-cookie'] as unknown as string[] | undefined) ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

function encoded(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Returns the id of the account of a caller's token. */
export const accountOf = async (caller: Caller): Promise<number> =>
  (await caller.read('/api/v1/me')).account.id;

/** Makes a person who signs in with `PASSWORD`; an owner by default. */
export async function makePerson(
  service: Service,
  caller: Caller,
  standing: Standing = { clientId: null, role: 'owner' },
): Promise<{ id: number; email: string; name: string; membershipId: number }> {
  const details = {
    email: `person${++made}@example.com`,
    name: `Person ${made}`,
    timeZone: 'UTC',
  };
  const { person, membership } = await service.app
    .get(PeopleService)
    .create(COMMAND_LINE, details, PASSWORD, await accountOf(caller), standing);
  return { id: person.id, email: person.email, name: person.name, membershipId: membership.id };
}

/** Issues a code by which somebody becomes the owner of a caller's account, as the operator does. */
export const setupCodeOf = async ({ app }: Service, caller: Caller) =>
  app.get(SetupService).issueFor(await accountOf(caller));

/** Makes a person who has signed in; an owner by default. @returns their browser */
export const makeBrowser = async (service: Service, caller: Caller, standing?: Standing) =>
  Browser.of(service, (await makePerson(service, caller, standing)).email);

/** Makes it unknown whether a person reads mail to their address. */
export async function unprove({ app }: Service, { id }: { id: number }): Promise<void> {
  const people = app.get(PeopleRepository);
  const person = await people.get(id);
  await app.get(UnitOfWork).run((tx) => people.in(tx).update(person, { verifiedAt: null }));
}

/** Opens an account with an owner who is signed in. */
export async function openWithOwner(
  service: Service,
): Promise<{ owner: Caller; email: string; browser: Browser }> {
  const owner = await service.openAccount();
  const { email } = await makePerson(service, owner);
  return { owner, email, browser: await Browser.of(service, email) };
}

/** Lets a person act in another account, or for a client, too. */
export async function actFor(
  { app }: Service,
  caller: Caller,
  { id }: { id: number },
  standing: Standing,
): Promise<void> {
  const account = await accountOf(caller);
  const person = await app.get(PeopleRepository).get(id);
  await app
    .get(UnitOfWork)
    .run((tx) =>
      app.get(PeopleService).join(tx, COMMAND_LINE, person, account, standing, new Date()),
    );
}

/** Links a person to an account at a provider. @returns the id of the identity */
export async function makeIdentity({ app }: Service, personId: number): Promise<string> {
  const claims = { issuer: 'https://accounts.example.com', subject: `${++made}`, email: null };
  const identity = Identity.link(personId, claims, new Date());
  await app.get(UnitOfWork).run((tx) => app.get(IdentitiesRepository).in(tx).insert(identity));
  return formatUuid(identity.id);
}

/** Gives a person a passkey that nobody can sign in with. @returns its id */
export async function makePasskey({ app }: Service, personId: number): Promise<string> {
  const made = {
    credentialId: randomBytes(32),
    publicKey: Buffer.alloc(1),
    userHandle: Buffer.alloc(16),
    uses: 0,
    transports: '',
  };
  const passkey = Passkey.create(personId, 'Laptop', made, new Date());
  await app.get(UnitOfWork).run((tx) => app.get(PasskeysRepository).in(tx).insert(passkey));
  return formatUuid(passkey.id);
}
