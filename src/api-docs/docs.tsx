import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { errorMeanings, type ApiDocument, type Route } from './api-document.js';
import { OperationDetails, Prose, SchemaObject } from './operation.js';
import { Config, ROOT, styleSheet } from '../platform/index.js';
import { Injectable } from '@nestjs/common';
import { Mounted, RouteNotFound } from '../platform/http/index.js';

const STYLE = styleSheet('api-docs/docs.css');
/** Address of the pages. */
const DOCS_PATH = '/api/docs';
/** Path of the style sheet; it changes with the content, so caches may keep it. */
const STYLE_PATH = `${DOCS_PATH}/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`;

/** Operations under a name. */
interface Part {
  name: string;
  description: string;
  path: string;
  routes: Route[];
}

/** A page by the last part of its address: '' for the overview, the name of a part, `objects` or `errors`. */
type Draw = () => ComponentChildren;

/** Draws the document as pages of plain HTML, which need no script. */
class DocsPages {
  private readonly parts: Part[];
  private readonly pages: Map<string, [title: string, draw: Draw]>;

  /** @param baseUrl of this service, for examples */
  constructor(
    private readonly document: ApiDocument,
    private readonly baseUrl: string,
  ) {
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
    );
    this.parts = document.tags.map(({ name, description }) => ({
      name,
      description,
      path: `${DOCS_PATH}/${slugOf(name)}`,
      routes: routes.filter(({ tags }) => tags.includes(name)),
    }));
    this.pages = new Map<string, [string, Draw]>([
      ['', ['Overview', () => <Overview {...this.own} />]],
      ...this.parts.map((part): [string, [string, Draw]] => [
        slugOf(part.name),
        [part.name, () => <PartPage {...part} {...this.own} />],
      ]),
      ['objects', ['Objects', () => <Objects {...this.own} />]],
      ['errors', ['Errors', () => <Errors {...this.own} />]],
    ]);
  }

  /** Returns a page; null for an unknown name. */
  page(name: string): string | null {
    const [title, draw] = this.pages.get(name) ?? [];
    return title === undefined || !draw ? null : this.whole(name, title, '', draw());
  }

  /** Returns the page of the operations that have every word of a text. */
  found(text: string) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const isMeant = ({ method, path, summary, description }: Route) => {
      const all = `${method} ${path} ${summary} ${description}`.toLowerCase();
      return words.every((word) => all.includes(word));
    };
    const routes = this.parts.flatMap((part) => part.routes.filter(isMeant));
    const title = routes.length === 1 ? '1 operation' : `${routes.length} operations`;
    const found = (
      <>
        <h1>{title}</h1>
        <Operations routes={routes} {...this.own} />
      </>
    );
    return this.whole('', title, text, found);
  }

  private get own() {
    const { document, baseUrl, parts } = this;
    return { document, baseUrl, parts };
  }

  private whole(name: string, title: string, q: string, content: ComponentChildren) {
    const { title: product } = this.document.info;
    const html = (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{`${title} · ${product} API`}</title>
          <link rel="stylesheet" href={STYLE_PATH} />
        </head>
        <body>
          <header>
            <a href={DOCS_PATH}>
              <b>{product} API</b>
            </a>
            <form action={DOCS_PATH} role="search">
              <input type="search" name="q" value={q} placeholder="Search operations" aria-label="Search operations" />
            </form>
          </header>
          <nav aria-label="Contents">
            <ul>
              {[...this.pages].map(([slug, [label]]) => (
                <li>
                  <a
                    href={slug === '' ? DOCS_PATH : `${DOCS_PATH}/${slug}`}
                    aria-current={slug === name && q === '' ? 'page' : undefined}
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <main>{content}</main>
        </body>
      </html>
    );
    return `<!doctype html>\n${renderToString(html)}\n`;
  }
}

function slugOf(name: string) {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

interface OwnProps {
  document: ApiDocument;
  baseUrl: string;
  parts: Part[];
}

function Overview({ document, parts }: OwnProps) {
  return (
    <>
      <h1>{document.info.title} API</h1>
      <p>{document.info.description}</p>
      <p>
        Send an API token with each request that needs one: <code>Authorization: Bearer fcs_…</code>. Programs read the
        same in <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
      </p>
      <ul class="parts">
        {parts.map(({ name, description, path, routes }) => (
          <li>
            <a href={path}>{name}</a>
            <p>{description}</p>
            <small>{routes.length} operations</small>
          </li>
        ))}
      </ul>
    </>
  );
}

function PartPage({ name, description, routes, ...own }: Part & OwnProps) {
  return (
    <>
      <h1>{name}</h1>
      <p>{description}</p>
      <Operations routes={routes} {...own} />
    </>
  );
}

function Operations({ routes, document, baseUrl }: { routes: Route[] } & Omit<OwnProps, 'parts'>) {
  return routes.map((route) => <OperationDetails route={route} document={document} baseUrl={baseUrl} />);
}

function Objects({ document }: OwnProps) {
  return (
    <>
      <h1>Objects</h1>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <SchemaObject name={name} schema={schema} />
      ))}
    </>
  );
}

