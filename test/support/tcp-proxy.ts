import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A link to a server that a test can cut: what comes in on `port` is passed on. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((inner) => {
    const outer = connect(this.targetPort, this.targetHost);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  });

  private constructor(
    private readonly targetHost: string,
    private readonly targetPort: number,
  ) {}

  /** Opens a link to where a database URL points. */
  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy(hostname, Number(port || 3306));
    await proxy.listen(0);
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The URL, but through this link. */
  through(url: string): string {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${this.port}`;
    return changed.href;
  }

  /** Cuts every connection and takes no new one. */
  async cut(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }
}
