import { createHash } from 'node:crypto';
import { html, type Html } from '../platform/kernel/html.js';
import { PAGE_STYLE } from './page-style.js';

/** As much of a JSON schema as openapi.json uses. */
interface Schema {
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
}

type Content = Record<string, { schema?: Schema }>;

interface Answer {
  $ref?: string;
  description?: string;
  content?: Content;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}

/** As much of an OpenAPI document as the page shows. */
export interface ApiDocument {
  info: { title: string; description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}

interface Route extends Operation {
  method: string;
  path: string;
}

/** Where the style sheet is; its name changes with its content, so that it may be kept for ever. */
export const STYLE_PATH = `/api/docs/style-${createHash('sha256').update(PAGE_STYLE).digest('hex').slice(0, 16)}.css`;

/** Renders the document as one page of plain HTML, which needs no script. */
export function renderPage(document: ApiDocument): string {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const parts = document.tags.map(({ name, description }) => ({
    name,
    description,
    routes: routes.filter(({ tags }) => tags.includes(name)),
  }));
  const { title, description = '' } = document.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header>
<h1>${title} API</h1>
<p>${description}</p>
<p>Send an access token with each request that needs one: <code>Authorization: Bearer fcs_…</code>. The same as
a document for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<nav aria-label="Contents">
${parts.map(renderContents)}
<p><a href="#schemas">Objects</a></p>
<p><a href="#errors">Errors</a></p>
</nav>
<main>
${parts.map((part) => renderPart(part, document))}
<h2 id="schemas">Objects</h2>
${Object.entries(document.components.schemas).map(renderSchema)}
<h2 id="errors">Errors</h2>
<p>Errors are <a href="#ProblemDto">problem details</a> (RFC 9457). The last part of their <code>type</code> is one of these
codes.</p>
<dl>
${errorMeanings(document).map(([code, meaning]) => html`<dt id="error-${code}"><code>${code}</code></dt><dd>${prose(meaning)}</dd>`)}
</dl>
</main>
</body>
</html>
`;
  return page.text;
}

function renderContents({ name, routes }: { name: string; routes: Route[] }): Html {
  return html`<p><a href="#part-${name}">${name}</a></p>
<ul>
${routes.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>\n`)}
</ul>
`;
}

function renderPart(
  { name, description, routes }: { name: string; description: string; routes: Route[] },
  document: ApiDocument,
): Html {
  return html`<section aria-labelledby="part-${name}">
<h2 id="part-${name}">${name}</h2>
<p>${description}</p>
${routes.map((route) => renderRoute(route, document))}
</section>
`;
}

function renderRoute(route: Route, document: ApiDocument): Html {
  const { operationId, summary, method, path, description, parameters = [], requestBody } = route;
  const answers = Object.entries(route.responses);
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="route"><b>${method.toUpperCase()}</b> <code>${path}</code></p>
${paragraphs(description)}
${parameters.length === 0 ? null : html`<h4>Parameters</h4>\n<dl>${parameters.map(renderParameter)}</dl>`}
${requestBody ? html`<h4>Body</h4>\n<p>${renderContent(requestBody.content)}</p>` : null}
<h4>Answers</h4>
<dl>
${answers.map(([status, answer]) => renderAnswer(status, answer, document))}
</dl>
</article>
`;
}

function renderParameter(parameter: NonNullable<Operation['parameters']>[number]): Html {
  const { name, in: place, required, description = '', schema = {} } = parameter;
  const where = `in the ${place}${required ? ', required' : ''}`;
  return html`<dt><code>${name}</code> <small>${typeOf(schema)}, ${where}</small></dt><dd>${prose(description)}</dd>\n`;
}

function renderAnswer(status: string, answer: Answer, document: ApiDocument): Html {
  const name = answer.$ref?.split('/').at(-1);
  const codes = name === undefined ? [] : codesOf(document.components.responses[name]);
  const links = codes.map(
    (code, index) =>
      html`${index > 0 ? ', ' : ''}<a href="#error-${code}"><code>${code}</code></a>`,
  );
  const said = name === undefined ? paragraphs(answer.description ?? '') : html`${links}`;
  return html`<dt>${status}</dt><dd>${said}${answer.content ? html`<p>${renderContent(answer.content)}</p>` : null}</dd>\n`;
}

function renderContent(content: Content): Html {
  const kinds = Object.entries(content).map(
    ([mediaType, { schema }], index) =>
      html`${index > 0 ? ', ' : ''}<code>${mediaType}</code>: ${typeOf(schema ?? {})}`,
  );
  return html`${kinds}`;
}

function renderSchema([name, schema]: [string, Schema]): Html {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
    const optional = required.includes(field) ? '' : ', may be left out';
    return html`<dt><code>${field}</code> <small>${typeOf(inner)}${optional}</small></dt><dd>${prose(inner.description ?? '')}</dd>\n`;
  });
  return html`<section aria-labelledby="${name}">
<h3 id="${name}">${name}</h3>
${paragraphs(schema.description ?? '')}
<dl>
${fields}</dl>
</section>
`;
}

/** The type in words, with links to the objects of the document. */
function typeOf(schema: Schema): Html {
  const { $ref, anyOf, allOf, items, format } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#${name}">${name}</a>`;
  }
  const choices = anyOf ?? allOf;
  if (choices)
    return html`${choices.map((one, index) => html`${index > 0 ? ' or ' : ''}${typeOf(one)}`)}`;
  if (schema.enum) return html`${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`;
  if (items) return html`list of ${typeOf(items)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return html`${type}${format === undefined ? '' : ` (${format})`}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return '';
  return `, ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
}

function codesOf(answer: Answer | undefined): string[] {
  const schema = answer?.content?.['application/problem+json']?.schema;
  return (schema?.properties?.type?.enum ?? []).map((type) => String(type).split(':').at(-1) ?? '');
}

/** Each code once with its meaning, as the descriptions of the answers list them: - `code`: meaning */
function errorMeanings({ components }: ApiDocument): [string, string][] {
  const lines = Object.values(components.responses).flatMap(({ description = '' }) =>
    description.split('\n'),
  );
  const found = lines.flatMap((line): [string, string][] => {
    const [, code, meaning] = /^- `(\w+)`: (.*)$/.exec(line) ?? [];
    return code === undefined || meaning === undefined ? [] : [[code, meaning]];
  });
  return [...new Map(found)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Paragraphs apart by an empty line; lines that begin with "- " are a list. */
function paragraphs(text: string): Html {
  const blocks = text.split('\n\n').filter((block) => block !== '');
  return html`${blocks.map((block) =>
    block.startsWith('- ')
      ? html`<ul>${block.split('\n').map((line) => html`<li>${prose(line.slice(2))}</li>`)}</ul>`
      : html`<p>${prose(block)}</p>\n`,
  )}`;
}

/** Text with `code` in backticks. */
function prose(text: string): Html {
  const pieces = text.split('`');
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`;
}
