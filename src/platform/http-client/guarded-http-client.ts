import type { OnApplicationShutdown } from '@nestjs/common';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket, connect, type TcpNetConnectOpts } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import type { Config } from '../config/config.js';
import { InvalidInputError } from '../kernel/errors.js';
import ipaddr from 'ipaddr.js';
import os from 'node:os';
import type { Network } from '../config/addresses.js';

/** An address that is set leads where no call goes. */
export class PrivateAddress extends InvalidInputError {
  /** @param field that has the address */
  constructor(field: string, url: string) {
    const { hostname } = new URL(url);
    const message = `${field} leads to ${hostname}, which is not a public address. Ask the operator to add it to WEBHOOK_ALLOWED_NETWORKS.`;
    super('private_address', message, [{ field, code: 'private_address', message }]);
  }
}

/** Longest call, connection and wait for the headers, in milliseconds. GitHub too gives receivers of webhooks 10 s. */
const CALL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Longest wait for a name when an address is saved, in milliseconds; whoever saves it waits too. */
const LOOK_TIMEOUT_MS = 1_000;
/** Names that are looked up at once for who saves them: one that hangs keeps a thread that others need for seconds. */
const LOOKS_MAX = 2;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longest part of a response that is read, in bytes. */
const BODY_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;
/** Connections to one host at a time, unless it can take more: a call that waits for one would run out of its time. */
const CONNECTIONS = 12;

/** Loaded with the first call: most instances make none, and it takes memory and time at the start. */
const undici = () => import('undici');

/** Name by which calls say who makes them. */
export const USER_AGENT = 'Form-Collection-Service/1';

