import { decode, encode, RECURSION_DESIRED, type Answer, type Question } from 'dns-packet';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Record, as `name TYPE value`; of TXT the value is the text, of MX the host. */
type Line = `${string} ${'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR'} ${string}`;
/** Numbers of responses (RFC 1035, section 4.1.1). */
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** Runs a name server that knows the records of a test, and nothing else. */
export class NameServer {
  records: Line[] = [];
  /** Names that it fails to look up, and names that it never answers for. */
  failing: string[] = [];
  silent: string[] = [];
  /** Names that it was asked for. */
  asked: string[] = [];
  private socket?: Socket;

  get address(): string {
    return `127.0.0.1:${this.socket?.address().port ?? 0}`;
  }

  async start(): Promise<void> {
    const socket = createSocket('udp4');
    this.socket = socket;
    socket.on('message', (message, client) => {
      this.reply(message, client);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }

  stop(): void {
    this.socket?.close();
  }

  private reply(message: Buffer, { port, address }: RemoteInfo): void {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    this.asked.push(question.name);
    if (this.silent.includes(question.name)) return;
    const answers = this.answersTo(question);
    const isThere = this.records.some((line) => line.startsWith(`${question.name} `));
    const fails = this.failing.includes(question.name);
    const code = fails ? SERVFAIL : isThere ? 0 : NXDOMAIN;
    const flags = RECURSION_DESIRED | code;
    this.socket?.send(encode({ type: 'response', id, flags, questions, answers }), port, address);
  }

  private answersTo({ name, type }: Question): Answer[] {
    return this.records.flatMap((line): Answer[] => {
      const [, ofName, ofType, data = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
      if (ofName !== name || ofType !== type) return [];
      if (ofType === 'MX') return [{ name, type: 'MX', data: { exchange: data, preference: 10 } }];
      return [{ name, type: ofType, data } as Answer];
    });
  }
}
