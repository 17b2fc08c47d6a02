import { createServer, type Socket } from 'node:net';
import { LocalServer } from './local-server.js';

/** The text that every scanner takes for a virus, though it is none; in two parts, so that none takes this file for it. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
/** Name of it by clamd. */
export const VIRUS = 'Eicar-Test-Signature';
const PING = 'zPING\0';
const INSTREAM = 'zINSTREAM\0';

/** How clamd is. `ok`: it finds EICAR; `hang-up`: it leaves in the middle of the content. */
export type Mood = 'ok' | 'error' | 'silent' | 'hang-up';

/**
 * Stands for clamd: speaks its protocol, and refuses what breaks it. Its answers come a byte at a time, as they may.
 */
export class ClamdStub extends LocalServer {
  mood: Mood = 'ok';
  /** Its StreamMaxLength, in bytes. */
  maxBytes = 25 * 1024 * 1024;
  /** Contents that it was given in full. */
  contents: Buffer[] = [];
  pings = 0;
  connections = 0;
  /** Sentences about what broke the protocol. */
  broken: string[] = [];

  constructor() {
    super(createServer());
    this.server.on('connection', (socket: Socket) => {
      this.connections++;
      this.serve(socket);
    });
  }

  private serve(socket: Socket): void {
    let bytes = Buffer.alloc(0);
    let isOver = false;
    let isCutOff = false;
    const end = (answer: string, isEarly = false) => {
      isOver = true;
      isCutOff = isEarly;
      void dripped(socket, answer);
    };
    socket.on('data', (piece) => {
      if (isOver && !isCutOff) this.broken.push('More came after the end.');
      bytes = Buffer.concat([bytes, piece]);
      if (isOver || this.mood === 'silent') return;
      if (bytes.equals(Buffer.from(PING))) {
        this.pings++;
        end('PONG\0');
      } else if (bytes.subarray(0, INSTREAM.length).equals(Buffer.from(INSTREAM))) {
        this.stream(bytes.subarray(INSTREAM.length), socket, end);
      } else if (!INSTREAM.startsWith(bytes.toString()) && !PING.startsWith(bytes.toString())) {
        this.broken.push(`Unknown command: ${bytes.toString('latin1', 0, 20)}`);
        end('UNKNOWN COMMAND\0');
      }
    });
  }

  /** Answers once the stream is over, or too long. */
  private stream(sent: Buffer, socket: Socket, end: (answer: string, isEarly?: boolean) => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    for (let at = 0; at + 4 <= sent.length;) {
      const length = sent.readUInt32BE(at);
      if (length > 0 && this.mood === 'hang-up') {
        socket.destroy();
        return;
      }
      if (length === 0) {
        if (at + 4 < sent.length) this.broken.push('More came after the chunk of length zero.');
        this.contents.push(Buffer.concat(chunks));
        end(this.answerTo(Buffer.concat(chunks)));
        return;
      }
      size += length;
      if (size > this.maxBytes) {
        end('INSTREAM size limit exceeded. ERROR\0', true);
        return;
      }
      if (at + 4 + length > sent.length) return;
      chunks.push(sent.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  }

  private answerTo(content: Buffer): string {
    if (this.mood === 'error') return "stream: Can't allocate memory ERROR\0";
    return content.includes(EICAR) ? `stream: ${VIRUS} FOUND\0` : 'stream: OK\0';
  }
}

/** Writes an answer byte by byte, and ends the connection. */
async function dripped(socket: Socket, answer: string): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of Buffer.from(answer)) {
    await new Promise((done) => socket.write(Buffer.of(byte), done));
    await new Promise((done) => setImmediate(done));
  }
  socket.end();
}
