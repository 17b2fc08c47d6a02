/** The parts of an OpenAPI document that say what programs send and get. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const JSON_TYPE = 'application/json';

/**
 * Writes the types of a client: `Schemas` by name, and `Routes` by method and path with what is sent and got.
 * It knows what a generator of clients knows, which is the document alone.
 */
export function clientTypes({ paths, components }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${JSON.stringify(name)}: ${typeOf(schema)};`,
  );
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) =>
        `  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${routeOf(operation)};`,
    ),
  );
  return [
    'export interface Schemas {',
    ...schemas,
    '}',
    'export interface Routes {',
    ...routes,
    '}',
    '',
  ].join('\n');
}

function routeOf({ parameters = [], requestBody, responses }: Operation): string {
  const members = ['path', 'query'].map((place) => {
    const named = parameters.filter((each) => each.in === place);
    const fields = named.map(
      ({ name, required, schema }) =>
        `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
    );
    const isNeeded = named.some(({ required }) => required);
    return `${place}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`;
  });
  const body = requestBody?.content[JSON_TYPE]?.schema;
  if (requestBody && body) members.push(`body${requestBody.required ? '' : '?'}: ${typeOf(body)}`);
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [answer] = Object.entries(success?.content ?? {});
  members.push(`answer: ${answer ? answerOf(...answer) : 'undefined'}`);
  return `{ ${members.join('; ')} }`;
}

function answerOf(mediaType: string, { schema }: { schema: Schema }): string {
  if (mediaType === JSON_TYPE) return typeOf(schema);
  return schema.format === 'binary' ? 'Uint8Array' : 'string';
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return `Schemas[${JSON.stringify($ref.split('/').at(-1))}]`;
  const either = anyOf ?? oneOf;
  if (either) return `(${either.map(typeOf).join(' | ')})`;
  if (allOf) return `(${allOf.map(typeOf).join(' & ')})`;
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`;
  if ('const' in schema) return JSON.stringify(schema.const);
  const types = type === undefined ? [] : [type].flat();
  return types.length === 0
    ? 'unknown'
    : `(${types.map((each) => plainType(each, schema)).join(' | ')})`;
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `${typeOf(schema.items ?? {})}[]`;
    case 'object':
      return objectType(schema);
    default:
      return type;
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${members.join('; ')} }`;
}
