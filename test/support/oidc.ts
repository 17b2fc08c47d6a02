import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Response } from 'supertest';
import { elementsOf } from './page.js';
import type { Browser } from './people.js';

const PROGRAM = join(import.meta.dirname, 'oidc-provider.js');
const CLIENT = { id: 'forms', secret: 'a secret of the client' };
/** More than any sign-in at the provider takes. */
const REDIRECTS_MAX = 10;
const BASE_URL = 'http://forms.test';
const BEGIN = '/sign-in/oidc';

/** Claims of the provider about a person. */
export interface ProviderClaims {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** A provider of a test file, and people with accounts there. */
export class OidcServer {
  issuer = '';
  private process?: ChildProcess;

  /** Settings of a service that signs people in through this provider. */
  get settings(): Record<string, string> {
    return {
      BASE_URL,
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Example Login',
    };
  }

  async start(): Promise<void> {
    const callback = `${BASE_URL}/sign-in/oidc/callback`;
    this.process = spawn(process.execPath, [PROGRAM, CLIENT.id, CLIENT.secret, callback], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { stdout } = this.process;
    if (!stdout) throw new Error('The provider has no output.');
    for await (const line of createInterface(stdout)) {
      // It says other things of itself before.
      if (!/^http:\S+$/.test(line)) continue;
      this.issuer = line;
      return;
    }
    throw new Error('The provider did not start.');
  }

  async stop(): Promise<void> {
    if (this.process?.exitCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }

  /** Opens an account at the provider, or changes what it says of somebody. */
  async put(subject: string, claims: ProviderClaims): Promise<void> {
    const body = JSON.stringify(claims);
    await fetch(`${this.issuer}/people/${encodeURIComponent(subject)}`, { method: 'PUT', body });
  }

  /** Signs in at the provider. @returns path and query that it sends the browser back to */
  async signIn(address: string, subject: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = address;
    let body: URLSearchParams | null = null;
    for (let i = 0; i < REDIRECTS_MAX; i++) {
      const response: globalThis.Response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(body && { method: 'POST', body }),
      });
      body = null;
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location?.startsWith(BASE_URL)) return location.slice(BASE_URL.length);
      if (location === null) {
        const page = await response.text();
        const [form] = elementsOf(page).filter(({ name }) => name === 'form');
        if (!form) throw new Error(`The provider shows no form: ${response.status} ${page}`);
        next = new URL(form.attributes.action ?? '', next).href;
        body = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' });
      } else next = new URL(location, next).href;
    }
    throw new Error('The provider sends the browser in circles.');
  }

  /** Begins at the service, signs in at the provider, and comes back. */
  async through(
    browser: Browser,
    subject: string,
    fields: Record<string, string> = {},
    path = BEGIN,
  ): Promise<Response> {
    return browser.get(await this.signIn(await departure(browser, fields, path), subject));
  }
}

/** Begins a sign-in through the provider. @returns the address there */
export async function departure(browser: Browser, fields: Record<string, string> = {}, path = BEGIN): Promise<string> {
  const { headers, status, text } = await browser.post(path, fields);
  const [, address] = /^0; url=(.+)$/.exec(String(headers.refresh)) ?? [];
  if (address === undefined) throw new Error(`Nothing leads to the provider: ${status} ${text}`);
  return address;
}

/** Runs a provider for the tests of a file. */
export function useOidcServer(): OidcServer {
  const server = new OidcServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
