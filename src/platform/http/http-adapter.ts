import compression from 'compression';
import type { RequestHandler, Response } from 'express';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { hook } from '../hooks/hooks.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.js';
import { boundedOptions, boundServer } from './requests/requests.js';

/** Smaller bodies gain nothing, in bytes. */
const THRESHOLD_BYTES = 1_024;

/** Pages and objects of the API. Event streams must not wait, and downloads may be asked for in ranges. */
const COMPRESSED = /^(?:text\/html|application\/(?:problem\+)?json)\b/;

/**
 * Compresses what is read. Whoever can send guesses along with a secret learns of it by the length of what is compressed
 * (BREACH), so what shows a secret stays as it is: answers to anything but GET, which is where new ones are shown,
 * and what says `no-transform`.
 */
export function compressed(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES,
    filter: ({ method }, response) => {
      const type = response.getHeader('Content-Type');
      return method === 'GET' && typeof type === 'string' && COMPRESSED.test(type);
    },
  });
}

/** Puts what a room answers outside of its controllers into the application, before it listens. */
export const Mounted = hook<(app: NestExpressApplication) => void>();

/** Answers some requests itself, such as SUBMIT_ROUTE's, before Express sees them. */
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

  mountBeforeRouter(preRouter: PreRouter) {
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

  override initHttpServer() {
    const express = this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
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
    this.httpServer = this.config.tls.isOn ? createTlsServer(options, answer) : createServer(options, answer);
    boundServer(this.httpServer, this.config);
  }
}

function isJson(body: unknown) {
  const isOther = body instanceof StreamableFile || body instanceof Error;
  return typeof body === 'object' && body !== null && !isOther;
}

/** Returns the path and query of an address that a proxy sent as a whole (RFC 9112, section 3.2.2). */
function originForm(url = '/') {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
}

/** Tells whether a proxy might read the request differently (RFC 9112, sections 3.2 and 6.1). */
function isAmbiguous({ headers, rawHeaders }: IncomingMessage) {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/**
 * The headers that helmet sends by default, without `upgrade-insecure-requests`, which would break pages
 * where the service is reached over http. They are a table, since helmet's chain of handlers takes longer
 * than our routing; a test compares the two.
 */
const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';" +
      "frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';" +
      "script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
];

/** Asks browsers for https for a year, on this host alone: others of its domain may have none. */
export const HTTPS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/**
 * Returns the headers of every answer, with Strict-Transport-Security only where BASE_URL is https.
 * @returns names in their usual spelling, with their values
 */
export function securityHeadersOf({ baseUrl }: Pick<Config, 'baseUrl'>): Map<string, string> {
  const https = baseUrl.startsWith('https:');
  return new Map(https ? [...SECURITY_HEADERS, HTTPS_ONLY] : SECURITY_HEADERS);
}

/** Matches addresses of the API. Caches may not keep its answers: each is for one caller at one moment. */
const API = /^\/api(?:[/?]|$)/i;

/**
 * Sets the headers of every answer. A handler of its own for the API, under its path, would have Express take the
 * address apart and put it together again.
 */
export function securityHeaders(config: Config): RequestHandler {
  const headers = securityHeadersOf(config);
  return (request, response, next) => {
    response.setHeaders(headers);
    if (API.test(request.url)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}

/** A route that is answered before Express's router, which would take more time than the answer. */
interface PreRoute {
  /** The route in Express's spelling, for logs and metrics. */
  route: string;
  /** Matches as Express would: in any case of letters. The case of the parameter counts. */
  path: RegExp;
  methods: readonly string[];
}

/** The route that takes submissions. */
export const SUBMIT_ROUTE: PreRoute = {
  route: '/f/:identifier',
  path: /^\/f\/([^/?]*)\/?(?:\?.*)?$/is,
  methods: ['OPTIONS', 'POST'],
};

/** Returns the methods that are answered at this path before the router. */
export function preRouteMethods(path: string): readonly string[] {
  return SUBMIT_ROUTE.path.test(path) ? SUBMIT_ROUTE.methods : [];
}
