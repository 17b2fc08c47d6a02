import { Logger } from '@nestjs/common';
import type { Server, ServerOptions } from 'node:http';
import type { TlsOptions } from 'node:tls';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config.js';
import { networkOf, plainAddress } from './address.js';
import { MINUTE_MS } from '../../kernel/time/durations.js';
import { UnderWay } from '../../kernel/under-way.js';

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

/** Closes connections that take too long, and refuses those of a network that has too many. */
export function boundServer(server: Server, config: Config): void {
  cutStalled(server);
  boundConnections(server, config);
}

/** Closes connections whose client reads nothing of its response. Node closes idle ones by itself. */
function cutStalled(server: Server): void {
  server.setTimeout(STALLED_ANSWER_MS, (socket: Socket) => {
    const isIdle = socket.timeout !== server.timeout; // Node has set the time of a kept connection
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(server.timeout); // a handler is at work
  });
}

/** Refuses connections of a network that has too many. A trusted proxy speaks for many networks. */
function boundConnections(server: Server, config: Config): void {
  const { maxConnectionsPerAddress, trustedProxies } = config.http;
  if (maxConnectionsPerAddress === 0) return;
  const logger = new Logger('Connections');
  const open = new UnderWay<string>();
  let warnedAt = -Infinity;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    if (trustedProxies(address, 0)) return;
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
