import { join, resolve } from 'node:path';
import type { DatabaseAddress } from './addresses.js';
import { givenValue } from './given-value.js';
import type { Mailbox } from './mailbox.js';
import { NO_PROXIES, parseTrustProxy } from './networks.js';
import { valuesOf, type Values } from './setting.js';
import { SETTINGS } from './settings.js';

/** When the embedded database is backed up by default, in UTC. */
const NIGHT = '03:00';
/** Port on which an authority looks for its challenges (RFC 8555, section 8.3). */
const CHALLENGE_PORT = 80;

/** Settings are wrong. `problems` has a sentence for each, with the variable and the fix. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/** Returns the settings with what follows from several of them. */
function complete(values: Values<typeof SETTINGS>) {
  const { http, tls, port, backups } = values;
  const { acmeDomains = [] } = tls;
  const isOn = tls.certFile !== undefined || acmeDomains.length > 0;
  const own = `http${isOn ? 's' : ''}://${acmeDomains[0] ?? `localhost:${port}`}`;
  const baseUrl = (values.baseUrl ?? own).replace(/(?<!\/)\/+$/, '');
  const sender = `no-reply@${new URL(baseUrl).hostname}`;
  const mailFrom: Mailbox = values.mail.from ?? {
    name: 'Form Collection Service',
    address: sender,
  };
  const dataDir = resolve(values.dataDir);
  const file = join(dataDir, 'database.sqlite');
  const database: DatabaseAddress = values.database ?? { kind: 'embedded', file };
  return {
    ...values,
    http: { ...http, trustedProxies: parseTrustProxy(http.trustProxy) ?? NO_PROXIES },
    tls: {
      ...tls,
      isOn,
      /** Names to order a certificate for, in lower case; none when it comes from files, or TLS is off. */
      acmeDomains,
      /** TCP port that leads visitors from http to https, and answers the challenges of an authority. */
      httpPort: tls.httpPort ?? (acmeDomains.length > 0 ? CHALLENGE_PORT : undefined),
    },
    /** Address that visitors and API users call, without a trailing slash. */
    baseUrl,
    /** Sender of all mails. */
    mailFrom,
    /** Absolute path of the folder for everything on disk. */
    dataDir,
    database,
    /** Absolute path of the folder for backups. */
    backupDir: resolve(backups.dir ?? join(dataDir, 'backups')),
    /** Times of the day of backups, as `HH:MM` in UTC; none if they are off. */
    backupTimes: backups.times ?? (database.kind === 'embedded' ? [NIGHT] : []),
  };
}

type Settings = Readonly<ReturnType<typeof complete>>;

// TypeScript gives a class no properties by a type: `from` assigns them, which is the only way to make one.
/** Has the settings as its own properties. */
const Completed = Object as unknown as new () => Settings;

/** Holds every setting of the service, read once from the environment and checked at start. */
export class Config extends Completed {
  /**
   * Reads and checks the settings.
   * @throws ConfigError with all problems at once
   */
  static from(environment: Record<string, string | undefined>): Config {
    const problems: string[] = [];
    const given = new Set<string>();
    const right = new Set<string>();
    const values = valuesOf(SETTINGS, (setting) => {
      const { name, must } = setting;
      const text = givenValue(name, environment, problems);
      if (text === undefined) return setting.read();
      given.add(name);
      const value = setting.read(text);
      if (value === null) problems.push(`${name} must ${must}.`);
      else right.add(name);
      return value ?? setting.read();
    });
    const config = Object.assign(new Config(), complete(values));
    problems.push(...contradictions(config, given, right));
    if (problems.length > 0) throw new ConfigError(problems);
    return config;
  }
}

/**
 * Returns a sentence for each setting that does not fit another.
 * @param right those that are given and right by themselves
 */
function contradictions(
  { tls, port, baseUrl }: Config,
  given: ReadonlySet<string>,
  right: ReadonlySet<string>,
): string[] {
  const lacks = (name: string, ...needed: string[]) =>
    right.has(name) && !needed.some((other) => given.has(other));
  const sentences: [boolean, string][] = [
    [lacks('TLS_CERT', 'TLS_KEY'), 'TLS_CERT needs TLS_KEY, the PEM file of its private key.'],
    [lacks('TLS_KEY', 'TLS_CERT'), 'TLS_KEY needs TLS_CERT, the PEM file of its certificate.'],
    [
      right.has('ACME_DOMAIN') && given.has('TLS_CERT'),
      'ACME_DOMAIN orders a certificate, and TLS_CERT names another. Remove one of the two.',
    ],
    [
      lacks('HTTP_PORT', 'TLS_CERT', 'ACME_DOMAIN'),
      'HTTP_PORT needs TLS_CERT or ACME_DOMAIN. Without them PORT serves plain HTTP: set PORT instead.',
    ],
    [
      lacks('OIDC_ISSUER', 'OIDC_CLIENT_ID'),
      'OIDC_ISSUER needs OIDC_CLIENT_ID, which the provider gives to each service.',
    ],
    [
      tls.isOn && tls.httpPort === port,
      `HTTP_PORT and PORT are both ${port}. Set PORT to 443 or another port.`,
    ],
    [
      tls.isOn && baseUrl.startsWith('http:'),
      'BASE_URL must begin with https://, because PORT serves TLS with TLS_CERT or ACME_DOMAIN.',
    ],
  ];
  return sentences.flatMap(([is, sentence]) => (is ? [sentence] : []));
}
