import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JSON_TYPE = 'application/json';

/**
 * Writes the types of what the API is sent and answers, from openapi.json alone, for tests: `Schemas` by name, and
 * `Answers` by method and path, with `{}` for each parameter of the path.
 * @param {{ paths: object, components: { schemas: object } }} document
 */
function apiTypes({ paths, components }) {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${typeOf(schema)}`,
  );
  const answers = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) =>
        `${JSON.stringify(`${method} ${path.replace(/\{\w+\}/g, '{}')}`)}: ${answerOf(operation)}`,
    ),
  );
  return [
    ...['export interface Schemas {', ...schemas, '}'],
    ...['export interface Answers {', ...answers, '}', ''],
  ].join('\n');
}

/** Answers at once and answers later of one route, as one: tests know which of them comes. */
function answerOf({ responses }) {
  const successes = Object.keys(responses).filter((status) => /^2/.test(status));
  return successes.map((status) => contentOf(responses[status])).join(' & ');
}

function contentOf({ content = {} } = {}) {
  const [answer] = Object.entries(content);
  if (!answer) return 'undefined';
  const [mediaType, { schema }] = answer;
  if (mediaType === JSON_TYPE) return typeOf(schema);
  return schema.format === 'binary' ? 'Uint8Array' : 'string';
}

function typeOf(schema) {
  const { $ref, anyOf, oneOf, allOf, type = [] } = schema;
  if ($ref !== undefined) return `Schemas[${JSON.stringify($ref.split('/').at(-1))}]`;
  const either = anyOf ?? oneOf;
  if (either) return `(${either.map(typeOf).join(' | ')})`;
  if (allOf) return `(${allOf.map(typeOf).join(' & ')})`;
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`;
  if ('const' in schema) return JSON.stringify(schema.const);
  const types = [type].flat().map((each) => plainType(each, schema));
  return types.length === 0 ? 'unknown' : `(${types.join(' | ')})`;
}

function plainType(type, schema) {
  if (type === 'integer') return 'number';
  if (type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return type === 'object' ? objectType(schema) : type;
}

function objectType({ properties, required = [], additionalProperties }) {
  if (!properties) {
    const isTyped = typeof additionalProperties === 'object';
    return `Record<string, ${isTyped ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => member(name, schema, required.includes(name)));
  return `{ ${members.join('; ')} }`;
}

function member(name, schema, isNeeded) {
  return `${JSON.stringify(name)}${isNeeded ? '' : '?'}: ${typeOf(schema)}`;
}

/** Writes the types to where the tests import them from. */
export function writeApiTypes() {
  mkdirSync(`${ROOT}build`, { recursive: true });
  const document = JSON.parse(readFileSync(`${ROOT}openapi.json`, 'utf8'));
  writeFileSync(`${ROOT}build/api.d.ts`, apiTypes(document));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeApiTypes();
