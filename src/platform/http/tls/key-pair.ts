import { generateKeyPairSync, createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, openSync, closeSync, fsyncSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIP } from 'node:net';
import { type Config, ConfigError } from '../../config/config.js';
import { DAY_MS } from '../../kernel/time.js';

const FOLDER = 'acme';
/** Readable by the user of this process alone. */
const MODE = 0o600;

/**
 * Keeps the account key, the certificate and the last failure at an authority, in a folder of its own for each: a
 * certificate of its test directory is none of the real one.
 */
export class AcmeFolder {
  private constructor(private readonly path: string) {}

  static of({ dataDir, tls }: Config): AcmeFolder {
    const { host } = new URL(tls.acmeDirectoryUrl);
    return new AcmeFolder(join(dataDir, FOLDER, encodeURIComponent(host)));
  }

  /** Returns the certificate with its key; null while there is none. */
  read(): { cert: string; key: string } | null {
    const pem = this.textOf('certificate.pem');
    return pem === null ? null : { cert: pem, key: pem };
  }

  /** Keeps both in one file, so that they are of one renewal whenever the process ends. */
  save(cert: string, key: string) {
    this.write('certificate.pem', `${cert.trim()}\n${key.trim()}\n`);
    rmSync(join(this.path, 'failure.txt'), { force: true });
  }

  /** Returns the key of the account at the authority, and makes it the first time. */
  accountKey() {
    const kept = this.textOf('account-key.pem');
    if (kept !== null) return kept;
    const made = makeKey();
    this.write('account-key.pem', made);
    return made;
  }

  /** Why the last order failed; null when it did not. */
  get failure(): string | null {
    return this.textOf('failure.txt');
  }

  saveFailure(reason: string) {
    this.write('failure.txt', reason);
  }

  private textOf(name: string) {
    try {
      return readFileSync(join(this.path, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private write(name: string, text: string) {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const path = join(this.path, name);
    const part = openSync(`${path}.part`, 'w', MODE);
    try {
      writeFileSync(part, text);
      fsyncSync(part);
    } finally {
      closeSync(part);
    }
    renameSync(`${path}.part`, path);
  }
}

/** Makes a private key, as PEM. */
export function makeKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Life that a certificate should have left: renewals come earlier. */
const LEAST_LIFE_DAYS = 14;

/** A certificate with its chain, and its private key, both as PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** The parts of a certificate that an operator asks for. */
export interface CertificateFacts {
  names: string[];
  /** Such as `Let's Encrypt R11`. */
  issuer: string;
  validFrom: Date;
  validTo: Date;
}

/**
 * Reads the certificate that the service serves.
 * @returns null for one that has not been ordered yet
 * @throws ConfigError when TLS_CERT and TLS_KEY are no pair, with a sentence for the operator
 */
export function readKeyPair(config: Config): KeyPair | null {
  const { certFile, keyFile } = config.tls;
  if (certFile === undefined || keyFile === undefined) return AcmeFolder.of(config).read();
  const pair = { cert: read('TLS_CERT', certFile), key: read('TLS_KEY', keyFile) };
  checkPair(pair, config.tls);
  return pair;
}

export function factsOf({ cert }: KeyPair): CertificateFacts {
  const { subjectAltName = '', subject, issuer, validFrom, validTo } = new X509Certificate(cert);
  const names = subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
  const [common = ''] = partsOf(subject, 'CN');
  return {
    names: subjectAltName === '' ? [common] : names,
    issuer: [...partsOf(issuer, 'O'), ...partsOf(issuer, 'CN')].join(' '),
    validFrom: new Date(validFrom),
    validTo: new Date(validTo),
  };
}

/** Tells whether clients take the certificate for that host. */
export function covers({ cert }: KeyPair, hostname: string) {
  const certificate = new X509Certificate(cert);
  const host = hostname.replace(/^\[|\]$/g, '');
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

/** Returns how many days the certificate is still valid, rounded down; negative once it is not. */
export function daysLeft({ validTo }: CertificateFacts, now: Date) {
  return Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
}

/** Returns what keeps clients from taking the certificate, now or soon, in sentences without an end. */
export function doubtsOf(pair: KeyPair, { baseUrl }: Config, now: Date): string[] {
  const facts = factsOf(pair);
  const { hostname } = new URL(baseUrl);
  const days = daysLeft(facts, now);
  const until = facts.validTo.toISOString().slice(0, 10);
  const doubts: string[] = [];
  if (days < 0) doubts.push(`expired on ${until}, and clients refuse it`);
  else if (days < LEAST_LIFE_DAYS) doubts.push(`expires on ${until}, in ${daysText(days)}`);
  if (facts.validFrom > now) doubts.push(`is valid only from ${facts.validFrom.toISOString()}; check the clock`);
  if (!covers(pair, hostname)) doubts.push(`is for ${facts.names.join(', ')}, and not for ${hostname} of BASE_URL`);
  return doubts;
}

export function daysText(days: number) {
  return days === 1 ? '1 day' : `${days} days`;
}

/** @throws ConfigError unless it is a certificate with its key */
function checkPair({ cert, key }: KeyPair, { certFile = '', keyFile = '' }: Config['tls']) {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    throw new ConfigError([
      `TLS_CERT ${certFile} has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----. Set it to the file with the certificate and its chain.`,
    ]);
  }
  if (key.includes('ENCRYPTED'))
    throw new ConfigError([
      `TLS_KEY ${keyFile} is encrypted. Save the key without a passphrase: openssl pkey -in ${keyFile} -out plain.pem`,
    ]);
  let matches: boolean;
  try {
    matches = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new ConfigError([
      `TLS_KEY ${keyFile} has no private key in PEM form, which begins with -----BEGIN PRIVATE KEY-----. Set it to the file of the certificate's key.`,
    ]);
  }
  if (!matches)
    throw new ConfigError([
      `TLS_KEY ${keyFile} is not the key of the certificate in TLS_CERT ${certFile}. Set both to the files that were made together.`,
    ]);
}

function read(setting: string, file: string) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      code === 'ENOENT'
        ? `${setting} ${file} does not exist. Set it to a PEM file.`
        : `This user cannot read ${setting} ${file} (${code}). Set it to a PEM file that this user can read.`,
    ]);
  }
}

/** Returns the values of an attribute of a name such as `C=US\nO=Let's Encrypt\nCN=R11`. */
function partsOf(name: string, attribute: string) {
  const lines = name.split('\n').filter((line) => line.startsWith(`${attribute}=`));
  return lines.map((line) => line.slice(attribute.length + 1));
}
