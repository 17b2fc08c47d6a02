import { readFileSync } from 'node:fs';
import type { PageForm } from './page-forms.js';
import { rawMultipart } from './submit.js';

/** A request that is as expensive as the limits allow. */
export interface WorstCase {
  /** Names what is special about it. */
  what: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** The part of openapi.json that is read here. */
interface Document {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: { name: string; in: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

/** A little less than the megabyte that a body may have. */
const BODY_BYTES = 1024 * 1024 - 4_096;
/** A little less than the 32 KiB that the head of a request may have. */
const HEAD_BYTES = 30_000;
/** A little less than the 16 KiB that the headers of a part may have. */
const PART_HEAD_BYTES = 16_200;

/** Limits of a submission, as the settings have them. */
export interface SubmissionLimits {
  /** A little less than what a value may have. */
  valueBytes: number;
  fields: number;
  levels: number;
}

const LIMITS_BY_DEFAULT: SubmissionLimits = { valueBytes: 256 * 1024 - 64, fields: 500, levels: 16 };

/** Marks of two classes, which libraries sort, and letters that become others: what searches bring into a normal form. */
export const COMPOSED: readonly string[] = [
  '\u0316\u0301',
  '\u0f71\u0f72',
  '\uff9e\u0301',
  '\u1100\u1161\u11a8',
  '\ufdfa',
];

/** Characters that are special to parsers, alone and in turns. */
export const RUNS: readonly string[] = [
  ...Array.from(' \t"\'\\%&=;,.:/?#@<>()[]{}|*+-_$^~`!a0é'),
  '\u{1f600}',
  'ab',
  '%2',
  '%00',
  '\\u',
  '="',
  '";',
  'a@',
  '.a',
  '[0]',
  '[]=',
  'a,',
  '//',
  '<a',
  '&#',
  '\r\n-',
  ...COMPOSED,
];

/** As many times `unit` as fit into so many bytes, and a character that ends what it began. */
const run = (unit: string, bytes: number) => unit.repeat(Math.floor((bytes - 1) / Buffer.byteLength(unit))) + '!';

/** Hostile bodies of JSON for any route. */
const HOSTILE_JSON: [string, () => string][] = [
  ['an array of objects', () => `[${'{},'.repeat(BODY_BYTES / 3 - 2)}{}]`],
  ['an array of numbers', () => `[${'0,'.repeat(BODY_BYTES / 2 - 2)}0]`],
  ['as many keys as fit', () => `{${keys(80_000)}}`],
  ['as many levels as fit', () => '['.repeat(BODY_BYTES / 2) + ']'.repeat(BODY_BYTES / 2)],
  ['levels of objects', () => '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)],
  ['a long number', () => `{"a":${'9'.repeat(BODY_BYTES)}}`],
  ['a text of escapes', () => `{"a":"${'\\u0041'.repeat(BODY_BYTES / 7)}"}`],
  ['blanks', () => `${' '.repeat(BODY_BYTES)}{}`],
  ['a text that does not end', () => `{"a":"${'\\"'.repeat(BODY_BYTES / 2 - 10)}`],
];

const keys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',');

/** Every route of the API with everything that it takes. Paths hold `{parameters}`. */
export const ROUTES = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    body: requestBody?.content['application/json']?.schema ?? null,
  })),
);

export type ApiRoute = (typeof ROUTES)[number];

/**
 * Yields the worst requests to one route.
 * @param fill puts ids into the path
 * @param units of which texts are made
 */
export function* worstCasesOf(
  { method, path, query, body }: ApiRoute,
  fill: (path: string) => string,
  units: readonly string[],
): Generator<WorstCase> {
  for (const unit of units) {
    const text = encodeURIComponent(run(unit, HEAD_BYTES / 3 / (query.length + 1)));
    const asked = query.map((name) => `${encodeURIComponent(name)}=${text}`).join('&');
    const what = `runs of ${JSON.stringify(unit)}`;
    if (path.includes('{')) yield { what, method, path: path.replace(/\{\w+\}/, text) };
    if (query.length > 0) yield { what, method, path: `${fill(path)}?${asked}` };
    if (body === null || path.startsWith('/f/')) continue;
    const texts = JSON.stringify(filled(body, run(unit, textBytes(body, unit))));
    yield { what, method, path: fill(path), ...json(texts) };
  }
  const names = encodeURIComponent('a[]') + '=1&';
  const what = 'as many parameters as fit';
  yield { what, method, path: `${fill(path)}?${names.repeat(HEAD_BYTES / names.length)}` };
  if (body === null || path.startsWith('/f/')) return;
  for (const [kind, text] of HOSTILE_JSON) {
    yield { what: kind, method, path: fill(path), ...json(text()) };
  }
  yield {
    what: 'an array in every field',
    method,
    path: fill(path),
    ...json(
      JSON.stringify(
        filled(
          body,
          Array.from({ length: 20_000 }, (_, n) => n),
        ),
      ),
    ),
  };
}

