import { request as ask, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Server as TlsServer } from 'node:tls';

/** Ends of connections that stay within this process. */
const INNER = new WeakSet<Duplex>();

/** Tells whether a connection comes from this process itself, as part of a request that was counted. */
export function isInner(socket: Duplex) {
  return INNER.has(socket);
}

/** A request that a server gets from its own process. */
interface InnerRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: OutgoingHttpHeaders;
  /** Sent as JSON; undefined for none. */
  body: unknown;
  /** Network address that it counts as coming from. */
  address: string;
}

/** Has a server answer a request without the network. @returns the status, and what its JSON holds; null without any */
export async function askWithin(server: Server, inner: InnerRequest): Promise<{ status: number; body: unknown }> {
  const { method, url: path, headers, body, address } = inner;
  const [here, there] = duplexPair();
  INNER.add(there);
  Object.assign(there, { remoteAddress: address });
  // A pair tells of an end, and of no end by force, as of what the server takes for no request.
  there.once('close', () => {
    if (!there.writableEnded) here.push(null);
  });
  // Past the handshake, where there is TLS.
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', there);
  const sent = body === undefined ? '' : JSON.stringify(body);
  const type = body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, path, headers: { ...headers, ...type }, createConnection: () => here as Socket };
    ask(options, resolve).on('error', reject).end(sent);
  });
  const told = await text(answer);
  here.destroy();
  return { status: answer.statusCode ?? 0, body: told === '' ? null : (JSON.parse(told) as unknown) };
}
