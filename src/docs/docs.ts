import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Config } from '../platform/config/config.js';
import { RouteNotFound } from '../platform/http/errors/http.errors.js';
import { ROOT } from '../platform/kernel/root.js';
import { PAGE_STYLE } from './page-style.js';
import type { ApiDocument } from './api-document.js';
import { DOCS_PATH, DocsPages, STYLE_PATH } from './page.js';

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
export function serveDocs(app: NestExpressApplication): void {
  const document = () => readFileSync(DOCUMENT, 'utf8');
  const { baseUrl } = app.get(Config);
  let made: DocsPages | undefined;
  const pages = () => (made ??= new DocsPages(JSON.parse(document()) as ApiDocument, baseUrl));
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/api/openapi.json', serve('application/json; charset=utf-8', CHECKED, document));
  express.get(
    STYLE_PATH,
    serve('text/css; charset=utf-8', FOR_EVER, () => PAGE_STYLE),
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

/**
 * Returns a handler for a text that does not change while the process runs; it sends gzip to clients that
 * accept it.
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
