import request from 'supertest';
import type { Caller, Method } from './caller.js';

export const PASSWORD = 'purple otters juggle at noon';

/** Input of a form; several values of one name are sent one after the other. */
export type Fields = Record<string, string | string[]>;

/** Acts as a person's browser: keeps cookies, sends forms as our pages do, and follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly service: { url: string },
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
  static async of(service: { url: string }, email: string): Promise<Browser> {
    const browser = new Browser(service);
    await browser.signIn(email);
    // What the sign-in says is for its own tests.
    browser.cookies.delete('fcs_flash');
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
    // What goes to the same process is not compressed.
    const plain = { 'Accept-Encoding': 'identity', ...headers };
    const call = request(this.service.url)[method](path).redirects(0).set(plain);
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
  const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return new URLSearchParams(pairs).toString();
}

/** Returns the id of the account of a caller's token. */
export const accountOf = async (caller: Caller): Promise<number> => (await caller.read('/api/v1/me')).account.id;
