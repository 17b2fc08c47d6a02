import { readFileSync, statSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DatabaseAddress, NO_PROXIES, parseTrustProxy } from './addresses.js';
import { type Mailbox, SETTINGS, ALL_SETTINGS } from './settings.js';
import { valuesOf, type Values } from './setting.js';
import { parseEnv } from 'node:util';

/** Ends the name of a variable that names a file with the value, as container platforms hand out secrets. */
export const IN_FILE = '_FILE';
/** Most bytes of a file with a value. */
const FILE_MAX_BYTES = 65_536;

/** Returns the setting that a variable such as `SMTP_URL_FILE` holds the file of; null for other names. */
function settingInFile(variable: string) {
  return variable.endsWith(IN_FILE) ? variable.slice(0, -IN_FILE.length) : null;
}

/**
 * Returns the value of a setting, from its variable or from the file that `NAME_FILE` names; undefined if it is empty or
 * neither is set.
 * @param problems gets a sentence if both are set, or the file cannot be read
 */
export function givenValue(
  name: string,
  environment: Record<string, string | undefined>,
  problems: string[],
): string | undefined {
  const value = withoutQuotes(environment[name] ?? '');
  const file = withoutQuotes(environment[name + IN_FILE] ?? '');
  if (file === '') return value || undefined;
  if (value !== '') {
    problems.push(`${name} and ${name}${IN_FILE} are both set. Remove one of them.`);
    return undefined;
  }
  try {
    return withoutMark(readValue(file)).trim() || undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${name}${IN_FILE} names a file that cannot be used: ${reason}.`);
    return undefined;
  }
}

/** Removes the mark that editors put in front of a text in UTF-8. */
function withoutMark(text: string) {
  return text.replace(/^\uFEFF/, '');
}

/** Removes the quotes and line ends that some programs leave around a value of an environment file. */
function withoutQuotes(text: string) {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function readValue(file: string) {
  const { size } = statSync(file);
  if (size > FILE_MAX_BYTES) throw new Error(`${file} is larger than ${FILE_MAX_BYTES} bytes`);
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0') || text.includes('\uFFFD')) throw new Error(`${file} is not UTF-8 text`);
  return text;
}

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
  const mailFrom: Mailbox = values.mail.from ?? { name: 'Form Collection Service', address: sender };
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
function contradictions({ tls, port, baseUrl }: Config, given: ReadonlySet<string>, right: ReadonlySet<string>) {
  const lacks = (name: string, ...needed: string[]) => right.has(name) && !needed.some((other) => given.has(other));
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
    [tls.isOn && tls.httpPort === port, `HTTP_PORT and PORT are both ${port}. Set PORT to 443 or another port.`],
    [
      tls.isOn && baseUrl.startsWith('http:'),
      'BASE_URL must begin with https://, because PORT serves TLS with TLS_CERT or ACME_DOMAIN.',
    ],
  ];
  return sentences.flatMap(([is, sentence]) => (is ? [sentence] : []));
}

/** Shortest setting, in letters, that is compared: shorter ones are near to variables of other programs. */
const SHORTEST = 7;
/** Length from which two letters may be wrong instead of one. */
const LONG = 9;

/**
 * Finds variables of the environment that look like a misspelt setting, such as SMPT_URL.
 * @returns a sentence for each, with the setting that was probably meant
 */
export function misspeltSettings(environment: Record<string, string | undefined>): string[] {
  const known = ALL_SETTINGS.map((setting) => setting.name);
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(settingInFile(name) ?? name)) return [];
    const meant = known.find((setting) => isNear(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

function isNear(name: string, setting: string) {
  if (setting.length < SHORTEST) return false;
  return distance(name.toUpperCase(), setting) <= (setting.length < LONG ? 1 : 2);
}

/** Counts the letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string) {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}

/** File with settings in the working directory. */
export const ENV_FILE = '.env';

/**
 * Reads the settings of this process from its environment, and from `.env` in the working directory for
 * variables that the environment lacks.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(overrides: Record<string, string> = {}): Config {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value;
  return Config.from({ ...process.env, ...overrides });
}

/** Returns a copy of the variables of this process. */
export function environment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** Returns a sentence for each variable that looks like a misspelt setting. */
export function doubtfulSettings(): string[] {
  return misspeltSettings(process.env);
}

function readEnvFile(): Record<string, string | undefined> {
  return parseEnv(readEnvText());
}

/**
 * Returns the text of `.env`; empty if the file is not there.
 * @throws ConfigError for a file that is not text in UTF-8, as some editors on Windows save it
 */
export function readEnvText() {
  if (!existsSync(ENV_FILE)) return '';
  const text = withoutMark(readFileSync(ENV_FILE, 'utf8'));
  if (text.includes('\0') || text.includes('\uFFFD'))
    throw new ConfigError([`${ENV_FILE} is not UTF-8 text. Save it as UTF-8.`]);
  return text;
}
