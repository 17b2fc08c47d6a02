import {
  type ApiDocument,
  type Answer,
  type Content,
  type Parameter,
  type Route,
  type Schema,
  codesOf,
  errorMeanings,
  routesIn,
} from './api-document.js';
import { anchors } from './markdown.js';
import { REFERENCE_PATH, type Page } from './page.js';

const OBJECTS = `${REFERENCE_PATH}/objects`;
const ERRORS = `${REFERENCE_PATH}/errors`;

/**
 * Writes the OpenAPI document as Markdown: a page for each tag, the objects and the errors.
 * @param baseUrl of this service, for examples
 */
export function referencePages(document: ApiDocument, baseUrl: string): Page[] {
  const routes = routesIn(document);
  const parts = document.tags.map(({ name, description }): Page => {
    const own = routes.filter(({ tags }) => tags.includes(name));
    const path = `${REFERENCE_PATH}/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
    const operations = own.map((route) => operation(route, document, baseUrl));
    return page(path, name, description, [contentsOf(own, path, name), ...operations]);
  });
  const objects = Object.entries(document.components.schemas).map(([name, schema]) => object(name, schema));
  const errors = errorMeanings(document).map(([code, meaning]) => `## \`${code}\`\n\n${meaning}`);
  const ofErrors = `Errors are [problem details](${OBJECTS}#problemdto) (RFC 9457). The last part of their \`type\` is one of these codes.`;
  return [
    overview(document, parts, routes),
    ...parts,
    page(OBJECTS, 'Objects', 'The objects that requests and answers consist of.', objects),
    page(ERRORS, 'Error codes', 'Every code of an error, and its meaning.', [ofErrors, ...errors]),
  ];
}

function page(path: string, title: string, summary: string, blocks: string[]): Page {
  const markdown = `${[`# ${title}`, summary, ...blocks].join('\n\n')}\n`;
  return { path, title, summary, group: 'Reference', markdown };
}

function overview({ info }: ApiDocument, parts: Page[], routes: Route[]) {
  const count = (name: string) => routes.filter(({ tags }) => tags.includes(name)).length;
  return page(REFERENCE_PATH, 'API reference', 'Every request of the API, its parameters and answers.', [
    info.description ?? '',
    'Send an API [token](/docs/api/tokens) with each request that needs one: `Authorization: Bearer fcs_…`. Programs read the same in [openapi.json](/api/openapi.json) (OpenAPI 3.1).',
    [
      ...parts.map(({ title, path, summary }) => `- [${title}](${path}): ${summary} ${count(title)} operations.`),
      `- [Objects](${OBJECTS}) and [error codes](${ERRORS}) of all requests.`,
    ].join('\n'),
  ]);
}

/** Lists operations, each with a link to where it is described below the title of its page. */
function contentsOf(routes: Route[], path: string, title: string) {
  const anchorOf = anchors();
  anchorOf(title);
  const rows = routes.map(
    ({ method, path: request, summary }) =>
      `- \`${method.toUpperCase()} ${request}\` [${summary}](${path}#${anchorOf(summary.replaceAll('`', ''))})`,
  );
  return rows.join('\n');
}

function operation(route: Route, document: ApiDocument, baseUrl: string) {
  const { summary, method, path, description, parameters = [], requestBody } = route;
  const answers = Object.entries(route.responses).map(
    ([status, answer]) => `- ${status}: ${answerOf(answer, document)}`,
  );
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    `\`\`\`sh\n${curlOf(route, document, baseUrl)}\n\`\`\``,
    ...(parameters.length > 0 ? ['**Parameters**', parameters.map(parameterOf).join('\n')] : []),
    ...(requestBody ? ['**Body**', contentOf(requestBody.content)] : []),
    '**Answers**',
    answers.join('\n'),
  ].join('\n\n');
}

function parameterOf({ name, in: place, required, description = '', schema = {} }: Parameter) {
  return entry(name, `${typeOf(schema)}, in the ${place}${required ? ', required' : ''}`, description);
}

/** Writes an object of the document with its fields. */
function object(name: string, { description = '', properties = {}, required = [] }: Schema) {
  const fields = Object.entries(properties).map(([field, schema]) =>
    entry(field, `${typeOf(schema)}${required.includes(field) ? '' : ', may be left out'}`, schema.description),
  );
  return [`## ${name}`, description, fields.join('\n')].filter(Boolean).join('\n\n');
}

function entry(name: string, type: string, description = '') {
  return `- \`${name}\` (${type})${description === '' ? '' : `: ${description.replace(/\s+/g, ' ')}`}`;
}

function answerOf({ $ref, description = '', content }: Answer, { components }: ApiDocument) {
  const codes = $ref === undefined ? [] : codesOf(components.responses[nameOf($ref)]);
  const links = codes.map((code) => `[\`${code}\`](${ERRORS}#${code})`);
  return [$ref === undefined ? description.replace(/\s+/g, ' ') : links.join(', '), content && contentOf(content)]
    .filter(Boolean)
    .join(' ');
}

function contentOf(content: Content) {
  return Object.entries(content)
    .map(([mediaType, { schema = {} }]) => `\`${mediaType}\`: ${typeOf(schema)}`)
    .join(', ');
}

function nameOf(reference: string) {
  return reference.split('/').at(-1) ?? '';
}

/** Writes a type in words, with links to the objects of the document. */
function typeOf({ $ref, anyOf, allOf, enum: words, items, type = 'any', format, minimum, maximum }: Schema): string {
  if ($ref !== undefined) return `[${nameOf($ref)}](${OBJECTS}#${nameOf($ref).toLowerCase()})`;
  const choices = anyOf ?? allOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (words) return words.map((word) => `\`${JSON.stringify(word)}\``).join(', ');
  if (items) return `list of ${typeOf(items)}`;
  const range = minimum === undefined && maximum === undefined ? '' : `, ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
  return `${[type].flat().join(' or ')}${format === undefined ? '' : ` (${format})`}${range}`;
}

/** Levels of an example's nested objects; deeper ones are left empty. */
const DEPTH_MAX = 4;

/** Returns the command that calls an operation, with an example of what it takes. */
function curlOf(route: Route, document: ApiDocument, baseUrl: string) {
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
    const named = document.components.schemas[nameOf($ref)];
    return named ? exampleOf(named, document, depth) : {};
  }
  const [choice] = allOf ?? anyOf ?? [];
  if (choice) return exampleOf(choice, document, depth);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'array') return items && depth < DEPTH_MAX ? [exampleOf(items, document, depth + 1)] : [];
  if (properties && depth < DEPTH_MAX) {
    const names = schema.required ?? Object.keys(properties);
    return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, document, depth + 1)]));
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
