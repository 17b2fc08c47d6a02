import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of a COMMIT on its way to the server. */
export type CommitFate = 'passed on' | 'unanswered' | 'taken back';

/**
 * What a client says to commit and to roll back, and what a server says of a deadlock (1213). To MySQL a
 * client tells between the command and the SQL that it has no query attributes.
 */
const COMMIT = /^\x03(?:\0\x01)?COMMIT$/;
const ROLLBACK = 'ROLLBACK';
/** Length and number of a packet come before what it says. */
const HEAD_BYTES = 4;
/** Longer than any packet that says COMMIT. */
const SHORT_BYTES = 32;
const DEADLOCK = packet(
  1,
  Buffer.concat([Buffer.from([0xff, 1213 & 0xff, 1213 >> 8]), Buffer.from('#40001Deadlock')]),
);

/** A packet of MySQL's client/server protocol: three bytes of length, a number, the payload. */
function packet(sequence: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head.writeUInt8(sequence, 3);
  return Buffer.concat([head, payload]);
}

function isCommit(chunk: Buffer): boolean {
  return chunk.length < SHORT_BYTES && COMMIT.test(chunk.toString('latin1', HEAD_BYTES));
}

/**
 * A link to a database server that a test can cut, silence or make lie about commits: what comes in
 * on `port` is passed on to the first of its targets that takes connections.
 */
export class TcpProxy {
  /** Asked for each COMMIT. */
  commitFate: () => CommitFate = () => 'passed on';
  /** How long each COMMIT is held back, in milliseconds. */
  commitDelayMs = 0;
  private readonly sockets = new Set<Socket>();
  /** What waits for the end of a silence; null while there is none. */
  private held: { from: Socket; pass: () => void }[] | null = null;
  private readonly server = createServer((inner) => {
    inner.on('error', () => undefined); // 'close' follows
    void this.serve(inner);
  });

  private constructor(private readonly targets: URL[]) {}

  /** Opens a link to where database URLs point: the first that takes connections, in turn. */
  static async to(...urls: string[]): Promise<TcpProxy> {
    const proxy = new TcpProxy(urls.map((url) => new URL(url)));
    await proxy.listen(0);
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Where the next connection is tried first. */
  get target(): URL {
    const [first] = this.targets;
    if (!first) throw new Error('The link leads nowhere.');
    return first;
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

  /** Sends what connects from now on to the next target; what is connected stays where it is. */
  turn(): void {
    this.targets.push(...this.targets.splice(0, 1));
  }

  /**
   * Passes the next COMMIT on, and cuts its connection instead of passing on the answer.
   * @returns resolves when there was one
   */
  loseNextCommit(): Promise<void> {
    return new Promise((resolve) => {
      this.commitFate = () => {
        this.commitFate = () => 'passed on';
        resolve();
        return 'unanswered';
      };
    });
  }

  /** Takes connections and bytes, and passes nothing on, in either direction, until `speak`. */
  silence(): void {
    this.held ??= [];
  }

  /** Connections that something was said on during this silence. */
  get waiting(): number {
    return new Set(this.held?.map(({ from }) => from)).size;
  }

  /** Passes on what was held back, in order. */
  speak(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const { pass } of held) pass();
  }

  private async serve(inner: Socket): Promise<void> {
    const outer = await this.dial();
    if (!outer || inner.destroyed) {
      inner.destroy();
      outer?.destroy();
      return;
    }
    let fate: CommitFate = 'passed on';
    this.join(inner, outer, (chunk) => {
      if (!isCommit(chunk)) return chunk;
      fate = this.commitFate();
      if (fate !== 'taken back') return chunk;
      const said = chunk.toString('latin1', HEAD_BYTES).replace('COMMIT', ROLLBACK);
      return packet(0, Buffer.from(said, 'latin1'));
    });
    this.join(outer, inner, (chunk) => {
      const told = fate;
      fate = 'passed on';
      if (told === 'passed on') return chunk;
      if (told === 'taken back') return DEADLOCK;
      inner.destroy();
      return null;
    });
  }

  /** A connection to the first target that takes one; the others come after it from then on. */
  private async dial(): Promise<Socket | null> {
    for (const target of [...this.targets]) {
      const socket = connect(Number(target.port || 3306), target.hostname);
      try {
        await once(socket, 'connect');
        return socket;
      } catch {
        if (this.targets[0] === target) this.turn();
      }
    }
    return null;
  }

  /** @param change what is passed on instead of a chunk; null for nothing */
  private join(from: Socket, to: Socket, change: (chunk: Buffer) => Buffer | null): void {
    this.sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      const changed = change(chunk);
      if (!changed) return;
      const pass = () => {
        this.pass(from, () => to.write(changed));
      };
      if (this.commitDelayMs > 0 && isCommit(chunk)) setTimeout(pass, this.commitDelayMs);
      else pass();
    });
    from.on('error', () => undefined); // 'close' follows
    from.on('close', () => {
      this.sockets.delete(from);
      this.pass(from, () => to.destroy());
    });
  }

  private pass(from: Socket, pass: () => void): void {
    if (this.held) this.held.push({ from, pass });
    else pass();
  }
}
