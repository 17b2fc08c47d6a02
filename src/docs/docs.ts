import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { Mounted, RouteNotFound } from '../platform/http/index.js';
import { apiDocumentText } from './api-document.js';
import { Documentation } from './documentation.js';
import { DOCS_PATH, QUERY_MAX, REFERENCE_PATH, STYLE, STYLE_PATH } from './page.js';

/** Browsers revalidate at each visit, and get 304 unless the content has changed. */
const CHECKED = 'no-cache';
/** For a file whose address changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the documentation as pages and as Markdown, from here alone. Each is made at its first request. */
@Injectable()
export class DocsRoutes {
  private readonly served = new Map<string, ReturnType<typeof serve>>();

  constructor(private readonly documentation: Documentation) {}

  @Mounted()
  mount(app: NestExpressApplication): void {
    const express: Express = app.getHttpAdapter().getInstance();
    const site = () => this.documentation.site();
    const style = serve('css', () => STYLE, FOR_EVER);
    const llms = serve('txt', async () => (await site()).llms());
    const llmsFull = serve('txt', async () => (await site()).llmsFull());
    express.get('/api/openapi.json', serve('json', apiDocumentText));
    express.get(STYLE_PATH, style);
    express.get('/llms.txt', llms);
    express.get('/llms-full.txt', llmsFull);
    for (const path of [DOCS_PATH, `${DOCS_PATH}.md`, `${DOCS_PATH}/*path`]) {
      express.get(path, (request, response) => this.show(request, response));
    }
    // Where the reference was.
    express.get('/api/docs{/*path}', ({ path, originalUrl }, response) => {
      const [, query] = originalUrl.split('?');
      const page = `${REFERENCE_PATH}${path.slice('/api/docs'.length)}`;
      response.redirect(308, query === undefined ? page : `${DOCS_PATH}?${query}`);
    });
  }

  private async show(request: Request, response: Response) {
    const site = await this.documentation.site();
    const address = request.path.replace(/\/$/, '');
    const { q } = request.query;
    if (address === DOCS_PATH && typeof q === 'string' && q.trim() !== '') {
      const html = await site.results(q.trim().slice(0, QUERY_MAX));
      response.set('Cache-Control', CHECKED).type('html').send(html);
      return;
    }
    const page = site.pages.get(address.replace(/\.md$/, ''));
    if (!page) throw new RouteNotFound();
    response.vary('Accept');
    const isMarkdown = address.endsWith('.md') || request.accepts('html', 'text/markdown') === 'text/markdown';
    const type = isMarkdown ? 'md' : 'html';
    const key = `${page.path}.${type}`;
    const handler = this.served.get(key) ?? serve(type, () => (isMarkdown ? site.markdown(page) : site.html(page)));
    this.served.set(key, handler);
    await handler(request, response);
  }
}

/**
 * Returns a handler for a text that does not change while the process runs; it sends gzip to clients that accept it.
 * @param type ending of a file with such a text
 */
function serve(type: string, make: () => string | Promise<string>, caching = CHECKED) {
  let made: { plain: Buffer; gzip: Buffer; tag: string } | null = null;
  return async (request: Request, response: Response) => {
    made ??= prepare(await make());
    const packed = request.acceptsEncodings('gzip') === 'gzip';
    response.vary('Accept-Encoding').type(type).set({ 'Cache-Control': caching, ETag: made.tag });
    if (packed) response.set('Content-Encoding', 'gzip');
    if (request.fresh) response.status(304).end();
    else response.send(packed ? made.gzip : made.plain);
  };
}

function prepare(text: string): { plain: Buffer; gzip: Buffer; tag: string } {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzip: gzipSync(plain, { level: 9 }), tag };
}
