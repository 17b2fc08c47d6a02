import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../../config/config.js';
import { addressOf, networkOf } from '../requests/requests.js';
import { BodyTooSlow, TooManyBodies, TooManyBodiesOfAccount, TooManyBodiesOfNetwork } from '../errors/http.errors.js';

/** Largest body of an API request, in bytes; submissions have limits of their own. */
export const API_BODY_LIMIT_BYTES = 1024 * 1024;
/** The same of routes that take long lists. */
export const LONG_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Largest form of a page before sign-in, in bytes: it has a name, an address, a password and a link. */
export const STRANGERS_FORM_LIMIT_BYTES = 16 * 1024;

/** Most bytes of one client, token or person: the longest body, a quarter of what its account has. */
const HOLDER_MAX_BYTES = LONG_BODY_LIMIT_BYTES;
/** Most bytes of one account, and of all who have not signed in: a quarter of what there is. */
const ACCOUNT_MAX_BYTES = 4 * HOLDER_MAX_BYTES;
/** Most bytes of request bodies in memory. Parsed they take several times as much. */
const ALL_MAX_BYTES = 4 * ACCOUNT_MAX_BYTES;
/** Most bodies of one network before sign-in. */
const NETWORK_MAX_BODIES = 64;
/** Largest body that has to arrive within `SMALL_BODY_MS`, in bytes. */
const SMALL_BODY_BYTES = STRANGERS_FORM_LIMIT_BYTES;
/** Longest time for a small body, in milliseconds: a telephone with one bar sends 16 KiB in less. */
const SMALL_BODY_MS = 5_000;

/** A request that the guards have passed. */
export type AdmittedRequest = IncomingMessage & { user?: Holder };

interface Holder {
  readonly accountId: number;
  readonly clientId: number | null;
  readonly actor: { readonly kind: string; readonly id: number | null };
}

/** Bounds of the bodies that holders of one name have under way at once. */
interface Share {
  readonly name: string;
  readonly maxBytes: number;
  readonly maxBodies?: number;
  readonly Refusal: new () => Error;
}

interface Use {
  bodies: number;
  bytes: number;
}

/** Limits the memory that bodies of API requests take while they are read. */
@Injectable()
export class BodiesUnderWay {
  private readonly uses = new Map<string, Use>();

  constructor(private readonly config: Config) {}

  /**
   * Admits a body before it is read, when as much as it announces is free. Bytes count once they have arrived:
   * who only announces them takes nothing from others.
   * @param limit largest body, in bytes
   * @throws TooManyBodiesOfAccount, TooManyBodiesOfNetwork, TooManyBodies
   */
  begin(request: AdmittedRequest, limit: number): BodyUnderWay {
    const announced = request.headers['content-length'];
    const isSmall = Math.min(Number(announced ?? limit), limit) <= SMALL_BODY_BYTES;
    return new BodyUnderWay(
      this.uses,
      this.sharesOf(request),
      Math.min(Number(announced ?? 0), limit),
      isSmall ? SMALL_BODY_MS : this.config.http.bodyTimeoutMs,
    );
  }

  private sharesOf(request: AdmittedRequest): Share[] {
    const all = { name: 'all', maxBytes: ALL_MAX_BYTES, Refusal: TooManyBodies };
    if (request.user) return [...sharesOfHolder(request.user), all];
    const network = networkOf(addressOf(request, this.config));
    return [
      {
        name: `network ${network}`,
        maxBytes: NETWORK_MAX_BODIES * STRANGERS_FORM_LIMIT_BYTES,
        maxBodies: NETWORK_MAX_BODIES,
        Refusal: TooManyBodiesOfNetwork,
      },
      { name: 'strangers', maxBytes: ACCOUNT_MAX_BYTES, Refusal: TooManyBodies },
      all,
    ];
  }
}

