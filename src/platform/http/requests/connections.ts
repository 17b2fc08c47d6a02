import { Logger } from '@nestjs/common';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config.js';
import { networkOf, plainAddress } from './address.js';
import { MINUTE_MS } from '../../kernel/time/durations.js';

/**
 * Longest wait for a client that reads nothing of its response, in milliseconds: a telephone may lose its
 * network for less.
 */
const STALLED_ANSWER_MS = MINUTE_MS;
/** Shortest time between two warnings about refused connections, in milliseconds. */
const WARN_EVERY_MS = MINUTE_MS;

/** Closes connections whose client reads nothing of its response. Node closes idle ones by itself. */
export function cutStalled(server: Server): void {
  server.setTimeout(STALLED_ANSWER_MS, (socket: Socket) => {
    const isIdle = socket.timeout !== server.timeout; // Node has set the time of a kept connection
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(server.timeout); // a handler is at work
  });
}

/** Refuses connections of a network that has too many. A trusted proxy speaks for many networks. */
export function boundConnections(server: Server, config: Config): void {
  const { maxConnectionsPerAddress, trustedProxies } = config.http;
  if (maxConnectionsPerAddress === 0) return;
  const logger = new Logger('Connections');
  const open = new Map<string, number>();
  let warnedAt = -Infinity;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    if (trustedProxies(address, 0)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      socket.destroy();
      const now = performance.now();
      if (now - warnedAt < WARN_EVERY_MS) return;
      warnedAt = now;
      logger.warn('Connections are refused: one address has too many', {
        hint: 'If they come through a proxy, set TRUST_PROXY',
      });
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
