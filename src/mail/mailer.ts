import { Injectable, Logger, Optional, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { secretUnreadable, attemptResult, type AttemptResult, TO_STRANGERS } from '../deliveries/model/outcome.js';
import {
  isForbidden,
  SECOND_MS,
  DAY_MS,
  HOUR_MS,
  SecretUnreadable,
  Config,
  BackgroundTask,
  type TaskRun,
} from '../platform/index.js';
import { ServerBusy, ClientServers, explain, nodemailer, smtpTransport } from './client-servers.js';
import type { Message } from './parts/message.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { DigestsService } from '../deliveries/digests/digests.service.js';

/** How long a mail waits when its server is busy with others, in milliseconds. */
const BUSY_AGAIN_MS = 10 * SECOND_MS;

/** Sends a mail, and says how that ended. */
export async function attemptMail(
  mailer: Mailer,
  id: string,
  message: Message,
  signal: AbortSignal,
): Promise<AttemptResult> {
  try {
    const { reply, note } = await sendSome(mailer, id, message, signal);
    if (reply === null) return attemptResult('delivered', 'written', 'Saved to disk, not sent: SMTP_URL is not set.');
    return {
      ...attemptResult('delivered', 'accepted', note === null ? reply : `${reply} ${note}`),
      code: Number.parseInt(reply, 10) || 250,
    };
  } catch (error) {
    if (error instanceof ServerBusy) {
      const busy = attemptResult('deferred', 'deferred', error.message);
      return { ...busy, retryAfterMs: BUSY_AGAIN_MS, isApart: true };
    }
    if (error instanceof SecretUnreadable) {
      return { ...secretUnreadable(error.message), isApart: true };
    }
    const ended = failure(error);
    return message.via ? { ...ended, isApart: true } : ended;
  }
}

/**
 * Sends a mail; where the server refuses it for its files, at once again with links alone.
 * @returns the reply of the server, and a note for the log of what was left out
 */
async function sendSome(mailer: Mailer, id: string, message: Message, signal: AbortSignal) {
  try {
    return { reply: await mailer.send(id, message, signal), note: null };
  } catch (error) {
    if (!message.attachments || !message.linksAttachments || !isAboutFiles(error)) throw error;
    const { attachments: _, ...others } = message;
    const reply = await mailer.send(id, others, signal);
    const { response } = error as { response?: string };
    return {
      reply,
      note: `Sent with links, because the server refused the files: ${response ?? (error as Error).message}`,
    };
  }
}

/** Codes of a mail that is too large (552, X.3.4), or refused for what is in it (X.7.0 to X.7.9; RFC 3463). */
const FILES_REFUSED = /^552|^5\d\d[ -]5\.(?:3\.4|7\.\d)\b/;

function isAboutFiles(error: unknown) {
  const { code = '', responseCode, response = '' } = error as Refusal;
  if (!ABOUT_THE_MAIL.includes(code)) return false;
  // Without a code nodemailer itself says that the mail is larger than the server announced to take.
  return responseCode === undefined ? code === 'EMESSAGE' : FILES_REFUSED.test(response);
}

interface Refusal {
  code?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

/** Error codes of nodemailer that concern the mail itself; others concern us. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

const LOGIN_REQUIRED = 530;

/** Returns the result of a refusal: 5xx is final, unless the server refuses us rather than the mail. */
function failure(error: unknown) {
  const { code = '', responseCode, response, message } = error as Refusal;
  const answer = response ?? message ?? 'No reason was given.';
  if (responseCode !== undefined) {
    const aboutTheMail = ABOUT_THE_MAIL.includes(code) && responseCode !== LOGIN_REQUIRED;
    const permanent = responseCode >= 500 && aboutTheMail;
    const name = permanent ? 'refused' : 'deferred';
    return { ...attemptResult(permanent ? 'refused' : 'deferred', name, answer), code: responseCode };
  }
  if (isForbidden(error)) return attemptResult('deferred', 'forbidden_address', answer);
  return attemptResult('deferred', code === 'ETIMEDOUT' ? 'timed_out' : 'unreachable', answer);
}

/** Most connections to the mail server, as many as deliveries may use it at once. */
const CONNECTIONS = 10;

/** How long mails that are written to files stay, in days: they have what visitors wrote. */
const FILES_DAYS = 30;

/**
 * Sends mails through the mail server of SMTP_URL, or that of the client whose they are. Without SMTP_URL, writes each of
 * ours to a file.
 */
@Injectable()
export class Mailer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Mailer.name);
  private readonly folder: string;
  private transport: Promise<Transporter> | null = null;

  /** @param clients absent where no client is known, as before the first start */
  constructor(
    private readonly config: Config,
    @Optional() private readonly clients?: ClientServers,
  ) {
    this.folder = join(config.dataDir, 'mail');
  }

  /** Tells whether mails are sent, not written to files. */
  get isConfigured() {
    return this.config.mail.smtpUrl !== undefined;
  }

  /** Returns the host of the mail server; '' without one. */
  private get host() {
    const { smtpUrl } = this.config.mail;
    return smtpUrl === undefined ? '' : new URL(smtpUrl).hostname;
  }

  onApplicationBootstrap() {
    if (!this.isConfigured) {
      this.logger.log('SMTP_URL is not set: mails are written to files', { folder: this.folder });
      return;
    }
    this.verify().catch((error: unknown) => {
      this.logger.warn('The mail server of SMTP_URL cannot be used at the moment', { error });
    });
  }

  /** Logs in to the mail server. Rejects with its error when that fails. */
  async verify() {
    if (this.isConfigured) await (await this.open()).verify().catch(explainOurs);
  }

  /**
   * Sends a mail and resolves with the server's reply, such as `250 2.0.0 Ok: queued as 1A2B`. Rejects with
   * nodemailer's error when the server refuses it or cannot be reached.
   * @param id stays the same on every attempt, so that a repeated mail can be recognised
   * @param signal aborts it by closing the connection
   * @returns null when the mail was written to a file
   */
  async send(id: string, message: Message, signal?: AbortSignal): Promise<string | null> {
    const { from, to, named, replyTo, thread, unsubscribe, subject, text, html, automatic } = message;
    const { attachments, via } = message;
    const sender = via ? from : this.config.mailFrom;
    const host = sender.address.replace(/^.*@/, '');
    const mail: SendMailOptions = {
      messageId: `<${id}@${host}>`,
      // No mail has this id. Programs put those together that refer to the same one.
      ...(thread && { references: `<${thread}@${host}>` }),
      from,
      ...(from.address !== sender.address && { sender }),
      to: (named?.to ?? [to]).map(plain),
      ...(named && named.cc.length > 0 && { cc: named.cc.map(plain) }),
      ...(attachments && { attachments }),
      ...(replyTo && { replyTo: { ...replyTo, address: quotedLocal(replyTo.address) } }),
      // Bounces go to the envelope's address, and receivers check SPF by it: it is that of who owns the server.
      envelope: { from: sender.address, to: [quotedLocal(to)] },
      subject,
      text,
      html,
      headers: {
        'Auto-Submitted': automatic,
        // Exchange answers with notes of absence unless it is asked for none; reports of failed mails are wanted.
        'X-Auto-Response-Suppress': 'OOF, AutoReply',
        ...reportHeaders(via?.host ?? this.host, id),
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(signal && { signal }),
    };
    if (via && this.clients) return this.clients.send(via, mail);
    const transport = await this.open();
    const info = (await transport.sendMail(mail).catch(explainOurs)) as { response?: string; message?: Buffer };
    if (this.isConfigured) return info.response ?? '';
    if (info.message) await this.write(id, info.message);
    return null;
  }

  /** Removes mails that were written to files more than FILES_DAYS ago. */
  @BackgroundTask('remove old files of mails', DAY_MS)
  async forgetFiles({ now, signal }: TaskRun): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      if (signal?.aborted) return;
      if (!/\.eml(\.part)?$/.test(name)) continue;
      const path = join(this.folder, name);
      const written = await stat(path).catch(() => null);
      if (!written || written.mtimeMs > now.getTime() - FILES_DAYS * DAY_MS) continue;
      await rm(path, { force: true });
    }
  }

  async onApplicationShutdown() {
    (await this.transport)?.close();
  }

  private open() {
    return (this.transport ??= createTransport(this.config.mail.smtpUrl));
  }

  /** Writes the file under its final name only when it is complete. */
  private async write(id: string, message: Buffer) {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${id}.eml`);
    await writeFile(`${path}.part`, message);
    await rename(`${path}.part`, path);
  }
}

function explainOurs(error: unknown) {
  return explain(error, 'SMTP_URL');
}

/** Returns an address without a name, as a list of recipients has it. */
function plain(address: string) {
  return { name: '', address: quotedLocal(address) };
}

/** Quotes the part before the `@` where it has dots that mail allows in quotes alone (RFC 5321, section 4.1.2). */
function quotedLocal(address: string) {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return /^\.|\.\.|\.$/.test(local) ? `"${local}"${address.slice(at)}` : address;
}

/** Returns the names of the files in a folder; none when it is not there. */
async function namesIn(folder: string) {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function createTransport(url: string | undefined) {
  if (url === undefined) {
    const { createTransport: create } = await nodemailer();
    return create({ streamTransport: true, buffer: true, newline: 'windows' });
  }
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const host = hostname.replace(/^\[|\]$/g, '');
  return smtpTransport(
    {
      ...{ secure, host, auth: username === '' ? null : auth },
      port: port === '' ? (secure ? 465 : 587) : Number(port),
    },
    { max: CONNECTIONS },
  );
}

/**
 * Returns headers that have a provider name the delivery in its reports of bounces: some put a message id of their own
 * in place of ours. Postmark and SendGrid take them out again.
 * @param host of the mail server
 */
function reportHeaders(host: string, deliveryId: string): Record<string, string> {
  if (/(?:^|\.)postmarkapp\.com$/i.test(host)) return { 'X-PM-Metadata-delivery': deliveryId };
  if (/(?:^|\.)sendgrid\.net$/i.test(host)) {
    return { 'X-SMTPAPI': JSON.stringify({ unique_args: { delivery: deliveryId } }) };
  }
  return {};
}

/**
 * Limits how many mails one address gets. Anyone can type anyone's address into a form; the caps keep a form
 * from flooding a stranger. Mails count in the order of their ids, so that all workers agree.
 */
@Injectable()
export class MailCaps {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly digests: DigestsService,
    private readonly config: Config,
  ) {}

  /**
   * Tells whether a mail is dropped: too many went to its stranger in a day, of its form in an hour, or to a person who
   * signs in in an hour.
   */
  async suppresses(delivery: Delivery) {
    const { capPerRecipientDay, capPerRecipientHour, capPerFormHour } = this.config.mail;
    const created = delivery.createdAt.getTime();
    const hour = new Date(created - HOUR_MS);
    const { isToPerson } = delivery;
    if (!isToPerson && !TO_STRANGERS.includes(delivery.kind)) return false;
    return this.deliveries.isOverCap(delivery, {
      toRecipient: isToPerson
        ? { count: capPerRecipientHour, since: hour }
        : { count: capPerRecipientDay, since: new Date(created - DAY_MS) },
      ofForm: { count: capPerFormHour, since: hour },
    });
  }

  /** Tells whether an owner's mail goes into a digest: its recipient got too many in this hour. */
  async defersToDigest(delivery: Delivery) {
    if (delivery.kind !== 'owner_email') return false;
    return this.digests.isOver(delivery, this.config.mail.capPerRecipientHour);
  }
}
