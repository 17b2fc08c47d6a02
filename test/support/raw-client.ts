import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection. @param from address of the client, such as 127.0.0.2 */
async function open(url: string, from?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  await once(socket, 'connect');
  return socket;
}

/** Asks with a token, and reads nothing of the answer. @returns the connection */
export async function askOnly(url: string, path: string, secret: string | null): Promise<Socket> {
  const socket = await open(url);
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${String(secret)}\r\n\r\n`);
  return socket;
}

/** Opens a connection on which a test writes any bytes. */
export class RawClient {
  /** Bytes from the server so far, one character each. */
  received = '';
  /** Resolves with all that was said, once the server has closed the connection. */
  readonly closed: Promise<string>;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => (this.received += bytes.toString('latin1')));
    socket.on('error', () => undefined); // a reset is a way to close
    this.closed = once(socket, 'close').then(() => this.received);
  }

  /** @param from address of the client, such as 127.0.0.2 */
  static async to(url: string, from?: string): Promise<RawClient> {
    return new RawClient(await open(url, from));
  }

  write(text: string | Buffer): void {
    if (this.socket.writable) this.socket.write(text);
  }

  /** Writes and waits until the bytes have left. */
  flush(text: string | Buffer): Promise<void> {
    return new Promise((resolve) =>
      this.socket.write(text, () => {
        resolve();
      }),
    );
  }

  /** Resolves when what was said matches; rejects when the connection ends before. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.received)) {
      await Promise.race([
        once(this.socket, 'data'),
        this.closed.then((text) => {
          if (!pattern.test(text)) throw new Error(`The connection ended after: ${text}`);
        }),
      ]);
    }
  }

  /** Ends the connection without a word, as a client that crashed. */
  async abort(): Promise<void> {
    this.socket.resetAndDestroy();
    await this.closed;
  }
}

/** Returns the text of a request. */
export function requestText(path: string, headers: string[], body = ''): string {
  return [`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n');
}
