import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyaddr from 'proxy-addr';
import { Logger, Injectable } from '@nestjs/common';
import type { TlsOptions } from 'node:tls';
import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { isInner } from './inner-requests.js';
import type { Config } from '../../config/config.js';
import { MINUTE_MS } from '../../kernel/time.js';
import { UnderWay, histogramsBy, histogram, Measured } from '../../metrics/metrics.js';

const IPV6_GROUPS = 8;
const IPV6_NETWORK_GROUPS = 4;

/**
 * Returns the visitor's address as the trusted proxies name it. A name that is no address is skipped for
 * the nearest one that is. Empty when the connection is closed already.
 */
export function addressOf(request: IncomingMessage, config: Config) {
  if (config.http.trustProxy === 'off') return plainAddress(request.socket.remoteAddress);
  const named = proxyaddr.all(request, config.http.trustedProxies).map(plainAddress);
  return named.findLast((address) => isIP(address) !== 0) ?? '';
}

/** Returns an address without its zone, and an IPv4 address that a socket writes as IPv6 as IPv4. */
export function plainAddress(address: string | undefined) {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
}

/** Returns the first 64 bits of an IPv6 address, since a subscriber has all of them; an IPv4 address as it is. */
export function networkOf(address: string) {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : IPV6_GROUPS - groups.length - tail.split(':').length;
  const all = [...groups, ...Array<string>(Math.max(missing, 0)).fill('0'), ...(tail ?? '').split(':')];
  return all
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16))
    .join(':');
}

/**
 * Largest head of a request. Node's own 16 KiB are less than a query string with 500 ids of forms,
 * each under its percent-encoded name.
 */
const HEAD_LIMIT_BYTES = 32 * 1024;
/**
 * Life of an idle connection in milliseconds: longer than the 60 s of nginx and most load balancers. A
 * request that a proxy sends while we close the connection is lost, and proxies do not repeat a POST.
 */
const KEEP_ALIVE_MS = 65_000;
/** How often the server looks for connections that take too long, in milliseconds. */
const TIMEOUT_CHECK_MS = 1_000;
/**
 * Longest wait for a client that reads nothing of its response, in milliseconds: a telephone may lose its
 * network for less.
 */
const STALLED_ANSWER_MS = MINUTE_MS;
/** Shortest time between two warnings about refused connections, in milliseconds. */
const WARN_EVERY_MS = MINUTE_MS;

/** Returns how long and how much a server listens to one client. */
export function boundedOptions({ http }: Config): ServerOptions & TlsOptions {
  return {
    maxHeaderSize: HEAD_LIMIT_BYTES,
    // Node refuses a longer time for the headers than for the whole.
    headersTimeout: Math.min(http.headerTimeoutMs, http.bodyTimeoutMs),
    handshakeTimeout: http.headerTimeoutMs,
    requestTimeout: http.bodyTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
}

/** Closes connections that take too long, and refuses any from a network that has too many. */
export function boundServer(server: Server, config: Config) {
  cutStalled(server);
  boundConnections(server, config);
}

/** Closes connections whose client reads nothing of its response. Node closes idle ones by itself. */
function cutStalled(server: Server) {
  server.setTimeout(STALLED_ANSWER_MS, (socket: Socket) => {
    const isIdle = socket.timeout !== server.timeout; // Node has set the time of a kept connection
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(server.timeout); // a handler is at work
  });
}

/** Refuses connections of a network that has too many. A trusted proxy speaks for many networks. */
function boundConnections(server: Server, config: Config) {
  const { maxConnectionsPerAddress, trustedProxies } = config.http;
  if (maxConnectionsPerAddress === 0) return;
  const logger = new Logger('Connections');
  const open = new UnderWay<string>();
  let warnedAt = -Infinity;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    if (isInner(socket) || trustedProxies(address, 0)) return;
    const network = networkOf(address);
    if (open.begin(network) > maxConnectionsPerAddress) {
      open.end(network);
      socket.destroy();
      const now = performance.now();
      if (now - warnedAt < WARN_EVERY_MS) return;
      warnedAt = now;
      logger.warn('Connections are refused: one address has too many', {
        hint: 'If they come through a proxy, set TRUST_PROXY',
      });
      return;
    }
    socket.once('close', () => {
      open.end(network);
    });
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const logger = new Logger('Request');

/**
 * Gives every request an id, from `X-Request-Id` when that is a UUID. Once the request is answered it logs
 * a line and records its duration. Both name the route and not the path, which may contain personal data.
 */
export function requestLog(requestMetrics: RequestMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const id = requestIdGiven(request.headers['x-request-id']);
    const begin = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    response.on('close', () => {
      const { method } = request;
      const route = (request.route as { path?: string } | undefined)?.path ?? null;
      const status = response.writableFinished ? response.statusCode : null;
      const ms = performance.now() - begin;
      requestMetrics.record(method, route, status, ms);
      logger.log('Answered', { requestId: id, method, route, status, ms: roundedMs(ms) });
    });
    next();
  };
}

/** Returns the id that came with a request when it is a UUID, else a new one. */
export function requestIdGiven(header: string | string[] | undefined) {
  return typeof header === 'string' && UUID.test(header) ? header : randomUUID();
}

/** Rounds milliseconds for the log to tenths. */
export function roundedMs(ms: number) {
  return Math.round(ms * 10) / 10;
}

/** Returns the id that `requestLog` gave the request. */
export function requestIdOf(response: Response) {
  return String(response.locals.requestId ?? randomUUID());
}

const DURATION_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Methods that get a label of their own; all others share one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts answered requests by method, route and status, never by address. */
@Injectable()
export class RequestMetrics {
  private readonly durations = histogramsBy(DURATION_BOUNDS_SECONDS, 'method', 'route', 'status');

  @Measured()
  metrics() {
    return [
      histogram(
        'fcs_http_request_duration_seconds',
        'Requests by method, route and class of status, and how long their answers took.',
        this.durations,
      ),
    ];
  }

  /**
   * Counts an answered request.
   * @param route as it was declared, such as `/f/:identifier`; null when none matched
   * @param status null when the client left before the answer
   */
  record(method: string, route: string | null, status: number | null, ms: number) {
    const known = METHODS.has(method) ? method : 'other';
    const family = status === null ? 'aborted' : `${Math.floor(status / 100)}xx`;
    this.durations.of(known, route ?? 'none', family).observe(ms / 1_000);
  }
}

/** Tells whether a request has a body (RFC 9112, section 6). */
export function hasBody({ headers }: IncomingMessage) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Tells whether an Accept header names `text/html`. Wildcards do not count: a page is for clients that ask for one. */
export function acceptsHtmlByName(accept: string | undefined) {
  return /\btext\/html\b/i.test(accept ?? '');
}
