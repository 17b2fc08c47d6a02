import type { Caller, Service } from './service.js';

/** A form as the API shows it. */
export interface FormBody {
  id: number;
  name: string;
  identifier: string;
  submission_count: number;
  [setting: string]: unknown;
}

/** A token as the API shows it when it is issued. */
export interface IssuedTokenBody {
  id: number;
  name: string;
  rights: string[];
  client_id: number | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  token: string;
}

let made = 0;

/** Creates a form; valid by default, `settings` say what matters to the test. */
export async function makeForm(caller: Caller, settings: object = {}): Promise<FormBody> {
  const form = { name: `Form ${++made}`, ...settings };
  return await caller.create('/api/v1/forms', { form });
}

/** Creates a client; valid by default. Returns its id. */
export async function makeClient(caller: Caller, details: object = {}): Promise<number> {
  const client = { name: 'Jane', email: `jane${++made}@example.com`, ...details };
  return (await caller.create('/api/v1/clients', { client })).id;
}

/** Issues a token to the account; with every right by default. */
export async function makeToken(caller: Caller, terms: object = {}): Promise<IssuedTokenBody> {
  const token = { name: `Token ${++made}`, ...terms };
  return await caller.create('/api/v1/tokens', { token });
}

/** Issues a token to a client; with every right by default. Returns the secret. */
export async function makeClientToken(
  caller: Caller,
  clientId: number,
  terms: object = {},
): Promise<string> {
  const token = { name: 'Phone', ...terms };
  return (await caller.create(`/api/v1/clients/${clientId}/tokens`, { token })).token;
}

/** Makes a client, and returns it as who calls by a token of its own. */
export async function makeClientCaller(
  service: Service,
  caller: Caller,
  details: object = {},
  terms: object = {},
): Promise<Caller> {
  return service.as(await makeClientToken(caller, await makeClient(caller, details), terms));
}
