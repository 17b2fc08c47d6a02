import type { Change, Draft } from './setup-draft.js';
import { type Terminal, Refused, emailOf } from './command.js';
import { parseUrl, parseEmailAddress, isBaseUrl, type Config } from '../platform/index.js';
import { tryDatabase, BackupFolder, reasonOf } from '../platform/database/index.js';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { explainFailure } from '../start-failure.js';
import { join } from 'node:path';
import { Mailer } from '../mail/mailer.js';
import { MailCheck } from '../operations/doctor/work.checks.js';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** Options of the command; false where `--no-…` unsets a setting. */
export interface SetupOptions {
  yes?: boolean;
  baseUrl?: string | false;
  proxy?: boolean;
  databaseUrl?: string | false;
  smtpUrl?: string | false;
  mailFrom?: string | false;
  testEmail?: string;
  ownerName?: string;
  ownerEmail?: string;
  ownerPasswordFile?: string;
  backupDir?: string | false;
  backupSchedule?: string | false;
  backupCommand?: string | false;
}

/** One of the questions about settings. */
export interface Step {
  title: string;
  /** Returns the change that options ask for. @throws WrongUse */
  read(options: SetupOptions, draft: Draft): Change;
  /** Asks a person for it. */
  ask(terminal: Terminal, draft: Draft): Promise<Change>;
  /**
   * Tries the answer.
   * @returns a sentence about what works
   * @throws an error whose message says what does not, and the fix
   */
  attempt(draft: Draft): Promise<string>;
}

/** Returns a change by the values of options: undefined leaves a setting as it is, false unsets it. */
function changeOf(values: Record<string, string | false | undefined>): Change {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value === false ? null : value]));
}

/** Returns the address of a server with the password hidden. */
export function withoutPassword(url: string) {
  return url.replace(/^([^:]*:\/\/[^:@/]*):[^@]*@/, '$1:…@');
}

/** Asks for the address of a server, and for the password apart if it names only a user. */
async function askServer(terminal: Terminal, question: string, none: string, present: string | undefined) {
  const proposal = present === undefined ? none : withoutPassword(present);
  const answer = await terminal.ask(question, proposal);
  if (answer === none) return null;
  if (answer === proposal) return undefined;
  const url = parseUrl(answer);
  if (!url) return answer;
  if (url.username === '' || url.password !== '') return answer;
  const password = await terminal.askSecretly(`Password of ${decodeURIComponent(url.username)}, which is not shown`);
  url.password = encodeURIComponent(password);
  return url.href;
}

const EMBEDDED = 'embedded';

/** Asks where the database is, and uses it. */
export const databaseStep: Step = {
  title: 'Database',

  read: ({ databaseUrl }: SetupOptions) => changeOf({ DATABASE_URL: databaseUrl }),

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const url = await askServer(
      terminal,
      `Database: ${EMBEDDED}, or a server, such as mysql://forms@db.example.com:3306/forms`,
      EMBEDDED,
      draft.value('DATABASE_URL'),
    );
    return url === undefined ? {} : { DATABASE_URL: url };
  },

  async attempt({ config }: Draft) {
    const { product, hasTables } = await tryDatabase(config);
    const { database } = config;
    const where = database.kind === 'embedded' ? database.file : `${database.host}:${database.port}`;
    const what = hasTables ? 'It has data of the service already' : 'It is new';
    return `${product} works at ${where}. ${what}.`;
  },
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** Trusts the one proxy in front. */
const ONE_PROXY = '1';
const THIS_MACHINE = '127.0.0.1';

/** Asks for the public address, and sets the ports and the certificate by it. */
export const addressStep: Step = {
  title: 'Address',

  read({ baseUrl, proxy }: SetupOptions, draft: Draft): Change {
    if (baseUrl === false) return { BASE_URL: null };
    if (baseUrl === undefined && proxy === undefined) return {};
    return changeFor(baseUrl ?? draft.config.baseUrl, proxy ?? isBehindProxy(draft), draft);
  },

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const baseUrl = await terminal.ask(
      'Address of the service, such as https://forms.example.com',
      draft.config.baseUrl,
    );
    if (!isBaseUrl(baseUrl) || LOOPBACK.test(new URL(baseUrl).hostname)) return changeFor(baseUrl, false, draft);
    const isProxied = await terminal.confirm(
      'Does a proxy such as nginx or Caddy answer there, and pass requests to the service?',
      isBehindProxy(draft),
    );
    return changeFor(baseUrl, isProxied, draft);
  },

  async attempt({ config }: Draft) {
    const { port, host, tls, http } = config;
    const where = `The service listens on ${host}:${port}`;
    const sentence =
      tls.acmeDomains.length > 0
        ? `${where} and orders the certificate for ${tls.acmeDomains.join(', ')}. Ports 80 and ${port} must be reachable from the internet. You agree to the terms of the authority, Let's Encrypt.`
        : `${where}${http.trustProxy === 'off' ? '' : ' for the proxy'}.`;
    const trouble = await portTrouble(config);
    return trouble === null ? sentence : `${sentence}\n  At the moment it could not: ${trouble}`;
  },
};

function isBehindProxy(draft: Draft) {
  return draft.config.http.trustProxy !== 'off';
}

