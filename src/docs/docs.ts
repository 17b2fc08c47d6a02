import { Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { Asset, CHECKED, FOR_EVER, Mounted, RouteNotFound } from '../platform/http/index.js';
import { apiDocumentText } from './api-document.js';
import { Documentation } from './documentation.js';
import { DOCS_PATH, QUERY_MAX, STYLE, STYLE_PATH } from './page.js';

/** Serves the documentation as pages and as Markdown, from here alone. Each is made at its first request. */
@Injectable()
export class DocsRoutes {
  private readonly served = new Map<string, ReturnType<typeof serve>>();

  constructor(private readonly documentation: Documentation) {}

  @Mounted()
  mount(app: NestExpressApplication): void {
    const express: Express = app.getHttpAdapter().getInstance();
    const site = () => this.documentation.site();
    const style = serve('text/css', () => STYLE, FOR_EVER);
    const llms = serve('text/plain', async () => (await site()).llms());
    const llmsFull = serve('text/plain', async () => (await site()).llmsFull());
    express.get('/api/openapi.json', serve('application/json', apiDocumentText));
    express.get(STYLE_PATH, style);
    express.get('/llms.txt', llms);
    express.get('/llms-full.txt', llmsFull);
    for (const path of [DOCS_PATH, `${DOCS_PATH}.md`, `${DOCS_PATH}/*path`]) {
      express.get(path, (request, response) => this.show(request, response));
    }
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
    const type = isMarkdown ? 'text/markdown' : 'text/html';
    const key = `${page.path}.${type}`;
    const handler = this.served.get(key) ?? serve(type, () => (isMarkdown ? site.markdown(page) : site.html(page)));
    this.served.set(key, handler);
    await handler(request, response);
  }
}

/** Returns a handler for a text that stays the same while the process runs. @param type its media type, all in UTF-8 */
function serve(type: string, make: () => string | Promise<string>, caching = CHECKED) {
  let made: Asset | undefined;
  return async (request: Request, response: Response) => {
    made ??= new Asset(`${type}; charset=utf-8`, Buffer.from(await make()));
    made.send(request, response, caching);
  };
}
