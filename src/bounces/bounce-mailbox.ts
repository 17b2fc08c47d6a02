import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import type { ImapMailbox } from '../platform/config/addresses.js';
import { Config } from '../platform/config/config.js';
import { MINUTE_MS } from '../platform/kernel/time/durations.js';
import { BouncesService } from './bounces.service.js';
import { readDsn } from './reading/dsn.js';
import { MESSAGE_MAX_BYTES } from './reading/mail-parts.js';

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
const SEEN = '\\Seen';
/** A flag that every server keeps, for a message that somebody has begun to read. */
const BEGUN = '\\Flagged';

/**
 * Reads the mailbox of BOUNCE_IMAP_URL. A message is marked as seen once it is stored what it says; until then the next
 * run reads it again, and a report that comes twice is stored once. Where a process ended over a message it is read once
 * more, and marked as seen before.
 */
@Injectable()
export class BounceMailbox {
  private readonly logger = new Logger(BounceMailbox.name);

  constructor(
    private readonly bounces: BouncesService,
    private readonly config: Config,
  ) {}

  @BackgroundTask('read the mailbox of bounces', MINUTE_MS)
  async read({ signal }: TaskRun): Promise<void> {
    const { mailbox } = this.config.bounces;
    if (mailbox === undefined) return;
    try {
      await this.readFrom(mailbox, signal);
    } catch (error) {
      this.logger.warn('The mailbox of BOUNCE_IMAP_URL cannot be read at the moment', { error });
    }
  }

  private async readFrom(mailbox: ImapMailbox, signal?: AbortSignal): Promise<void> {
    const { ImapFlow } = await import('imapflow');
    const { host, port, secure, user, password: pass, folder } = mailbox;
    const client = new ImapFlow({
      ...{ host, port, secure },
      doSTARTTLS: !secure && !isLoopback(host) ? true : undefined,
      auth: { user, pass },
      logger: false,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
    // It also rejects what is under way; without a listener the process would end.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.mailboxOpen(folder);
      const unseen = await client.search({ seen: false }, { uid: true });
      for (const uid of typeof unseen === 'object' ? unseen : []) {
        if (signal?.aborted) return;
        const range = String(uid);
        const source = { maxLength: MESSAGE_MAX_BYTES };
        const message = await client.fetchOne(range, { source, flags: true }, { uid: true });
        if (!message || !message.source) continue;
        const isBegun = message.flags?.has(BEGUN) === true;
        const mark = [isBegun ? SEEN : BEGUN];
        const isMarked = await client.messageFlagsAdd(range, mark, { uid: true });
        if (isBegun && !isMarked) continue;
        try {
          await this.bounces.take(readDsn(message.source));
        } catch (error) {
          await client.messageFlagsRemove(range, [SEEN, BEGUN], { uid: true });
          throw error;
        }
        await client.messageFlagsSet(range, [SEEN], { uid: true });
      }
      await client.logout();
    } finally {
      client.close();
    }
  }
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
