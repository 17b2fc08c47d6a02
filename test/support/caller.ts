import { readFileSync } from 'node:fs';
import request from 'supertest';
import type { Answers, Schemas } from '../../build/api.js';
import { deliveriesPath, type DeliveryBody } from './deliveries.js';
import { pathOf, type SubmissionBody, type SubmissionListBody } from './submissions.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Every route of openapi.json, with the right that it asks for. */
export const API_ROUTES = Object.entries(
  (
    JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<Method, { 'x-right'?: string }>>;
    }
  ).paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { 'x-right': right }]) => ({ method: method as Method, path, right })),
);

/** A path without its query. */
type Bare<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;
/** A segment of a path, or `{}` for one that is not the same each time. */
type Segment<Text extends string> = Partial<Record<Text, unknown>> extends Record<Text, unknown> ? '{}' : Text;
type Route<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? `${Segment<First>}/${Route<Rest>}`
  : Segment<Path>;
/** Answer of a path by openapi.json; anything for a path that only the test knows. */
type Answer<M extends Method, Path extends string> = `${M} ${Route<Bare<Path>>}` extends infer Key extends keyof Answers
  ? Answers[Key]
  : request.Response['body'];

/** A call under way, whose body has the type of its answer. */
export interface Call<Body> extends request.Test {
  then<A = Answered<Body>, B = never>(
    done?: ((answer: Answered<Body>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B>;
}
type Answered<Body> = Omit<request.Response, 'body'> & { body: Body };

export type FormBody = Schemas['FormDto'] & Record<string, unknown>;
type IssuedTokenBody = Schemas['IssuedTokenDto'];

type Form = Pick<FormBody, 'identifier'>;

const DOWNLOAD_BYTES_MAX = 2e9;

let made = 0;

/** Calls the service with one token. */
export class Caller {
  constructor(
    private readonly url: string,
    readonly secret: string | null,
  ) {}

  get = <P extends string>(path: P) => this.send('get', path);
  post = <P extends string>(path: P, body?: object) => this.send('post', path, body);
  put = <P extends string>(path: P, body?: object) => this.send('put', path, body);
  patch = <P extends string>(path: P, body?: object) => this.send('patch', path, body);
  delete = <P extends string>(path: P, body?: object) => this.send('delete', path, body);

  /** Returns the body that a path answers with 200. */
  read = async <P extends string>(path: P): Promise<Answer<'get', P>> => (await this.get(path).expect(200)).body;

  /** Posts what is made at once. @returns the body of the 201 */
  create = async <P extends string>(path: P, body?: object): Promise<Answer<'post', P>> =>
    (await this.post(path, body).expect(201)).body;

  /** Returns the text of a download. */
  download = async (path: string): Promise<string> =>
    (await this.get(path).buffer(true).maxResponseSize(DOWNLOAD_BYTES_MAX).expect(200)).text;

  send<M extends Method, P extends string>(method: M, path: P, body?: object): Call<Answer<M, P>> {
    // What goes to the same process is not compressed.
    const call = request(this.url)[method](path).set('Accept-Encoding', 'identity');
    if (this.secret !== null) void call.set('Authorization', `Bearer ${this.secret}`);
    return body === undefined ? call : call.send(body);
  }

  /** Creates a form; valid by default, `settings` say what matters to the test. */
  makeForm(settings: object = {}): Promise<FormBody> {
    return this.create('/api/v1/forms', { form: { name: `Form ${++made}`, ...settings } });
  }

  /** Creates a client; valid by default. Returns its id. */
  async makeClient(details: object = {}): Promise<number> {
    const client = { name: 'Jane', email: `jane${++made}@example.com`, ...details };
    return (await this.create('/api/v1/clients', { client })).id;
  }

  /** Sets the fields of a form. @param onFailure what happens to a submission that breaks one */
  setFields({ identifier }: Form, fields: object[], onFailure = 'refuse') {
    return this.put(`/api/v1/forms/${identifier}/fields`, { fields, on_failure: onFailure }).expect(200);
  }

  /** Issues a token to the account; with every right by default. */
  makeToken(terms: object = {}): Promise<IssuedTokenBody> {
    return this.create('/api/v1/tokens', { token: { name: `Token ${++made}`, ...terms } });
  }

  /** Issues a token to a client; with every right by default. Returns the secret. */
  async makeClientToken(clientId: number, terms: object = {}): Promise<string> {
    const token = { name: 'Phone', ...terms };
    return (await this.create(`/api/v1/clients/${clientId}/tokens`, { token })).token;
  }

  /** Makes a client, and returns it as who calls by a token of its own. */
  async makeClientCaller(details: object = {}, terms: object = {}): Promise<Caller> {
    return new Caller(this.url, await this.makeClientToken(await this.makeClient(details), terms));
  }

  /** Returns one page of a form's submissions. */
  list(form: Form, query = ''): Promise<SubmissionListBody> {
    return this.read(`${pathOf(form)}?${query}`);
  }

  /** Shows one submission. */
  show(form: Form, id: string): Promise<SubmissionBody> {
    return this.read(`${pathOf(form)}/${id}`);
  }

  /** Returns the count that a form shows. */
  async countOf({ identifier }: Form): Promise<number> {
    return (await this.read(`/api/v1/forms/${identifier}`)).submission_count;
  }

  /** Returns the deliveries of a submission. */
  async deliveriesOf(form: Form, id: string): Promise<DeliveryBody[]> {
    return (await this.read(deliveriesPath(form, id))).deliveries;
  }

  /** Returns the only delivery of a submission. */
  async deliveryOf(form: Form, id: string): Promise<DeliveryBody> {
    const [delivery, ...others] = await this.deliveriesOf(form, id);
    if (!delivery || others.length > 0) throw new Error('It has not exactly one delivery.');
    return delivery;
  }

  /** Returns the path of a destination that every form has, among the pages; behind `/api/v1` it is that of the API. */
  async firstPath(form: Form, role: string): Promise<string> {
    const path = `/forms/${form.identifier}/destinations` as const;
    const { destinations } = await this.read(`/api/v1${path}`);
    return `${path}/${destinations.find((each) => each.role === role)?.id ?? ''}`;
  }

  /** Returns the only webhook call of a submission. */
  async webhookCallOf(form: Form, id: string): Promise<DeliveryBody> {
    const call = (await this.deliveriesOf(form, id)).find(({ kind }) => kind === 'webhook');
    if (!call) throw new Error('The submission has no webhook call.');
    return call;
  }
}
