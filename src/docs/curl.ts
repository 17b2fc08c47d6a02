import type { ApiDocument, Route, Schema } from './api-document.js';

/** Levels of an example's nested objects; deeper ones are left empty. */
const DEPTH_MAX = 4;

/** Returns the command that calls an operation, with an example of what it takes. */
export function curlOf(route: Route, document: ApiDocument, baseUrl: string): string {
  const { method, path, requestBody, security = document.security } = route;
  const schema = requestBody?.content['application/json']?.schema;
  const isOpen = security?.some((one) => Object.keys(one).length === 0) ?? true;
  const lines = [
    `curl '${baseUrl}${path}'`,
    ...(method === 'get' ? [] : [`--request ${method.toUpperCase()}`]),
    ...(isOpen ? [] : ['--header "Authorization: Bearer $TOKEN"']),
    ...(schema
      ? [
          "--header 'Content-Type: application/json'",
          `--data '${JSON.stringify(exampleOf(schema, document)).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** Returns an example of a schema: of an object its required properties, or all where none is. */
function exampleOf(schema: Schema, document: ApiDocument, depth = 0): unknown {
  const { $ref, anyOf, allOf, items, properties } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return named ? exampleOf(named, document, depth) : {};
  }
  const [choice] = allOf ?? anyOf ?? [];
  if (choice) return exampleOf(choice, document, depth);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'array')
    return items && depth < DEPTH_MAX ? [exampleOf(items, document, depth + 1)] : [];
  if (properties && depth < DEPTH_MAX) {
    const names = schema.required ?? Object.keys(properties);
    return Object.fromEntries(
      names.map((name) => [name, exampleOf(properties[name] ?? {}, document, depth + 1)]),
    );
  }
  return plainExample(schema, type);
}

const TEXTS: Record<string, string> = {
  email: 'jane@example.com',
  uri: 'https://example.com',
  'date-time': '2030-01-31T12:00:00Z',
  date: '2030-01-31',
};

function plainExample({ format, minimum }: Schema, type: string | undefined): unknown {
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'string':
      return TEXTS[format ?? ''] ?? 'text';
    default:
      return {};
  }
}
