import { createServer, type Socket } from 'node:net';
import { LocalServer } from './local-server.js';

interface Stored {
  uid: number;
  source: string;
  seen: boolean;
  /** Whether somebody has begun to read it. */
  flagged: boolean;
}

/** Runs a mail server with one mailbox, which knows the commands of IMAP that a reader of new mails sends. */
export class ImapServer extends LocalServer {
  messages: Stored[] = [];
  /** Logins, as they were sent. */
  logins: string[] = [];
  /** Whether it hangs up instead of marking a message as seen. */
  isBroken = false;

  constructor() {
    super(createServer());
    this.server.on('connection', (socket: Socket) => {
      this.serve(socket);
    });
  }

  get url(): string {
    return `imap://forms%40example.com:pa%2Fss@127.0.0.1:${this.port}/INBOX`;
  }

  add(source: string): void {
    this.messages.push({ uid: this.messages.length + 101, source, seen: false, flagged: false });
  }

  private serve(socket: Socket): void {
    let text = '';
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    socket.on('data', (data) => {
      text += data.toString();
      const lines = text.split('\r\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.answer(socket, line);
    });
  }

  private answer(socket: Socket, line: string): void {
    const [, tag = '*', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (this.isBroken && /^UID STORE.*Seen/i.test(command)) {
      socket.destroy();
      return;
    }
    const lines = this.linesFor(command);
    socket.write([...lines, `${tag} OK done`, ''].join('\r\n'));
    if (/^LOGOUT/i.test(command)) socket.end();
  }

  private linesFor(command: string): string[] {
    const [, uid = ''] = /^UID (?:FETCH|STORE) (\d+)/i.exec(command) ?? [];
    const index = this.messages.findIndex((message) => message.uid === Number(uid));
    const message = this.messages[index];
    if (/^CAPABILITY/i.test(command)) return ['* CAPABILITY IMAP4rev1'];
    if (/^LOGIN/i.test(command)) this.logins.push(command);
    if (/^LIST/i.test(command)) return ['* LIST (\\HasNoChildren) "/" INBOX'];
    if (/^SELECT/i.test(command)) {
      const count = this.messages.length;
      return [
        '* FLAGS (\\Seen \\Flagged)',
        `* ${count} EXISTS`,
        '* OK [PERMANENTFLAGS (\\Seen \\Flagged)] x',
        '* OK [UIDVALIDITY 1] x',
        `* OK [UIDNEXT ${count + 101}] x`,
      ];
    }
    if (/^UID SEARCH/i.test(command)) {
      const unseen = this.messages.filter(({ seen }) => !seen).map((each) => each.uid);
      return [`* SEARCH ${unseen.join(' ')}`.trim()];
    }
    if (/^UID FETCH/i.test(command) && message) {
      const { source } = message;
      if (!/BODY\.PEEK\[\]/i.test(command)) message.seen = true;
      return [
        `* ${index + 1} FETCH (UID ${message.uid} FLAGS (${flagsOf(message)}) BODY[]<0> {${Buffer.byteLength(source)}}\r\n${source})`,
      ];
    }
    if (/^UID STORE/i.test(command) && message) {
      const isOn = !/-FLAGS/i.test(command);
      const isAll = / FLAGS/i.test(command);
      if (isAll || /Seen/i.test(command)) message.seen = isOn && /Seen/i.test(command);
      if (isAll || /Flagged/i.test(command)) message.flagged = isOn && /Flagged/i.test(command);
      return [`* ${index + 1} FETCH (UID ${message.uid} FLAGS (${flagsOf(message)}))`];
    }
    return /^LOGOUT/i.test(command) ? ['* BYE'] : [];
  }
}

function flagsOf({ seen, flagged }: Stored): string {
  return [...(seen ? ['\\Seen'] : []), ...(flagged ? ['\\Flagged'] : [])].join(' ');
}
