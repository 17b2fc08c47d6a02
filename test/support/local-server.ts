import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Stands for a server of somebody else, on this machine. */
export class LocalServer {
  protected readonly sockets = new Set<Socket>();

  constructor(protected readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket.on('error', () => undefined)); // 'close' follows
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * @param at a port, or the path of a socket
   * @param host an address of this machine; `0.0.0.0` and `::` for all of them
   */
  async listen(at: number | string = 0, host = '127.0.0.1'): Promise<this> {
    this.server.listen(typeof at === 'string' ? { path: at } : { port: at, host });
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Cuts every connection and takes no new one. */
  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }
}

/** Stands for a site of somebody else. */
export abstract class LocalSite extends LocalServer {
  constructor() {
    super(createServer());
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.answer(request, response);
    });
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): unknown;
}
