import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JSON_TYPE = 'application/json';

/**
 * Writes the types of what the API is sent and answers, from openapi.json alone, for tests and for whoever generates
 * clients: `Schemas` by name, `Routes` by method and path, and `Answers` with `{}` for each parameter of a path.
 * @param {{ paths: object, components: { schemas: object } }} document
 */
function apiTypes({ paths, components }) {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${typeOf(schema)}`,
  );
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  const named = routes.map(
    ({ path, method, operation }) => `${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${routeOf(operation)}`,
  );
  const answers = routes.map(
    ({ path, method, operation }) =>
      `${JSON.stringify(`${method} ${path.replace(/\{\w+\}/g, '{}')}`)}: ${anyAnswerOf(operation)}`,
  );
  return [
    ...['export interface Schemas {', ...schemas, '}'],
    ...['export interface Routes {', ...named, '}'],
    ...['export interface Answers {', ...answers, '}', ''],
  ].join('\n');
}

function routeOf(operation) {
  const { parameters = [], requestBody } = operation;
  const members = ['path', 'query'].map((place) => {
    const taken = parameters.filter((each) => each.in === place);
    const isNeeded = taken.some(({ required }) => required);
    const fields = taken.map(({ name, required, schema }) => member(name, schema, required));
    return `${place}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`;
  });
  const body = requestBody?.content[JSON_TYPE]?.schema;
  if (body) members.push(member('body', body, requestBody.required));
  members.push(`answer: ${answerOf(operation)}`);
  return `{ ${members.join('; ')} }`;
}

/** Answers at once and answers later of one route, as one: tests know which of them comes. */
function anyAnswerOf({ responses }) {
  return successesOf(responses).map(contentOf).join(' & ');
}

function answerOf({ responses }) {
  return contentOf(successesOf(responses)[0]);
}

function successesOf(responses) {
  return Object.keys(responses).flatMap((status) => (/^2/.test(status) ? [responses[status]] : []));
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
