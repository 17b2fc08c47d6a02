import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LocalServer, LocalSite } from './local-server.js';

/** A call as it came in. */
export interface ReceivedCall {
  /** Requested path, with its query. */
  path: string;
  /** Its `webhook-id`. */
  id: string;
  headers: Record<string, string>;
  /** The exact bytes, as text. */
  body: string;
  /** On the clock of `performance`. */
  at: number;
}

/** Behavior of a receiver once the body of a call is there. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers at once. */
export function answers(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Takes the call and never answers. */
export const hangs: Behaviour = () => undefined;

/** Answers 200 and a body that never ends, as fast as it is read. */
export const neverEnds: Behaviour = (response) => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (!response.destroyed && response.write(chunk)) continue;
  };
  response.writeHead(200).on('drain', write);
  write();
};

/** Answers 200 and then a byte every 50 ms, without end. */
export const drips: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 50);
  response.on('close', () => {
    clearInterval(timer);
  });
};

/** Answers 200 and 50 kB that would unpack to 50 MB. */
export const bombs: Behaviour = (response, request) => {
  const body = gzipSync(Buffer.alloc(50 << 20));
  answers(200, body, { 'content-encoding': 'gzip' })(response, request);
};

/** Answers 200 and ten thousand headers. */
export const babbles: Behaviour = (response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\n');
  for (let i = 0; i < 10_000; i++) response.socket?.write(`x-header-${i}: x\r\n`);
  response.socket?.end('\r\n');
};

/** Runs an HTTP server for webhooks, which behaves as the test says and records every call. */
export class WebhookReceiver extends LocalSite {
  readonly calls: ReceivedCall[] = [];

  constructor(public behaviour: Behaviour = answers(200)) {
    super();
  }

  static start(behaviour?: Behaviour, host?: string): Promise<WebhookReceiver> {
    return new WebhookReceiver(behaviour).listen(0, host);
  }

  get url(): string {
    return `${this.origin}/hook`;
  }

  /** Returns the last call; there must be one. */
  get last(): ReceivedCall {
    const call = this.calls.at(-1);
    if (!call) throw new Error('Nothing was received.');
    return call;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(chunks).toString();
    const { url: path = '' } = request;
    const id = headers['webhook-id'] ?? '';
    this.calls.push({ path, id, headers, body, at: performance.now() });
    this.behaviour(response, request);
  }
}

/** Runs a receiver for each test of a file, which behaves in each at first as given. */
export function useReceiver(behaviour = answers(200), host?: string): WebhookReceiver {
  const receiver = new WebhookReceiver();
  beforeEach(async () => {
    receiver.behaviour = behaviour;
    receiver.calls.length = 0;
    await receiver.listen(0, host);
  });
  afterEach(() => receiver.close());
  return receiver;
}

/** Runs a server that nobody may reach, and counts the connections and bytes that do. */
export class Trap extends LocalServer {
  connections = 0;
  bytes = 0;

  private constructor() {
    super(createServer());
    this.server.on('connection', (socket: Socket) => {
      this.connections++;
      socket.on('data', (data) => (this.bytes += data.length));
    });
  }

  static set(host: string, port = 0): Promise<Trap> {
    return new Trap().listen(port, host);
  }
}
