import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Certificate } from './certificate.js';

/** A mail that the server took, as it came over the wire and as a mail reader sees it. */
export interface ReceivedMail {
  /** The envelope: every RCPT TO, and the MAIL FROM. */
  to: string[];
  from: string;
  raw: string;
  mail: Email;
  /** Whether it came over TLS. */
  secure: boolean;
  /** The same for all that came over one connection. */
  connection: string;
}

/** Answer of the server to an email: it takes it, refuses it somewhere, hangs up, or never answers. */
export type Answer =
  | 'accept'
  | 'drop'
  | 'hang'
  | {
      at: 'connect' | 'login' | 'sender' | 'recipient' | 'data';
      code: number;
      text: string;
      /** At `data`: refuses only such mails. */
      when?: (raw: string) => boolean;
    };

/** Runs a mail server that answers as a test says. */
export class MailServer {
  /**
   * @param certificate with one it offers STARTTLS, and takes no login before that
   * @param secure whether it speaks TLS from the first byte
   * @param lastPort that it listens on; 0 for any
   */
  constructor(
    private readonly certificate?: Promise<Certificate>,
    private readonly secure = false,
    private lastPort = 0,
  ) {}

  /** Attempted logins, as `user:password`. */
  logins: string[] = [];
  /** Accepted emails, in order; with `drop`, also those it read in full before it hung up. */
  mails: ReceivedMail[] = [];
  /**
   * Returns the answer to an email for this recipient. At `connect` and `login` the recipient is still unknown:
   * ''.
   */
  answer: (to: string) => Answer = () => 'accept';
  private server?: SMTPServer;
  private readonly sockets = new Set<Socket>();

  get port(): number {
    return this.lastPort;
  }

  get url(): string {
    return `${this.secure ? 'smtps' : 'smtp'}://127.0.0.1:${this.port}`;
  }

  /** Returns the number of its clients. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Mails that came for an address. */
  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  /** Listens, always on its first port. */
  async start(): Promise<void> {
    const server = this.makeServer(await this.certificate);
    this.server = server;
    server.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.listen(this.lastPort, '127.0.0.1');
    await once(server.server, 'listening');
    this.lastPort = (server.server.address() as AddressInfo).port;
  }

  /** Is gone at once, with every connection. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.server) this.server.close(resolve);
      else resolve();
    });
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Hangs up on every client; the next mail comes over a new connection. */
  async hangUp(): Promise<void> {
    const closed = [...this.sockets].map((socket) => once(socket.destroy(), 'close'));
    await Promise.all(closed);
  }

  private makeServer(certificate?: Certificate): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: !certificate,
      disabledCommands: certificate ? [] : ['STARTTLS'],
      secure: this.secure,
      ...certificate,
      disableReverseLookup: true,
      closeTimeout: 100,
      onConnect: (_, done) => {
        done(this.refusalAt('connect', ''));
      },
      onAuth: ({ username = '', password = '' }, _, done) => {
        this.logins.push(`${username}:${password}`);
        const refused = this.refusalAt('login', '');
        if (refused) done(refused);
        else done(null, { user: username });
      },
      onMailFrom: (_, __, done) => {
        done(this.refusalAt('sender', ''));
      },
      onRcptTo: ({ address }, _, done) => {
        if (this.answer(address) !== 'hang') done(this.refusalAt('recipient', address));
      },
      onData: (stream, session, done) => {
        void buffer(stream)
          .then((raw) => this.take(raw, session))
          .then((text) => {
            if (text !== null) done(null, text);
          }, done);
      },
    });
    // Connections that a test cut are of no interest.
    server.on('error', () => undefined);
    return server;
  }

  /** @returns what to answer; null when nothing is answered */
  private async take(raw: Buffer, session: SMTPServerSession) {
    const { id: connection, envelope, remotePort, secure } = session;
    const to = envelope.rcptTo.map(({ address }) => address);
    const answer = this.answer(to[0] ?? '');
    const refused = this.refusalAt('data', to[0] ?? '');
    const isMeant = typeof answer === 'string' || (answer.when?.(raw.toString()) ?? true);
    if (refused && isMeant) throw refused;
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const mail = await PostalMime.parse(raw);
    this.mails.push({ to, from, raw: raw.toString(), mail, secure, connection });
    if (answer !== 'drop') return `OK: queued as ${this.mails.length}`;
    for (const socket of this.sockets) if (socket.remotePort === remotePort) socket.destroy();
    return null;
  }

  private refusalAt(place: string, to: string): Error | null {
    const answer = this.answer(to);
    if (typeof answer === 'string' || answer.at !== place) return null;
    return Object.assign(new Error(answer.text), { responseCode: answer.code });
  }
}

/** Runs a mail server for the tests of a file; before each it is up, empty and friendly. */
export function useMailServer(): MailServer {
  const server = new MailServer();
  beforeAll(() => server.start());
  beforeEach(() => {
    server.mails = [];
    server.answer = () => 'accept';
  });
  afterAll(() => server.stop());
  return server;
}
