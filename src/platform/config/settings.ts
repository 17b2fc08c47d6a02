import { isEmail } from 'class-validator';
import { parseEmailAddress, parseUrl, parseSecureUrl } from '../kernel/text/addresses.js';
import { commaList } from '../kernel/text/text.js';
import { isAcceptableSecret } from '../kernel/token-secret.js';
import {
  isBaseUrl,
  isMonitorUrl,
  isPlain,
  isSmtpUrl,
  parseDatabaseUrl,
  parseImapUrl,
  parseDnsServers,
  parseNetworks,
  parseTrustProxy,
} from './addresses.js';
import { CAPTCHA, FILTERS, INTAKE, LIMITS } from './intake-settings.js';
import { kind, matching, oneOf, setting, settingsOf, taking, text, whole } from './setting.js';

/** A sender or recipient of mail. */
export interface Mailbox {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** Reads `forms@example.com` or `Forms <forms@example.com>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', inside = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = parseEmailAddress(inside);
  const plain = name.trim().replace(/^"(.*)"$/, '$1');
  return address === null || /\p{Cc}/u.test(plain) ? null : { name: plain, address };
}

/** Longest host name in characters (RFC 1035, section 2.3.4). */
const HOST_MAX = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
/** Matches what ends like an IPv4 address, which is no name. */
const NUMERIC = /\.\d+$/;

/** Returns a host name in lower case and in ASCII, without the dot at its end; null for what is none. */
export function parseHostName(value: unknown): string | null {
  // Longer names are none, and to prepare them takes long (RFC 3491).
  if (typeof value !== 'string' || value.length > HOST_MAX) return null;
  const typed = value.trim().replace(/\.$/, '');
  if (/[/?#@:\\\s%]/.test(typed)) return null;
  const { hostname = '' } = parseUrl(`http://${typed}`) ?? {};
  return hostname.length <= HOST_MAX && HOST.test(hostname) && !NUMERIC.test(hostname) ? hostname : null;
}

/** Reads a list as HOSTS takes it: `*`, host names, and `*.` with one. @returns null for anything else */
function parseHosts(text: string) {
  const entries = commaList(text);
  return entries.every((entry) => entry === '*' || parseHostName(entry.replace(/^\*\./, ''))) ? entries : null;
}

/** Tells whether an entry of HOSTS is for a host: `*` is for all, `*.example.com` for those below it. */
export function isHostAmong(host: string, entries: readonly string[]) {
  return entries.some((entry) => {
    if (entry === '*') return true;
    if (!entry.startsWith('*.')) return parseHostName(entry) === host;
    return host.endsWith(`.${parseHostName(entry.slice(2)) ?? ''}`);
  });
}

/** Shortest key, in characters. */
const KEY_MIN = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const TOKEN = 'have 24 to 255 characters from A-Z a-z 0-9 - . _ ~ + / with = only at the end';
/** Name of the first account until it has a name of its own. */
export const DEFAULT_ACCOUNT_NAME = 'My account';

