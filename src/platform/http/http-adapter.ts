import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.js';
import { boundedOptions, boundServer } from './requests/connections.js';

/** Answers some requests itself, before Express sees them; `pre-routes.ts` lists which. */
interface PreRouter {
  /** Answers a request; returns false to leave it to Express. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Runs one HTTP server with a handler in front of Express, and time-outs for slow clients. */
export class HttpAdapter extends ExpressAdapter {
  private preRouter: PreRouter | null = null;

  constructor(private readonly config: Config) {
    super();
  }

  mountBeforeRouter(preRouter: PreRouter): void {
    this.preRouter = preRouter;
  }

  /**
   * Sends what a handler returned. JSON goes out without what Express does for other answers: it looks at types
   * and at the caches of clients, which takes 5 % of a read.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (!isJson(body) || response.statusCode === 204 || response.hasHeader('Content-Type')) {
      return super.reply(response, body);
    }
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  override initHttpServer(): void {
    const express =
      this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      // While shutting down, close each keep-alive connection after its current response.
      if (!this.httpServer.listening) response.shouldKeepAlive = false;
      if (isAmbiguous(request)) {
        response.writeHead(400, { Connection: 'close' }).end();
        return;
      }
      request.url = originForm(request.url);
      if (!this.preRouter?.handle(request, response)) express(request, response);
    };
    const options = boundedOptions(this.config);
    // Its certificate comes from `Certificates`.
    this.httpServer = this.config.tls.isOn
      ? createTlsServer(options, answer)
      : createServer(options, answer);
    boundServer(this.httpServer, this.config);
  }
}

function isJson(body: unknown): boolean {
  const isOther = body instanceof StreamableFile || body instanceof Error;
  return typeof body === 'object' && body !== null && !isOther;
}

/** Returns the path and query of an address that a proxy sent as a whole (RFC 9112, section 3.2.2). */
function originForm(url = '/'): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
}

/** Tells whether a proxy might read the request differently (RFC 9112, sections 3.2 and 6.1). */
function isAmbiguous({ headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
