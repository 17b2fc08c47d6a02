import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { LocalServer } from './local-server.js';

/** Fate of a COMMIT on its way to the server. */
export type CommitFate = 'passed on' | 'unanswered' | 'taken back';

/**
 * How what a client says ends when it commits: alone after the command, which to MySQL tells that there
 * are no query attributes, or as the last of several statements.
 */
const COMMIT = /[\x01\x03;]COMMIT$/;
/** As long, and no server knows it: the transaction stays open until the client rolls it back. */
const NO_COMMIT = 'REFUSE';
/** How a server says that, and a deadlock: the first bytes of an error of MySQL's client/server protocol. */
const UNKNOWN = errorHead(1064, '42000');
const DEADLOCK = errorHead(1213, '40001');
/** Length and number of a packet come before what it says. */
const HEAD_BYTES = 4;
const OK = 0;
const MORE_FOLLOWS = 8;

function errorHead(code: number, state: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, code & 0xff, code >> 8]), Buffer.from(`#${state}`)]);
}

function isCommit(chunk: Buffer): boolean {
  return COMMIT.test(chunk.subarray(-NO_COMMIT.length - 1).toString('latin1'));
}

/** Tells whether a server has answered the last of several statements, none of which returns rows. */
function isWhole(answer: Buffer): boolean {
  for (let at = 0; at + HEAD_BYTES < answer.length;) {
    const end = at + HEAD_BYTES + answer.readUIntLE(at, 3);
    if (end > answer.length) return false;
    // The status follows two numbers, of which the first byte tells how long they are.
    const said = answer.subarray(at + HEAD_BYTES, end);
    const second = 1 + numberLength(said[1]);
    const status = second + numberLength(said[second]);
    if (said[0] !== OK || (said.readUInt16LE(status) & MORE_FOLLOWS) === 0) return true;
    at = end;
  }
  return false;
}

function numberLength(first = 0): number {
  return { 0xfc: 3, 0xfd: 4, 0xfe: 9 }[first] ?? 1;
}

/**
 * Passes connections on `port` on to the first of its targets that takes them, in front of a database server.
 * A test can cut it, silence it, and change the fate of commits.
 */
export class TcpProxy extends LocalServer {
  /** Asked for each COMMIT. */
  commitFate: () => CommitFate = () => 'passed on';
  /** How long each COMMIT is held back, in milliseconds. */
  commitDelayMs = 0;
  /** Data held until the end of a silence; null while there is none. */
  private held: { from: Socket; pass: () => void }[] | null = null;

  private constructor(private readonly targets: URL[]) {
    super(createServer());
    this.server.on('connection', (inner: Socket) => void this.serve(inner));
  }

  /** Opens a link to where database URLs point: the first that takes connections, in turn. */
  static to(...urls: string[]): Promise<TcpProxy> {
    return new TcpProxy(urls.map((url) => new URL(url))).listen();
  }

  /** Returns the target that the next connection tries first. */
  get target(): URL {
    const [first] = this.targets;
    if (!first) throw new Error('The link leads nowhere.');
    return first;
  }

  /** Returns the URL with the address of this proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${this.port}`;
    return changed.href;
  }

  /** Cuts every connection and takes no new one. */
  async cut(): Promise<void> {
    if (this.server.listening) await this.close();
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
    let answer = Buffer.alloc(0);
    this.join(inner, outer, (chunk) => {
      if (!isCommit(chunk)) return chunk;
      fate = this.commitFate();
      answer = Buffer.alloc(0);
      if (fate === 'taken back') chunk.write(NO_COMMIT, chunk.length - NO_COMMIT.length);
      return chunk;
    });
    this.join(outer, inner, (chunk) => {
      if (fate === 'passed on') return chunk;
      answer = Buffer.concat([answer, chunk]);
      if (!isWhole(answer)) return null;
      if (fate === 'taken back') {
        fate = 'passed on';
        const at = answer.indexOf(UNKNOWN);
        if (at >= 0) DEADLOCK.copy(answer, at);
        return answer;
      }
      inner.destroy();
      return null;
    });
  }

  /** Connects to the first target that takes connections; later ones try it first. */
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
