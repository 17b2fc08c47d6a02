import ipaddr from 'ipaddr.js';
import type { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { SmtpAddress } from '../brands/model/smtp-address.js';

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
      getSocket: (
        _: unknown,
        done: (error: Error | null, found?: { connection: Socket }) => void,
      ) => {
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

/** Tells whether a host is this machine, so that nothing crosses a network. */
function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/**
 * Rejects with a clear message when the server does not know STARTTLS: it only says that it does not know the
 * command.
 * @param whose where the address of the server is set
 */
export function explain(error: unknown, whose: string): never {
  const { code, command, responseCode } = error as Record<string, unknown>;
  const isRefused = code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined;
  if (!isRefused) throw error;
  const message = `The mail server in ${whose} offers no STARTTLS, and we do not send a user and password unencrypted. Use smtps://, or leave them out.`;
  throw Object.assign(new Error(message, { cause: error }), { code, responseCode });
}
