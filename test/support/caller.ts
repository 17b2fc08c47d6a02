import { readFileSync } from 'node:fs';
import request from 'supertest';
import type { Answers } from '../../build/api.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Every route of openapi.json, with the right that it asks for. */
export const API_ROUTES = Object.entries(
  (
    JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<Method, { 'x-right'?: string }>>;
    }
  ).paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { 'x-right': right }]) => ({
    method: method as Method,
    path,
    right,
  })),
);

/** A path without its query. */
type Bare<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;
/** A segment of a path, or `{}` for one that is not the same each time. */
type Segment<Text extends string> =
  Partial<Record<Text, unknown>> extends Record<Text, unknown> ? '{}' : Text;
type Route<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? `${Segment<First>}/${Route<Rest>}`
  : Segment<Path>;
/** Answer of a path by openapi.json; anything for a path that only the test knows. */
type Answer<
  M extends Method,
  Path extends string,
> = `${M} ${Route<Bare<Path>>}` extends infer Key extends keyof Answers
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
  read = async <P extends string>(path: P): Promise<Answer<'get', P>> =>
    (await this.get(path).expect(200)).body;

  /** Posts what is made at once. @returns the body of the 201 */
  create = async <P extends string>(path: P, body?: object): Promise<Answer<'post', P>> =>
    (await this.post(path, body).expect(201)).body;

  send<M extends Method, P extends string>(method: M, path: P, body?: object): Call<Answer<M, P>> {
    const call = request(this.url)[method](path);
    if (this.secret !== null) void call.set('Authorization', `Bearer ${this.secret}`);
    return body === undefined ? call : call.send(body);
  }
}
