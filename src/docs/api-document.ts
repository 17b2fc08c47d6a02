import { readFileSync } from 'node:fs';
import { ROOT } from '../platform/index.js';

/** The part of JSON Schema that openapi.json uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  description?: string;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  readOnly?: boolean;
  default?: unknown;
  additionalProperties?: Schema | boolean;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Answer {
  $ref?: string;
  description?: string;
  content?: Content;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Operation {
  /** Right that a token needs. */
  'x-right'?: string;
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
  /** Ways to show who calls; an empty one means that nobody needs to. */
  security?: Record<string, unknown>[];
}

/** An operation under its method and path. */
export interface Route extends Operation {
  method: string;
  path: string;
}

/** The part of an OpenAPI document that is shown. */
export interface ApiDocument {
  info: { title: string; description?: string };
  tags: { name: string; description: string }[];
  security?: Record<string, unknown>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}

const DOCUMENT = new URL('openapi.json', ROOT);
let read: ApiDocument | undefined;

/** Returns the text of the document, as programs get it. */
export function apiDocumentText() {
  return readFileSync(DOCUMENT, 'utf8');
}

/** Returns the document, which is parsed once. */
export function apiDocument(): ApiDocument {
  return (read ??= JSON.parse(apiDocumentText()) as ApiDocument);
}

/** Returns each operation under its method and path, with a summary of one line. */
export function routesIn({ paths }: ApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      ...{ method, path, summary: operation.summary.replace(/\s+/g, ' ') },
    })),
  );
}

/** Returns the codes of problems that an answer may have. */
export function codesOf(answer: Answer | undefined): string[] {
  const schema = answer?.content?.['application/problem+json']?.schema;
  return (schema?.properties?.type?.enum ?? []).map((type) => String(type).split(':').at(-1) ?? '');
}

/** Returns each code with its meaning, from the lines "- `code`: meaning" of the responses' descriptions. */
export function errorMeanings({ components }: ApiDocument): [string, string][] {
  const lines = Object.values(components.responses).flatMap(({ description = '' }) => description.split('\n'));
  const found = lines.flatMap((line): [string, string][] => {
    const [, code, meaning] = /^- `(\w+)`: (.*)$/.exec(line) ?? [];
    return code === undefined || meaning === undefined ? [] : [[code, meaning]];
  });
  return [...new Map(found)].sort(([a], [b]) => (a < b ? -1 : 1));
}
