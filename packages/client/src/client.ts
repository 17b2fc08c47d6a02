import createFetchClient, { type Client as FetchClient, type FetchOptions, type MethodResponse } from 'openapi-fetch';
import { sendPatiently } from './retry.js';
import type { components, paths } from './schema.js';

/** Calls each route by its method and path, such as `client.GET('/api/v1/forms/{identifier}', …)`. */
export type Client = FetchClient<paths>;
/** Bodies of the API by the names of openapi.json, such as `Schemas['FormDto']`. */
export type Schemas = components['schemas'];
/** Says what is wrong, as `application/problem+json` (RFC 9457). */
export type Problem = Schemas['ProblemDto'];

export interface ClientOptions {
  /** Address of the service, such as `https://forms.example.com`. */
  baseUrl: string;
  /** API token, `fcs_…`. */
  token: string;
  /** Takes the place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Makes a client for a token. It waits and tries again after 429 and 503, and what it only reads, without an answer too. */
export function createClient({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  return createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    fetch: (request) => sendPatiently(() => fetch(request.clone()), request.method === 'GET', request.signal),
  });
}

/** An answer of the service that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable code, such as `form_not_found`; null when a proxy answered. */
  readonly code: string | null;
  /** Fields at fault; empty unless `code` is `invalid_fields`. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(
    /** Null when a proxy answered. */
    readonly problem: Problem | null,
    readonly response: Response,
  ) {
    super(problem?.detail ?? `The service answered with ${response.status}.`);
    this.status = response.status;
    this.code = problem?.type.split(':').at(-1) ?? null;
    this.errors = problem?.errors ?? [];
  }
}

/** Returns the body of a call. @throws ApiError */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(isProblem(error) ? error : null, response);
  return data as T;
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'type' in error && 'detail' in error;
}

type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;
/** Paths of lists that come in pages. */
export type ListPath = {
  [P in keyof paths]: Extract<keyof NonNullable<Query<P>>, 'page' | 'before'> extends never ? never : P;
}[keyof paths];
/** Parameters of the first page, and options of `fetch`. */
type ListOptions<P extends ListPath> = FetchOptions<paths[P]['get']>;
type Page<P extends ListPath> = MethodResponse<Client, 'get', P>;

/**
 * Reads a list page by page: the first as asked for, each other one where `next_page` or the header `Link` leads.
 * @throws ApiError
 */
export async function* paginate<P extends ListPath>(
  client: Client,
  path: P,
  ...[options]: object extends ListOptions<P> ? [ListOptions<P>?] : [ListOptions<P>]
): AsyncGenerator<Page<P>, void, void> {
  // The types of all lists at once are too much for the compiler.
  const get = client.GET as (path: P, options?: object) => Promise<{ data?: Page<P>; response: Response }>;
  for (let more = {}; ;) {
    const call = get(path, { ...options, ...more });
    const page = await unwrap(call);
    yield page;
    const next = nextOf(page, (await call).response);
    if (next === null) return;
    // Of the address its query alone: the token goes nowhere but to the base URL.
    more = { querySerializer: () => next.split('?')[1] ?? '' };
  }
}

function nextOf(page: object, { headers }: Response) {
  if ('next_page' in page) return page.next_page as string | null;
  const link = headers
    .get('Link')
    ?.split(', ')
    .find((each) => each.endsWith('; rel="next"'));
  return link?.slice(1, link.indexOf('>')) ?? null;
}
