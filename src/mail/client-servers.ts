import { isLoopback, GuardedHttpClient, MINUTE_MS, SECOND_MS, SecretBox } from '../platform/index.js';
import type { Socket } from 'node:net';
import type { Transporter, SendMailOptions } from 'nodemailer';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type SmtpAddress, readSmtpAddress } from '../clients/brands/model/smtp-address.js';
import type { ClientServer } from '../clients/brands/model/brand.entity.js';

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/** Loaded with the first mail, or when a mail server is logged in to. */
export const nodemailer = async () => (await import('nodemailer')).default;

/** How many connections a server gets, and how they are made. */
export interface Connections {
  max: number;
  /** Opens a connection in our place; absent: nodemailer does. */
  open?: () => Promise<Socket>;
  /** How long one stays that sends nothing, in milliseconds; absent: minutes. */
  idleMs?: number;
}

/** Makes the transport that sends mails through a server. */
export async function smtpTransport(
  { secure, host, port, auth }: SmtpAddress,
  { max, open, idleMs }: Connections,
): Promise<Transporter> {
  const { createTransport: create } = await nodemailer();
  return create({
    pool: true,
    maxConnections: max,
    // The delivery's schedule repeats attempts, not the mailer.
    maxRequeues: 0,
    ...{ host, port, secure },
    ...(auth && { requireTLS: !secure && !isLoopback(host), auth }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(idleMs !== undefined && { idleTimeout: idleMs }),
    ...(open && {
      getSocket: (_: unknown, done: (error: Error | null, found?: { connection: Socket }) => void) => {
        open().then(
          (connection) => {
            done(null, { connection });
          },
          (error: unknown) => {
            done(error as Error);
          },
        );
      },
    }),
  });
}

/**
 * Rejects with a clear message when the server does not know STARTTLS: it only says that it does not know the command.
 * @param whose where the address of the server is set
 */
export function explain(error: unknown, whose: string): never {
  const { code, command, responseCode } = error as Record<string, unknown>;
  const isRefused = code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined;
  if (!isRefused) throw error;
  const message = `The mail server in ${whose} offers no STARTTLS, and we do not send a user and password unencrypted. Use smtps://, or leave them out.`;
  throw Object.assign(new Error(message, { cause: error }), { code, responseCode });
}

/** Most connections to the server of a client. */
const CONNECTIONS = 3;
/** Servers that are kept open at a time; the one that was used least lately makes room. */
const OPEN_MAX = 50;
const IDLE_MS = 30 * SECOND_MS;
/** How long a server that cannot be reached is left alone at first and at most; it doubles. */
const AWAY_FIRST_MS = 10 * SECOND_MS;
const AWAY_MAX_MS = 5 * MINUTE_MS;
/** Failures that are remembered. */
const AWAY_SERVERS_MAX = 1_000;

/** How long a mail waits for a connection before it makes room for others, in milliseconds, and how often it looks. */
const PLACE_WAIT_MS = 2 * SECOND_MS;
const PLACE_POLL_MS = 50;
/** Codes of errors that say that a server cannot be reached. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  ...['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROTOCOL'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
]);

/** All connections to the server of a client are in use: the mail is worth another try soon. */
export class ServerBusy extends Error {
  constructor() {
    super("Other emails are on their way through this client's server.");
  }
}

interface Away {
  error: unknown;
  /** When it was noticed, and until when it is left alone, by `performance.now()`. */
  at: number;
  until: number;
  times: number;
}

/**
 * Sends mails through the servers of clients. Each has connections of its own, and one that cannot be reached fails its
 * mails at once for a while: they take the places of other mails no longer than one try does.
 */
@Injectable()
export class ClientServers implements OnApplicationShutdown {
  /** By the sealed address, so that a changed one is another; the last used at the end. */
  private readonly open = new Map<string, Promise<Transporter>>();
  private readonly away = new Map<string, Away>();
  /** Mails on their way, by the sealed address. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly http: GuardedHttpClient,
    private readonly secrets: SecretBox,
  ) {}

  /** Sends a mail, and resolves with what the server replied. Rejects with nodemailer's error, or ForbiddenAddress. */
  async send({ clientId, sealed }: ClientServer, mail: SendMailOptions) {
    const known = this.away.get(sealed);
    if (known && known.until > performance.now()) throw known.error;
    // One mail tries the server; those beside it fail as the last one did.
    if (known) known.until = performance.now() + AWAY_FIRST_MS;
    const giveBack = await this.takePlace(sealed);
    const begun = performance.now();
    try {
      const transport = await this.transportOf(sealed);
      const { response = '' } = (await transport
        .sendMail(mail)
        .catch((error: unknown) => explain(error, `the sender of client ${clientId}`))) as { response?: string };
      this.away.delete(sealed);
      return response;
    } catch (error) {
      this.note(sealed, error, begun);
      throw error;
    } finally {
      giveBack();
    }
  }

  async onApplicationShutdown() {
    for (const sealed of [...this.open.keys()]) await this.close(sealed);
  }

  private transportOf(sealed: string) {
    const known = this.open.get(sealed) ?? this.make(sealed);
    this.open.delete(sealed);
    this.open.set(sealed, known);
    const [oldest] = this.open.keys();
    if (this.open.size > OPEN_MAX && oldest !== undefined) void this.close(oldest);
    known.catch(() => this.open.delete(sealed));
    return known;
  }

  private async make(sealed: string) {
    const address = readSmtpAddress(await this.secrets.open(sealed));
    if (!address) throw new Error('The address of the mail server cannot be read.');
    return smtpTransport(address, {
      max: CONNECTIONS,
      idleMs: IDLE_MS,
      open: () => this.http.connect(address.host, address.port),
    });
  }

  /** Closes the connections to a server; what is on its way is tried again later, as after any failure. */
  private async close(sealed: string) {
    const transport = this.open.get(sealed);
    this.open.delete(sealed);
    (await transport?.catch(() => null))?.close();
  }

  /**
   * Leaves a server alone that cannot be reached; a reply shows that it is there, and a mail that cannot be sent says
   * nothing. Mails that failed beside each other found out one thing.
   */
  private note(sealed: string, error: unknown, begun: number) {
    const { code = '', responseCode } = error as { code?: string; responseCode?: number };
    if (responseCode !== undefined) this.away.delete(sealed);
    if (responseCode !== undefined || !OF_SERVERS.has(code)) return;
    const known = this.away.get(sealed);
    if (known && known.at > begun) return;
    const times = (known?.times ?? 0) + 1;
    const at = performance.now();
    const pauseMs = Math.min(AWAY_FIRST_MS * 2 ** (times - 1), AWAY_MAX_MS);
    if (this.away.size >= AWAY_SERVERS_MAX) this.away.clear();
    this.away.set(sealed, { error, times, at, until: at + pauseMs });
  }

  /** Takes a place for a mail to a server. @returns what gives it back @throws ServerBusy */
  private async takePlace(sealed: string) {
    const until = performance.now() + PLACE_WAIT_MS;
    const taken = () => this.underWay.get(sealed) ?? 0;
    while (taken() >= CONNECTIONS) {
      if (performance.now() > until) throw new ServerBusy();
      await pause(PLACE_POLL_MS);
    }
    this.underWay.set(sealed, taken() + 1);
    return () => {
      if (taken() > 1) this.underWay.set(sealed, taken() - 1);
      else this.underWay.delete(sealed);
    };
  }
}