function Errors({ document }: OwnProps) {
  return (
    <>
      <h1>Errors</h1>
      <p>
        Errors are <a href={`${DOCS_PATH}/objects#ProblemDto`}>problem details</a> (RFC 9457). The last part of their{' '}
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
    </>
  );
}

const DOCUMENT = new URL('openapi.json', ROOT);
/** Browsers revalidate at each visit, and get 304 unless the content has changed. */
const CHECKED = 'no-cache';
const HTML = 'text/html; charset=utf-8';
/** Characters of a search. */
const QUERY_MAX = 200;
/** For a file whose address changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the committed OpenAPI document at /api/openapi.json and the same as pages at /api/docs: plain HTML and one
 * style sheet, both from here. Each is made at its first request.
 */
@Injectable()
export class ApiDocs {
  constructor(private readonly config: Config) {}

  @Mounted()
  mount(app: NestExpressApplication): void {
    const document = () => readFileSync(DOCUMENT, 'utf8');
    const { baseUrl } = this.config;
    let made: DocsPages | undefined;
    const pages = () => (made ??= new DocsPages(JSON.parse(document()) as ApiDocument, baseUrl));
    const express: Express = app.getHttpAdapter().getInstance();
    express.get('/api/openapi.json', serve('application/json; charset=utf-8', CHECKED, document));
    express.get(
      STYLE_PATH,
      serve('text/css; charset=utf-8', FOR_EVER, () => STYLE),
    );
    const served = new Map<string, ReturnType<typeof serve>>();
    express.get(`${DOCS_PATH}{/:name}`, (request, response) => {
      const { name = '' } = request.params as { name?: string };
      const { q } = request.query;
      if (name === '' && typeof q === 'string' && q.trim() !== '') {
        response
          .set('Cache-Control', CHECKED)
          .type('html')
          .send(pages().found(q.slice(0, QUERY_MAX)));
        return;
      }
      let handler = served.get(name);
      if (!handler) {
        const text = pages().page(name);
        if (text === null) throw new RouteNotFound();
        handler = serve(HTML, CHECKED, () => text);
        served.set(name, handler);
      }
      handler(request, response);
    });
  }
}

/**
 * Returns a handler for a text that does not change while the process runs; it sends gzip to clients that accept it.
 */
function serve(type: string, caching: string, make: () => string) {
  let made: { plain: Buffer; gzip: Buffer; tag: string } | null = null;
  return (request: Request, response: Response): void => {
    made ??= prepare(make());
    const packed = request.acceptsEncodings('gzip') === 'gzip';
    response.set({
      'Content-Type': type,
      'Cache-Control': caching,
      ETag: made.tag,
      Vary: 'Accept-Encoding',
      ...(packed && { 'Content-Encoding': 'gzip' }),
    });
    if (request.fresh) response.status(304).end();
    else response.send(packed ? made.gzip : made.plain);
  };
}

function prepare(text: string): { plain: Buffer; gzip: Buffer; tag: string } {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzip: gzipSync(plain, { level: 9 }), tag };
}