/** Returns the shares of a token or person, of its client if it has one, and of the account. */
function sharesOfHolder({ accountId, clientId, actor }: Holder): Share[] {
  const account = `account ${accountId}`;
  const holders = [`${account} ${actor.kind} ${String(actor.id)}`];
  if (clientId !== null) holders.push(`${account} client ${clientId}`);
  return [
    ...holders.map((name) => ({ name, maxBytes: HOLDER_MAX_BYTES, Refusal: TooManyBodiesOfAccount })),
    { name: account, maxBytes: ACCOUNT_MAX_BYTES, Refusal: TooManyBodiesOfAccount },
  ];
}

/** A body while it is read. `end` is called once it has been. */
export class BodyUnderWay {
  private bytes = 0;
  private stop: (() => void) | null = null;

  /**
   * @param announced bytes that have to be free
   * @param deadlineMs after which it is refused
   */
  constructor(
    private readonly uses: Map<string, Use>,
    private readonly shares: readonly Share[],
    announced: number,
    private readonly deadlineMs: number,
  ) {
    this.assertFree(announced, 1);
    this.count(0, 1);
  }

  /** Counts what arrives, as soon as a parser has begun to read; `refuse` is told what is too much or too late. */
  watch(request: IncomingMessage, refuse: (error: Error) => void) {
    if (this.stop || request.readableFlowing !== true) return;
    const take = ({ length }: Buffer) => {
      try {
        this.assertFree(length, 0);
        this.count(length, 0);
      } catch (error) {
        refuse(error as Error);
      }
    };
    const timer = setTimeout(() => {
      refuse(new BodyTooSlow());
    }, this.deadlineMs);
    request.on('data', take);
    this.stop = () => {
      clearTimeout(timer);
      request.off('data', take);
    };
  }

  end() {
    this.stop?.();
    this.count(-this.bytes, -1);
  }

  private assertFree(bytes: number, bodies: number) {
    for (const { name, maxBytes, maxBodies = Infinity, Refusal } of this.shares) {
      const use = this.uses.get(name) ?? { bodies: 0, bytes: 0 };
      if (use.bytes + bytes > maxBytes || use.bodies + bodies > maxBodies) throw new Refusal();
    }
  }

  private count(bytes: number, bodies: number) {
    this.bytes += bytes;
    for (const { name } of this.shares) {
      const use = this.uses.get(name) ?? { bodies: 0, bytes: 0 };
      use.bytes += bytes;
      use.bodies += bodies;
      if (use.bodies > 0) this.uses.set(name, use);
      else this.uses.delete(name);
    }
  }
}

/** Most bytes of a refused body that are read, more than the default upload; then the connection is closed. */
const DISCARD_BYTES_MAX = 64 * 1024 * 1024;

/** Reads and drops the rest of a body, since many clients read the response only after they have sent everything. */
export function discardBody(request: IncomingMessage) {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES_MAX) request.destroy();
  });
  request.resume();
}

/** Holds what has come of a body. */
export class BodyBeginning {
  private readonly chunks: Buffer[] = [];
  bytes = 0;

  add(chunk: Buffer) {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  get all(): Buffer {
    const [first] = this.chunks;
    return this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks, this.bytes);
  }
}

/**
 * Shows the beginning of a body, more and more of it until there is enough, and puts back what it has read.
 * @param isEnough looks at what has come so far, and is told once that is all of it
 */
export async function peek(request: IncomingMessage, isEnough: (body: BodyBeginning, isWhole: boolean) => boolean) {
  const body = new BodyBeginning();
  const sees = (): boolean => {
    // To read when nothing is left would end the stream.
    while (request.readableLength > 0) {
      const chunk = request.read() as Buffer | null;
      if (chunk === null) break;
      body.add(chunk);
    }
    return isEnough(body, request.complete) || request.complete || request.destroyed;
  };
  // In the same turn, or the stream would end.
  const putBack = (): void => {
    if (body.bytes > 0) request.unshift(body.all);
  };
  if (sees()) {
    putBack();
    return;
  }
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!sees()) return;
      request.off('readable', look).off('close', look);
      putBack();
      resolve();
    };
    request.on('readable', look).once('close', look);
  });
}
