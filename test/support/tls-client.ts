import { Agent, request, type RequestOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** An answer, and what is known of the connection. */
export interface TlsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Serial number of the certificate that the connection was opened with. */
  serial: string;
  /** Port of the client: the same for the same connection. */
  from: number;
}

/** Returns an agent that keeps one connection open. */
export const keptConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks a server on this machine, and rejects when its certificate is not of that authority, or not for that name. */
export function askTls(
  url: string,
  ca: string,
  options: RequestOptions & { name?: string; body?: string } = {},
): Promise<TlsAnswer> {
  const { name, body, ...others } = options;
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca, agent: false, ...(name ? { servername: name } : {}), ...others }, (response) => {
      const socket = response.socket as TLSSocket;
      const { serialNumber: serial } = socket.getPeerCertificate();
      const from = socket.localPort ?? 0;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, serial, from });
      });
    });
    asked.on('error', reject).end(body);
  });
}