/** Returns the settings for an address; those that fit already stay. */
function changeFor(baseUrl: string, isProxied: boolean, draft: Draft): Change {
  const base = { BASE_URL: baseUrl };
  if (!isBaseUrl(baseUrl)) return base;
  const { protocol, hostname, port } = new URL(baseUrl);
  const { tls } = draft.config;
  const hasFiles = tls.certFile !== undefined;
  const withoutAcme = { ACME_DOMAIN: null, ...(!hasFiles && { HTTP_PORT: null }) };
  if (isProxied) {
    return {
      ...base,
      ...withoutAcme,
      ...(tls.acmeDomains.length > 0 && { PORT: null }),
      ...(!isBehindProxy(draft) && { TRUST_PROXY: ONE_PROXY }),
      HOST: draft.value('HOST') ?? THIS_MACHINE,
    };
  }
  const direct = {
    ...base,
    ...(isBehindProxy(draft) && { TRUST_PROXY: null }),
    ...(draft.value('HOST') === THIS_MACHINE && !LOOPBACK.test(hostname) && { HOST: null }),
  };
  if (protocol === 'http:') return { ...direct, ...withoutAcme, PORT: port || '80' };
  if (hasFiles || tls.acmeDomains.includes(hostname)) return direct;
  return { ...direct, ACME_DOMAIN: hostname, HTTP_PORT: '80', PORT: port || '443' };
}

/** Returns why the service could not listen now; null if it could. It may run already, or as another user. */
async function portTrouble(config: Config) {
  const { port, tls } = config;
  for (const each of tls.httpPort === undefined ? [port] : [port, tls.httpPort]) {
    const server = createServer();
    try {
      await once(server.listen(each, config.host), 'listening');
    } catch (error) {
      return explainFailure(error, config);
    } finally {
      server.close();
    }
  }
  return null;
}

const NONE = 'none';

/** Asks for the mail server, logs in to it, and sends a test email if a recipient is given. */
export class MailStep implements Step {
  readonly title = 'Email';
  private to: string | undefined;

  read({ smtpUrl, mailFrom, testEmail }: SetupOptions): Change {
    this.to = testEmail === undefined ? undefined : emailOf('--test-email')(testEmail);
    return changeOf({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom });
  }

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const url = await askServer(
      terminal,
      `Mail server: ${NONE}, or such as smtp://user@mail.example.com:587`,
      NONE,
      draft.value('SMTP_URL'),
    );
    const change: Change = url === undefined ? {} : { SMTP_URL: url };
    this.to = undefined;
    if (url === null) return change;
    const { address } = draft.config.mailFrom;
    const proposal = parseEmailAddress(address) === null ? '' : address;
    const from = await terminal.ask('Sender of emails', draft.value('MAIL_FROM') ?? proposal);
    const to = await terminal.until(async () => {
      const answer = await terminal.ask('Send a test email to, or Enter for none');
      return answer === '' ? undefined : emailOf('It')(answer);
    });
    this.to = to;
    return { ...change, ...(from !== '' && { MAIL_FROM: from }) };
  }

  async attempt({ config }: Draft) {
    const mailer = new Mailer(config);
    if (!mailer.isConfigured)
      return `Emails are written to files in ${join(config.dataDir, 'mail')} and reach nobody, until SMTP_URL is set.`;
    try {
      const { state, detail } = await this.check(new MailCheck(mailer, config));
      if (state === 'failed') throw new Refused(detail);
      return detail;
    } finally {
      await mailer.onApplicationShutdown();
    }
  }

  private async check(check: MailCheck) {
    try {
      return await check.run(this.to);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Refused(`The mail server refuses the test email: ${words}. Check MAIL_FROM and the recipient.`, {
        cause: error,
      });
    }
  }
}

const OFF = 'off';
const NO_COMMAND = 'none';
const NIGHT = '03:00';
/** A file that is written to see whether the folder takes backups, and removed. */
const TRIAL = 'setup-trial';

/** Asks when and where backups are made, and writes there. */
export const backupStep: Step = {
  title: 'Backups',

  read: ({ backupDir, backupSchedule, backupCommand }: SetupOptions) =>
    changeOf({ BACKUP_DIR: backupDir, BACKUP_SCHEDULE: backupSchedule, BACKUP_COMMAND: backupCommand }),

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const { backupDir, backupTimes } = draft.config;
    const folder = await terminal.ask('Folder for backups; another disk is better', backupDir);
    const schedule = await terminal.ask(`Times of the day in UTC, or ${OFF}`, draft.value('BACKUP_SCHEDULE') ?? NIGHT);
    const command = await terminal.ask(
      `Command that copies each backup, "$BACKUP_FILE", elsewhere, or ${NO_COMMAND}`,
      draft.value('BACKUP_COMMAND') ?? NO_COMMAND,
    );
    return {
      ...(folder !== backupDir && { BACKUP_DIR: folder }),
      ...(schedule !== backupTimes.join(',') && { BACKUP_SCHEDULE: schedule }),
      BACKUP_COMMAND: command === NO_COMMAND ? null : command,
    };
  },

  async attempt({ config }: Draft) {
    const { backupDir, backupTimes, backups } = config;
    if (backups.command !== undefined) tryCommand(backups.command);
    if (backupTimes.length === 0) return 'The service makes no backups by itself: BACKUP_SCHEDULE is off.';
    const folder = new BackupFolder(backupDir);
    try {
      await folder.write(TRIAL, () => Readable.from(['']));
      await rm(folder.fileOf(TRIAL));
    } catch (error) {
      throw new Refused(reasonOf(error), { cause: error });
    }
    return `The service makes a backup at ${backupTimes.join(' and ')} UTC in ${backupDir}.`;
  },
};

/** Reads a command without running it. @throws Refused when the shell does not understand it */
function tryCommand(command: string) {
  const { status, stderr } = spawnSync('/bin/sh', ['-n', '-c', command], { encoding: 'utf8' });
  if (status !== 0) throw new Refused(`The shell does not understand BACKUP_COMMAND: ${stderr.trim()}.`);
}