/** Yields the worst that can be sent by a form of a page. */
export function* worstOfPage({ method, path, names }: PageForm, units: readonly string[]): Generator<WorstCase> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const room = method === 'GET' ? HEAD_BYTES : BODY_BYTES;
  const send = (what: string, pairs: string): WorstCase =>
    method === 'GET' ? { what, method, path: `${path}?${pairs}` } : { what, method, path, headers, body: pairs };
  for (const unit of names.length > 0 ? units : []) {
    const encoded = encodeURIComponent(unit);
    const times = Math.floor(room / names.length / encoded.length) - 50;
    const pairs = names.map((name) => `${encodeURIComponent(name)}=${encoded.repeat(times)}!`);
    yield send(`runs of ${JSON.stringify(unit)}`, pairs.join('&'));
  }
  for (const name of names.length > 0 ? names : ['a']) {
    const pair = `${encodeURIComponent(name)}=1&`;
    yield send(`${name} many times`, pair.repeat(room / pair.length - 1));
  }
  const many = Array.from({ length: room / 10 }, (_, n) => `k${n}=1`).join('&');
  yield send('as many names as fit', many.slice(0, room));
}

const json = (body: string) => ({ headers: { 'Content-Type': 'application/json' }, body });

/** Returns the length of each text that makes a body as large as is allowed. */
function textBytes(schema: Schema, unit: string): number {
  const sizes = JSON.stringify(filled(schema, '')).split('""').length;
  const growth = (JSON.stringify(unit).length - 2) / unit.length;
  return Math.floor(BODY_BYTES / sizes / growth / 1.1);
}

/** Returns a value of the schema with `value` in every field. */
function filled(schema: Schema, value: unknown): unknown {
  const name = schema.$ref?.split('/').at(-1);
  const resolved = name === undefined ? schema : (DOCUMENT.components.schemas[name] ?? {});
  if (!resolved.properties) return value;
  return Object.fromEntries(Object.entries(resolved.properties).map(([key, each]) => [key, filled(each, value)]));
}

/** Yields requests with the worst headers, which every route reads. */
export function* worstHeaders(path: string): Generator<WorstCase> {
  const names = [
    'Accept',
    'Authorization',
    'Content-Type',
    'Cookie',
    'Forwarded',
    'Idempotency-Key',
    'Origin',
    'Referer',
    'User-Agent',
    'X-Forwarded-For',
    'X-Request-Id',
  ];
  for (const unit of RUNS.filter((each) => /^[\x20-\x7e]+$/.test(each))) {
    for (const name of names) {
      const headers = { [name]: `a${run(unit, HEAD_BYTES)}` };
      yield { what: `${name} of ${unit}`, method: 'POST', path, headers, body: 'a=1' };
      if (name !== 'Content-Type') continue;
      const type = `multipart/form-data; a="${run(unit, HEAD_BYTES)}`;
      yield { what: `type of ${unit}`, method: 'POST', path, headers: { [name]: type }, body: 'a' };
    }
  }
}

/** Yields the worst submissions in each encoding. */
export function* worstSubmissions(
  path: string,
  { valueBytes, fields, levels }: SubmissionLimits = LIMITS_BY_DEFAULT,
): Generator<WorstCase> {
  const method = 'POST';
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const spread = (unit: string) => ['a', 'b', 'c'].map((name) => `${name}=${run(unit, valueBytes)}`).join('&');
  for (const unit of RUNS) {
    const what = `of ${JSON.stringify(unit)}`;
    yield { what: `urlencoded ${what}`, method, path, headers: urlencoded, body: spread(unit) };
    const text = run(unit, valueBytes / 2);
    const members = JSON.stringify({ a: text, email: text, message: text });
    yield { what: `JSON ${what}`, method, path, ...json(members) };
    const part = `Content-Disposition: form-data; name="a"\r\n\r\n${run(unit, valueBytes)}`;
    yield { what: `multipart ${what}`, method, path, ...multipart([part, part, part]) };
    const parameters = run(unit.replace(/[\r\n]/g, 'r'), PART_HEAD_BYTES);
    for (const disposition of [`name="a"; x="${parameters}x"`, `name="${parameters}"`, parameters]) {
      const head = `Content-Disposition: form-data; ${disposition}\r\n\r\nv`;
      const parts = Array.from({ length: 60 }, () => head);
      yield { what: `parts ${what}`, method, path, ...multipart(parts) };
    }
    const type = `Content-Disposition: form-data; name="a"\r\nContent-Type: ${parameters}\r\n\r\nv`;
    yield { what: `types ${what}`, method, path, ...multipart(Array(60).fill(type) as string[]) };
  }
  for (const [what, text] of HOSTILE_JSON) yield { what, method, path, ...json(text()) };
  const numbers = Array.from({ length: 35_000 }, (_, n) => n).join(',');
  const lists = ['a', 'b', 'c', 'd'].map((name) => `"${name}":[${numbers}]`).join(',');
  yield { what: 'JSON of long lists', method, path, ...json(`{${lists}}`) };
  const deep = '['.repeat(levels - 1) + '1' + ']'.repeat(levels - 1);
  const nested = Array.from({ length: fields }, (_, n) => `"f${n}":${deep}`).join(',');
  yield { what: 'JSON of many levels', method, path, ...json(`{${nested}}`) };
  const each = Math.floor(BODY_BYTES / fields) - 8;
  const pairs = Array.from({ length: fields }, (_, n) => `f${n}=${run('x', each)}`);
  yield { what: 'many fields', method, path, headers: urlencoded, body: pairs.join('&') };
  const one = `Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n`;
  const files = [1, 2].map(() => one + run('\r\n--', 10_000_000));
  yield { what: 'large files', method, path, ...multipart(files) };
  yield { what: 'small files', method, path, ...multipart(Array(10).fill(`${one}x`) as string[]) };
}

function multipart(parts: string[]): Pick<WorstCase, 'headers' | 'body'> {
  const { type, body } = rawMultipart(parts);
  return { headers: { 'Content-Type': String(type) }, body };
}