/** The address may not be called. */
class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address, and WEBHOOK_ALLOWED_NETWORKS does not list it.`);
  }
}

/** Tells whether an error of a call is that its address may not be called. */
export function isForbidden(error: unknown) {
  const { cause } = error as { cause?: unknown };
  return error instanceof ForbiddenAddress || cause instanceof ForbiddenAddress;
}

/** The response to a call. */
export interface Reply {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** The beginning of the body, as text. */
  body: string;
}

/** The response to a GET, whose body comes yet. */
export interface Download {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: AsyncIterable<Buffer>;
  /** Lets go of the connection, whatever has come of the body. */
  close: () => void;
}

/** Resolves a name to addresses; replaced in tests. */
type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * Calls addresses that users chose. It checks the addresses of a name before it connects, and the
 * connected socket again, so that neither a literal address nor a changing name leads inside. It follows no
 * redirects, cuts long responses, and limits the time of every step.
 */
export class GuardedHttpClient implements OnApplicationShutdown {
  resolve: Resolve = resolveName;
  private agent: Promise<Agent> | null = null;
  /** How many names are looked up for who saves them. */
  private looks = 0;

  /** @param connections to one host at a time */
  constructor(
    private readonly config: Config,
    private readonly connections = CONNECTIONS,
  ) {}

  /**
   * Sends a POST.
   * @param signal aborts the call early
   * @throws ForbiddenAddress, the reason of `signal`, or the error of the network; a time-out is a
   * DOMException `TimeoutError`
   */
  async post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Reply> {
    const { request } = await undici();
    const dispatcher = await (this.agent ??= this.createAgent());
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const { statusCode, headers: answered } = response;
    return { status: statusCode, headers: answered, body: await firstBytes(response.body) };
  }

  /**
   * Sends a GET.
   * @param signal aborts the call, and the body while it comes; nothing else limits how long that takes
   * @throws ForbiddenAddress, the reason of `signal`, or the error of the network
   */
  async get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Download> {
    const { request } = await undici();
    const dispatcher = await (this.agent ??= this.createAgent());
    const answer = await request(url, { method: 'GET', headers, dispatcher, signal });
    const { statusCode: status, headers: answered, body } = answer;
    body.on('error', () => undefined); // whoever reads it gets the error
    return { status, headers: answered, body, close: () => void body.destroy() };
  }

  /**
   * Sends a GET, and reads the beginning of its body.
   * @throws as `post()` does
   */
  async read(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const { body, ...reply } = await this.get(url, headers, limited);
    return { ...reply, body: await firstBytes(body) };
  }

  /**
   * Tells whether a URL leads to an address that is not called, as far as is known now: a name that does not
   * resolve in a second, or is not looked up while others hang, may lead anywhere later. Each call checks again.
   */
  async leadsInside(url: string) {
    const host = hostOf(new URL(url).hostname);
    if (isIP(host) !== 0) return !this.isAllowed(host);
    if (this.looks >= LOOKS_MAX) return false;
    this.looks++;
    const resolved = this.resolve(host).finally(() => this.looks--);
    const late = setTimeout(LOOK_TIMEOUT_MS, [], { ref: false });
    const addresses = await Promise.race([resolved, late]).catch(() => []);
    return !addresses.every(({ address }) => this.isAllowed(address));
  }

  /**
   * Opens a connection to a server that is not one of HTTP.
   * @param host a name, or an address without brackets
   * @throws ForbiddenAddress, or the error of the network
   */
  async connect(host: string, port: number): Promise<Socket> {
    if (isIP(host) !== 0 && !this.isAllowed(host)) throw new ForbiddenAddress(host);
    const lookup = this.guardedLookup;
    const socket = await openSocket({ host, port, lookup }, CONNECT_TIMEOUT_MS);
    if (this.isAllowed(socket.remoteAddress ?? '')) return socket;
    socket.destroy();
    throw new ForbiddenAddress(host);
  }

  async onApplicationShutdown() {
    await (await this.agent)?.destroy();
  }

  private async createAgent() {
    const { Agent, buildConnector } = await undici();
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: this.guardedLookup });
    return new Agent({
      connect: (options, callback) => {
        const host = hostOf(options.hostname);
        if (isIP(host) !== 0 && !this.isAllowed(host)) {
          callback(new ForbiddenAddress(host), null);
          return;
        }
        connect(options, (error, socket) => {
          if (error) callback(error, null);
          else if (this.isAllowed(socket.remoteAddress ?? '')) callback(null, socket);
          else {
            socket.destroy();
            callback(new ForbiddenAddress(host), null);
          }
        });
      },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: CALL_TIMEOUT_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      connections: this.connections,
      keepAliveTimeout: 1_000,
    });
  }

  private isAllowed(address: string) {
    return isAllowedAddress(address, this.config.deliveries.allowedNetworks);
  }

  /** Looks a name up and refuses it when any of its addresses is forbidden, not only the one it would use. */
  private readonly guardedLookup: LookupFunction = (host, options, callback) => {
    this.resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => this.isAllowed(address))) {
          callback(new ForbiddenAddress(host), '');
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, '');
      },
    );
  };
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
function hostOf(hostname: string) {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Reads the beginning of a body. A body that breaks off is no error, since only the status counts. */
async function firstBytes(body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop lets go of the connection.
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= BODY_MAX_BYTES) break;
    }
  } catch {
    // the beginning that came is enough
  }
  return Buffer.concat(chunks).subarray(0, BODY_MAX_BYTES).toString('utf8');
}

function resolveName(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

/** Opens a connection, and gives up after a time. Its errors from then on are for who has it. */
function openSocket(options: TcpNetConnectOpts, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const late = () => {
      fail(Object.assign(new Error('The connection took too long.'), { code: 'ETIMEDOUT' }));
    };
    socket.setTimeout(timeoutMs, late);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0, late);
      socket.off('timeout', late);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Networks that ipaddr.js takes for public, but that lead elsewhere. */
const DENIED: Network[] = [
  ipaddr.parseCIDR('168.63.129.16/32'), // the host of a virtual machine at Azure
  ipaddr.parseCIDR('::/96'), // IPv4-compatible addresses (deprecated by RFC 4291)
  ipaddr.parseCIDR('64:ff9b::/96'), // leads to any IPv4 address (RFC 6052)
  ipaddr.parseCIDR('64:ff9b:1::/48'), // the same within a site (RFC 8215)
  ipaddr.parseCIDR('2002::/16'), // carries an IPv4 address (RFC 3056)
];

/**
 * Tells whether a call may go to this address: it is public unicast and not this machine's own, or in a
 * network that the operator allows.
 * @param text an IP address; anything else is refused
 */
export function isAllowedAddress(text: string, allowed: Network[]) {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text.replace(/%.*/s, ''));
  if (isIn(address, allowed)) return true;
  return address.range() === 'unicast' && !isIn(address, DENIED) && !isOwn(address);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: Network[]) {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Tells whether an address is this machine's own, which may be a public one. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6) {
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.process(own.address.replace(/%.*/s, '')).toString() === address.toString());
}
