import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import {
  codesOf,
  errorMeanings,
  type Answer,
  type ApiDocument,
  type Content,
  type Operation,
  type Parameter,
} from './api-document.js';
import { PAGE_STYLE } from './page-style.js';
import { joined, Paragraphs, Prose } from './prose.js';
import { SchemaObject, Type } from './schema.js';

interface Route extends Operation {
  method: string;
  path: string;
}

/** Path of the style sheet; it changes with the content, so caches may keep it. */
export const STYLE_PATH = `/api/docs/style-${createHash('sha256').update(PAGE_STYLE).digest('hex').slice(0, 16)}.css`;

/** Renders the document as one page of plain HTML, which needs no script. */
export function renderPage(document: ApiDocument): string {
  return `<!doctype html>\n${renderToString(<Page document={document} />)}\n`;
}

function Page({ document }: { document: ApiDocument }) {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const parts = document.tags.map(({ name, description }) => ({
    name,
    description,
    routes: routes.filter(({ tags }) => tags.includes(name)),
  }));
  const { title, description = '' } = document.info;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} API</title>
        <link rel="stylesheet" href={STYLE_PATH} />
      </head>
      <body>
        <header>
          <h1>{title} API</h1>
          <p>{description}</p>
          <p>
            Send an access token with each request that needs one:{' '}
            <code>Authorization: Bearer fcs_…</code>. The same as a document for programs:{' '}
            <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
        </header>
        <nav aria-label="Contents">
          {parts.map((part) => (
            <Contents {...part} />
          ))}
          <p>
            <a href="#schemas">Objects</a>
          </p>
          <p>
            <a href="#errors">Errors</a>
          </p>
        </nav>
        <main>
          {parts.map((part) => (
            <Part {...part} document={document} />
          ))}
          <h2 id="schemas">Objects</h2>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <SchemaObject name={name} schema={schema} />
          ))}
          <h2 id="errors">Errors</h2>
          <p>
            Errors are <a href="#ProblemDto">problem details</a> (RFC 9457). The last part of their{' '}
            <code>type</code> is one of these codes.
          </p>
          <dl>
            {errorMeanings(document).map(([code, meaning]) => (
              <>
                <dt id={`error-${code}`}>
                  <code>{code}</code>
                </dt>
                <dd>
                  <Prose text={meaning} />
                </dd>
              </>
            ))}
          </dl>
        </main>
      </body>
    </html>
  );
}

function Contents({ name, routes }: { name: string; routes: Route[] }) {
  return (
    <>
      <p>
        <a href={`#part-${name}`}>{name}</a>
      </p>
      <ul>
        {routes.map(({ operationId, summary }) => (
          <li>
            <a href={`#${operationId}`}>{summary}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Part(props: {
  name: string;
  description: string;
  routes: Route[];
  document: ApiDocument;
}) {
  const { name, description, routes, document } = props;
  return (
    <section aria-labelledby={`part-${name}`}>
      <h2 id={`part-${name}`}>{name}</h2>
      <p>{description}</p>
      {routes.map((route) => (
        <RouteArticle route={route} document={document} />
      ))}
    </section>
  );
}

function RouteArticle({ route, document }: { route: Route; document: ApiDocument }) {
  const { operationId, summary, method, path, description, parameters = [], requestBody } = route;
  return (
    <article aria-labelledby={operationId}>
      <h3 id={operationId}>{summary}</h3>
      <p class="route">
        <b>{method.toUpperCase()}</b> <code>{path}</code>
      </p>
      <Paragraphs text={description} />
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <dl>
            {parameters.map((parameter) => (
              <ParameterTerm {...parameter} />
            ))}
          </dl>
        </>
      )}
      {requestBody && (
        <>
          <h4>Body</h4>
          <p>
            <ContentTypes content={requestBody.content} />
          </p>
        </>
      )}
      <h4>Answers</h4>
      <dl>
        {Object.entries(route.responses).map(([status, answer]) => (
          <AnswerTerm status={status} answer={answer} document={document} />
        ))}
      </dl>
    </article>
  );
}

function ParameterTerm(parameter: Parameter) {
  const { name, in: place, required, description = '', schema = {} } = parameter;
  return (
    <>
      <dt>
        <code>{name}</code>{' '}
        <small>
          <Type schema={schema} />, in the {place}
          {required && ', required'}
        </small>
      </dt>
      <dd>
        <Prose text={description} />
      </dd>
    </>
  );
}

function AnswerTerm(props: { status: string; answer: Answer; document: ApiDocument }) {
  const { status, answer, document } = props;
  const name = answer.$ref?.split('/').at(-1);
  const codes = name === undefined ? [] : codesOf(document.components.responses[name]);
  const links = codes.map((code) => (
    <a href={`#error-${code}`}>
      <code>{code}</code>
    </a>
  ));
  return (
    <>
      <dt>{status}</dt>
      <dd>
        {name === undefined ? <Paragraphs text={answer.description ?? ''} /> : joined(links, ', ')}
        {answer.content && (
          <p>
            <ContentTypes content={answer.content} />
          </p>
        )}
      </dd>
    </>
  );
}

function ContentTypes({ content }: { content: Content }) {
  const kinds = Object.entries(content).map(([mediaType, { schema = {} }]) => (
    <>
      <code>{mediaType}</code>: <Type schema={schema} />
    </>
  ));
  return <>{joined(kinds, ', ')}</>;
}
