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
  const { body } = await caller.post('/api/v1/forms', { form }).expect(201);
  return body;
}

/** Creates a client; valid by default. Returns its id. */
export async function makeClient(caller: Caller, details: object = {}): Promise<number> {
  const client = { name: 'Jane', email: `jane${++made}@example.com`, ...details };
  const { body } = await caller.post('/api/v1/clients', { client }).expect(201);
  return body.id;
}

/** Issues a token to the account; with every right by default. */
export async function makeToken(caller: Caller, terms: object = {}): Promise<IssuedTokenBody> {
  const token = { name: `Token ${++made}`, ...terms };
  const { body } = await caller.post('/api/v1/tokens', { token }).expect(201);
  return body;
}

/** Issues a token to a client; with every right by default. Returns the secret. */
export async function makeClientToken(
  caller: Caller,
  clientId: number,
  terms: object = {},
): Promise<string> {
  const token = { name: 'Phone', ...terms };
  const { body } = await caller.post(`/api/v1/clients/${clientId}/tokens`, { token }).expect(201);
  return body.token;
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
