import { generateKeyPairSync } from 'node:crypto';
import {
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';

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
  save(cert: string, key: string): void {
    this.write('certificate.pem', `${cert.trim()}\n${key.trim()}\n`);
    rmSync(join(this.path, 'failure.txt'), { force: true });
  }

  /** Returns the key of the account at the authority, and makes it the first time. */
  accountKey(): string {
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

  saveFailure(reason: string): void {
    this.write('failure.txt', reason);
  }

  private textOf(name: string): string | null {
    try {
      return readFileSync(join(this.path, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private write(name: string, text: string): void {
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
export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
