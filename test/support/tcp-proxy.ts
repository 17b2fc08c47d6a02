import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A link to a server that a test can cut or silence: what comes in on `port` is passed on. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  /** What waits for the end of a silence; null while there is none. */
  private held: (() => void)[] | null = null;
  private losesNextCommit = false;
  private readonly server = createServer((inner) => {
    const outer = connect(this.targetPort, this.targetHost);
    let answerIsLost = false;
    this.join(inner, outer, (chunk) => {
      if (!this.losesNextCommit || !chunk.includes('COMMIT')) return true;
      this.losesNextCommit = false;
      answerIsLost = true;
      return true;
    });
    this.join(outer, inner, () => {
      if (answerIsLost) inner.destroy();
      return !answerIsLost;
    });
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

  /** Passes the next COMMIT on, and cuts its connection instead of passing on the answer. */
  loseNextCommit(): void {
    this.losesNextCommit = true;
  }

  /** Takes connections and bytes, and passes nothing on, in either direction, until `speak`. */
  silence(): void {
    this.held ??= [];
  }

  /** Passes on what was held back, in order. */
  speak(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const pass of held) pass();
  }

  /** @param admits whether a chunk is passed on */
  private join(from: Socket, to: Socket, admits: (chunk: Buffer) => boolean): void {
    this.sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      if (admits(chunk)) this.pass(() => to.write(chunk));
    });
    from.on('error', () => undefined); // 'close' follows
    from.on('close', () => {
      this.sockets.delete(from);
      this.pass(() => to.destroy());
    });
  }

  private pass(action: () => void): void {
    if (this.held) this.held.push(action);
    else action();
  }
}