const email = kind(
  taking((given) => isEmail(given)),
  'be an email address, such as owner@example.com',
);
/** Refuses what is in a file in place of its name: as TLS_KEY it would be in the log. */
const file = kind(matching(/^(?!-----)/), 'be the path of a PEM file, and not its contents');
const domains = kind(listOf(/^[\w.-]+$/), 'be domains separated by commas, such as example.com,example.org');
/** Takes names of at least two labels, of which the last is no number. */
const hostNames = listOf(/^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/);
const secureUrl = taking((given) => parseSecureUrl(given) !== null);
const proxies = taking((given) => parseTrustProxy(given) !== null);
const times = listOf(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Reads lists with commas whose entries match, in lower case; an empty text is an empty list. */
function listOf(entry: RegExp) {
  return (given: string) => {
    const entries = given === '' ? [] : given.split(',').map((each) => each.trim().toLowerCase());
    return entries.every((each) => entry.test(each)) ? entries : null;
  };
}

function readKeys(given: string) {
  const keys = commaList(given);
  return keys.every(({ length }) => length >= KEY_MIN) ? keys : null;
}

/** Every setting: the only list of them, of which docs/settings.md and `.env.example` are made. */
export const SETTINGS = {
  port: setting('PORT', whole(0, 65_535), {
    default: 3000,
    doc: 'TCP port to listen on, {range}; 0 chooses a free one.',
  }),
  host: setting('HOST', matching(/^[\w.:-]+$/), {
    default: '0.0.0.0',
    must: 'be an address such as 0.0.0.0, 127.0.0.1 or ::',
    doc: 'Address to listen on: `127.0.0.1` for this machine only, `::` to include IPv6.',
  }),
  baseUrl: setting('BASE_URL', taking(isBaseUrl), {
    unset: '`http://localhost:` and the port',
    must: 'be the absolute http or https address visitors use, without a path, such as https://forms.example.com',
    doc: 'Public http or https address of the service. With `ACME_DOMAIN`, `https://` and its first name; with `TLS_CERT`, `https://localhost:` and the port.',
  }),
  tls: {
    certFile: setting('TLS_CERT', file, {
      unset: 'no TLS',
      doc: 'PEM file of a certificate with its chain. `PORT` then serves HTTPS: set it to `443`. The service reads a new file within a minute, without a restart.',
    }),
    keyFile: setting('TLS_KEY', file, {
      doc: 'PEM file of its private key, without a passphrase; required with `TLS_CERT`.',
    }),
    acmeDomains: setting('ACME_DOMAIN', hostNames, {
      must: 'be public host names separated by commas, such as forms.example.com; an IP address, localhost or a wildcard gets no certificate this way',
      doc: 'Host names, comma-separated, that the service orders and renews a certificate for; you agree to the terms of the authority. `PORT` then serves HTTPS: set it to `443`. Not with `TLS_CERT`.',
    }),
    acmeEmail: setting('ACME_EMAIL', email, { doc: 'Address that the authority can write to.' }),
    acmeDirectoryUrl: setting('ACME_DIRECTORY_URL', secureUrl, {
      default: 'https://acme-v02.api.letsencrypt.org/directory',
      must: 'be the https address of an ACME directory, such as {example}',
      doc: 'The authority that certificates are ordered from: the https address of its ACME directory.',
    }),
    httpPort: setting('HTTP_PORT', whole(1, 65_535), {
      example: 80,
      unset: '`80` with `ACME_DOMAIN`',
      doc: 'TCP port, {range}, that redirects http to https and answers the authority. Only with `TLS_CERT` or `ACME_DOMAIN`.',
    }),
  },
  database: setting('DATABASE_URL', parseDatabaseUrl, {
    unset: 'the embedded database',
    must: 'look like mysql://user:password@host:3306/name, with ?ssl=true for TLS; leave it out for the embedded database',
    doc: 'MySQL or MariaDB: `mysql://user:password@host:3306/name`, user and password percent-encoded; `?ssl=true` for TLS with a verified certificate.',
  }),
  databasePoolSize: setting('DATABASE_POOL_SIZE', whole(2, 500, 'connections'), {
    default: 10,
    doc: 'Most connections to the database server, {range}; submissions use one more.',
  }),
  dataDir: setting('DATA_DIR', text, {
    default: './data',
    doc: 'Folder for data on disk, such as the embedded database.',
  }),
  migrate: setting('MIGRATE', oneOf('on', 'off'), {
    default: 'on',
    doc: '`on` runs pending migrations at start; `off` leaves them to `npm run migrate`.',
  }),
  newerDatabase: setting('NEWER_DATABASE', oneOf('refuse', 'allow'), {
    default: 'refuse',
    doc: '`refuse` does not start on a database that a newer version has migrated; `allow` does, for a rolling upgrade or to go back.',
  }),
  backups: {
    times: setting('BACKUP_SCHEDULE', (given) => (given === 'off' ? [] : times(given)), {
      unset: '`03:00` with the embedded database, else `off`',
      must: 'be off, or times of the day in UTC, such as 03:00 or 03:00,15:00',
      doc: 'When the service makes a backup: times of the day in UTC, such as `03:00,15:00`, or `off`.',
    }),
    dir: setting('BACKUP_DIR', text, {
      unset: 'the folder `backups` in `DATA_DIR`',
      doc: 'The folder for backups, which only the user of the service can read. Another disk is better.',
    }),
    keepDays: setting('BACKUP_KEEP_DAYS', whole(1, 3_650, 'days'), {
      default: 7,
      doc: 'How many days keep their last backup, {range}.',
    }),
    keepWeeks: setting('BACKUP_KEEP_WEEKS', whole(0, 520, 'weeks'), {
      default: 4,
      doc: 'How many weeks keep their last backup, {range}.',
    }),
    command: setting('BACKUP_COMMAND', text, {
      doc: 'Command that runs after each scheduled backup, to copy it elsewhere: in `/bin/sh`, as the user of the service and with its environment. `BACKUP_FILE` is the path of the backup. Ends after 6 hours.',
    }),
    beforeMigrations: setting('BACKUP_BEFORE_MIGRATIONS', oneOf('on', 'off'), {
      default: 'on',
      doc: '`on` backs up the database before an upgrade changes it; `off` does not.',
    }),
  },
  bootstrapToken: setting('BOOTSTRAP_TOKEN', taking(isAcceptableSecret), {
    unset: 'a random token',
    must: `${TOKEN}; one that starts with fcs_ must be a complete token of this service`,
    doc: 'Token of the first account, 24 to 255 characters from `A-Z a-z 0-9 - . _ ~ + /`, with `=` only at the end. Ignored once an account exists.',
  }),
  secrets: {
    keys: setting('SECRET_KEY', readKeys, {
      default: '',
      unset: 'the file `secret.key` in `DATA_DIR`',
      must: `have at least ${KEY_MIN} characters; to change it, put the new key first, then a comma and the old one`,
      doc: 'Key that seals the secrets of destinations in the database, at least 32 characters. Backups have only what it sealed: keep it apart from them. To change it, see [a new key](#a-new-secret_key).',
    }),
  },
  accountName: setting('ACCOUNT_NAME', matching(/^.{0,255}$/su), {
    default: DEFAULT_ACCOUNT_NAME,
    must: 'not be longer than 255 characters',
    doc: 'Name of the first account, at most 255 characters.',
  }),
  accountEmail: setting('ACCOUNT_EMAIL', email, {
    doc: 'Default recipient of the first account. If unset, the person who sets up the account. Change it later with `accounts change`.',
  }),
  http: {
    trustProxy: setting('TRUST_PROXY', proxies, {
      default: 'off',
      must: 'be off, the number of proxies in front (1 to 10), or their addresses such as 10.0.0.0/8,127.0.0.1',
      doc: 'Proxies in front whose `X-Forwarded-For` the service trusts: `off`, their number (1 to 10), or their addresses as CIDR blocks, comma-separated.',
    }),
    hosts: setting('HOSTS', parseHosts, {
      default: '',
      unset: 'none',
      must: 'be * or host names separated by commas, such as forms.example.com,*.example.org',
      doc: 'Hosts that clients can have as their own: host names, `*.example.com` for all below one, or `*`, comma-separated. See [hosts of clients](operations.md#hosts-of-clients).',
    }),
    headerTimeoutMs: setting('HEADER_TIMEOUT_MS', whole(100, 600_000, 'milliseconds'), {
      default: 15_000,
      doc: 'Longest time to send the headers of a request, in milliseconds, {range}.',
    }),
    bodyTimeoutMs: setting('BODY_TIMEOUT_MS', whole(100, 3_600_000, 'milliseconds'), {
      default: 60_000,
      doc: 'Longest time to send a whole request, in milliseconds, {range}.',
    }),
    maxConnectionsPerAddress: setting('MAX_CONNECTIONS_PER_ADDRESS', whole(0, 100_000, 'connections'), {
      default: 1_000,
      doc: 'Most open connections of one address, {range}; `0` for no limit. Connections of a trusted proxy do not count.',
    }),
    heartbeatUrl: setting('HEARTBEAT_URL', taking(isMonitorUrl), {
      must: 'be an http or https URL without a user and password, such as https://hc-ping.com/…',
      doc: 'Address of a monitor, such as `https://hc-ping.com/…`, that each process with HTTP calls once a minute while all is well. See [monitoring](operations.md#monitoring).',
    }),
  },
  intake: INTAKE,
  limits: LIMITS,
  oidc: {
    issuer: setting(
      'OIDC_ISSUER',
      taking((url) => isPlain(parseSecureUrl(url))),
      {
        unset: 'none',
        must: 'be the https issuer address of the provider, such as https://accounts.example.com',
        doc: 'OpenID Connect provider for sign-in: its https issuer address. Register `BASE_URL` plus `/sign-in/oidc/callback` there as the redirect URI.',
      },
    ),
    clientId: setting('OIDC_CLIENT_ID', text, { doc: 'The client id at the provider; required with `OIDC_ISSUER`.' }),
    clientSecret: setting('OIDC_CLIENT_SECRET', text, {
      doc: 'The client secret. Without one the service is a public client, which only PKCE protects.',
    }),
    allowedDomains: setting('OIDC_ALLOWED_DOMAINS', domains, {
      default: '',
      unset: 'all',
      doc: 'Domains, comma-separated, whose verified addresses can sign in through the provider.',
    }),
    name: setting('OIDC_NAME', matching(/^.{0,50}$/su), {
      default: 'single sign-on',
      must: 'not be longer than 50 characters',
      doc: 'Label of the provider on the sign-in button, at most 50 characters.',
    }),
  },
  filters: FILTERS,
  captcha: CAPTCHA,
  auditLogDays: setting('AUDIT_LOG_DAYS', whole(1, 3_650, 'days'), {
    default: 365,
    doc: 'Days to keep the audit log, {range}.',
  }),
  trashDays: setting('TRASH_DAYS', whole(0, 3_650, 'days'), {
    default: 30,
    doc: 'Days after which submissions in the trash are erased, {range}; 0: never.',
  }),
  mail: {
    smtpUrl: setting('SMTP_URL', taking(isSmtpUrl), {
      must: 'look like smtp://user:password@host:587 or smtps://user:password@host:465, user and password percent-encoded',
      doc: 'The mail server: `smtp://user:password@host:587` (STARTTLS when offered) or `smtps://user:password@host:465`, user and password percent-encoded. If unset, the service saves emails to `DATA_DIR/mail` as `.eml` files and keeps them for 30 days.',
    }),
    from: setting('MAIL_FROM', parseMailbox, {
      must: 'be an address, such as forms@example.com or Forms <forms@example.com>',
      doc: 'Sender of all emails, such as `Forms <forms@example.com>`. If unset, `no-reply@` and the host of `BASE_URL`.',
    }),
    fromDomains: setting('MAIL_FROM_DOMAINS', domains, {
      default: '',
      doc: 'Domains, comma-separated, that `notify_submitter_from` can use in the From header because their SPF or DKIM allows the mail server. Other addresses go to Reply-To.',
    }),
    dkimSelector: setting('DKIM_SELECTOR', matching(/^[a-z\d](?:[\w.-]{0,62}[a-z\d])?$/i), {
      must: 'be the selector of the DKIM key, such as s1',
      doc: 'Selector of the DKIM key that your mail server signs with, such as `s1`, for `doctor` to look it up. If unset, `doctor` tries the usual ones.',
    }),
    capPerRecipientDay: setting('MAIL_CAP_PER_RECIPIENT_DAY', whole(1, 100_000, 'mails'), {
      default: 5,
      doc: 'Most emails per day to one visitor, across all forms, {range}.',
    }),
    capPerRecipientHour: setting('MAIL_CAP_PER_RECIPIENT_HOUR', whole(1, 100_000, 'mails'), {
      default: 60,
      doc: 'Most emails per hour to one recipient, {range}; the rest arrives in one digest after the hour.',
    }),
    capPerFormHour: setting('MAIL_CAP_PER_FORM_HOUR', whole(1, 1_000_000, 'mails'), {
      default: 100,
      doc: 'Most emails per hour to visitors of one form, {range}.',
    }),
    confirmRecipients: setting('CONFIRM_RECIPIENTS', oneOf('clients', 'all', 'off'), {
      default: 'clients',
      doc: 'Recipients that must confirm with a link before they get emails: `clients` (addresses that clients enter), `all`, or `off`.',
    }),
  },
  dnsServers: setting('DNS_SERVERS', parseDnsServers, {
    default: '',
    unset: 'those of the machine',
    must: 'be IP addresses of DNS servers separated by commas, such as 9.9.9.9,192.0.2.53:5353',
    doc: 'DNS servers for looking up domains of emails, as IP addresses with an optional port, comma-separated, such as `9.9.9.9`.',
  }),
  bounces: {
    token: setting('BOUNCE_TOKEN', taking(isAcceptableSecret), {
      must: TOKEN,
      doc: 'Password with which mail providers report [bounces](mail.md#from-a-provider), 24 to 255 characters from `A-Z a-z 0-9 - . _ ~ + /`, with `=` only at the end. If unset, they cannot.',
    }),
    mailbox: setting('BOUNCE_IMAP_URL', parseImapUrl, {
      must: 'look like imaps://user:password@host:993/INBOX, user and password percent-encoded; imap:// uses STARTTLS',
      doc: 'Mailbox that [bounces](mail.md#from-a-mailbox) go to: `imaps://user:password@host:993/INBOX`, user and password percent-encoded; `imap://` for STARTTLS.',
    }),
  },
  deliveries: {
    workers: setting('WORKERS', oneOf('on', 'off', 'only'), {
      default: 'on',
      doc: 'Whether this process sends emails and webhook calls and runs background tasks: `on`, `off` (others do), or `only` (it accepts no requests).',
    }),
    allowedNetworks: setting('WEBHOOK_ALLOWED_NETWORKS', parseNetworks, {
      default: '',
      must: 'be CIDR blocks separated by commas, such as 10.0.0.0/8,fd00::/8',
      doc: 'Private networks that webhooks can call, imports fetch files from and mail servers of clients are in, as CIDR blocks, comma-separated, such as `10.0.0.0/8`.',
    }),
    logDays: setting('DELIVERY_LOG_DAYS', whole(1, 3_650, 'days'), {
      default: 30,
      doc: 'Days to keep successful deliveries and their attempts, {range}.',
    }),
  },
  metricsPort: setting('METRICS_PORT', whole(1, 65_535), {
    example: 9464,
    doc: 'Port for `GET /metrics` only, such as `9464`, at the address `HOST`.',
  }),
  metricsToken: setting('METRICS_TOKEN', taking(isAcceptableSecret), {
    must: TOKEN,
    doc: 'Bearer token for `GET /metrics`, 24 to 255 characters. Without `METRICS_PORT`, it enables `GET /metrics` on `PORT`.',
  }),
  logLevel: setting('LOG_LEVEL', oneOf(...LOG_LEVELS), {
    default: 'info',
    must: `be one of ${LOG_LEVELS.join(', ')}`,
    doc: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
};

/** The settings of all groups, in this order. */
export const ALL_SETTINGS = settingsOf(SETTINGS);
