import request from 'supertest';
import { COMMAND_LINE } from '../../src/access/actor.js';
import type { LimitState } from '../../src/people/membership.entity.js';
import { PeopleRepository } from '../../src/people/people.repository.js';
import { PeopleService } from '../../src/people/people.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import type { Caller, Service } from './service.js';

export const PASSWORD = 'purple otters juggle at noon';

let made = 0;

/** Somebody at a browser: keeps cookies, sends forms as a page of the service does, follows nothing. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly service: Service,
    /** What browsers add to a request that a page of the service made. */
    private readonly origin: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ) {}

  get = (path: string) => this.send('get', path);
  head = (path: string) => this.send('head', path);
  post = (path: string, fields: Record<string, string> = {}, headers = this.origin) =>
    this.send('post', path, fields, headers);

  /** Signs in; `more` are further fields. */
  signIn(email: string, password = PASSWORD, more: Record<string, string> = {}) {
    return this.post('/sign-in', { email, password, ...more });
  }

  /** The cookie of the session, if there is one. */
  get session(): string | undefined {
    return this.cookies.get('fcs_session') ?? this.cookies.get('__Host-fcs_session');
  }

  private async send(
    method: 'get' | 'head' | 'post',
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<request.Response> {
    const call = request(this.service.url)[method](path).redirects(0).set(headers);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) void call.set('Cookie', cookies.join('; '));
    const response = await (fields ? call.type('form').send(fields) : call);
    for (const line of (response.headers['set-cookie'] as unknown as string[] | undefined) ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** Id of the account that a caller's token is for. */
export async function accountOf(caller: Caller): Promise<number> {
  const { body } = await caller.get('/api/v1/me').expect(200);
  return (body as { account: { id: number } }).account.id;
}

/** Makes a person who signs in with `PASSWORD`; an owner by default. */
export async function makePerson(
  service: Service,
  caller: Caller,
  standing: LimitState = { clientId: null, role: 'owner' },
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

/** Lets a person act in another account, or for a client, too. */
export async function actFor(
  { app }: Service,
  caller: Caller,
  { id }: { id: number },
  standing: LimitState,
): Promise<void> {
  const account = await accountOf(caller);
  const person = await app.get(PeopleRepository).get(id);
  await app
    .get(UnitOfWork)
    .run((tx) =>
      app.get(PeopleService).join(tx, COMMAND_LINE, person, account, standing, new Date()),
    );
}
