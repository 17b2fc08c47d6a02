import { Injectable, Logger } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hook, Hooks } from '../hooks/hooks.js';
import { Config } from '../config/config.js';
import { keptText } from '../kernel/kept-text.js';
import { BackgroundTask, type TaskRun } from '../background/tasks.js';
import { HOUR_MS } from '../kernel/time.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes before the nonce that tell which key sealed a text. */
const KEY_ID_BYTES = 4;
const KEY_FILE = 'secret.key';
/** Random bytes of a key that is made. */
const KEY_BYTES = 32;

interface Key {
  id: Buffer;
  bytes: Buffer;
}

/** Begins a secret that a migration, which has no key, stored in clear; the hourly task seals it. */
const CLEAR = 'clear:';

/** Whether the key that seals now opens a text, another one of ours, or none. */
type Standing = 'current' | 'old' | 'unreadable';

/** No key that we have opens a text: the key file or SECRET_KEY is another than when it was sealed. */
export class SecretUnreadable extends Error {
  constructor() {
    super(
      `A stored secret cannot be read: SECRET_KEY, or the file ${KEY_FILE} in DATA_DIR, is not the one that sealed it.`,
    );
  }
}

/**
 * Seals secrets that are stored, so that neither the database nor a backup has them in clear. The keys are in
 * SECRET_KEY, whose first one seals; without it, one is in a file of DATA_DIR.
 */
@Injectable()
export class SecretBox {
  private keys: Promise<Key[]> | null = null;

  constructor(private readonly config: Config) {}

  /** Returns the text, encrypted and authenticated, as base64. */
  async seal(text: string) {
    const [key] = await this.loadOnce();
    if (!key) throw new SecretUnreadable();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([key.id, nonce, sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** @throws SecretUnreadable */
  async open(sealed: string) {
    if (sealed.startsWith(CLEAR)) return sealed.slice(CLEAR.length);
    const bytes = Buffer.from(sealed, 'base64');
    const id = bytes.subarray(0, KEY_ID_BYTES);
    const key = (await this.loadOnce()).find((known) => known.id.equals(id));
    if (!key) throw new SecretUnreadable();
    const start = KEY_ID_BYTES + NONCE_BYTES;
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(KEY_ID_BYTES, start));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(start, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SecretUnreadable();
    }
  }

  /** Tells whose key sealed a text, without opening it. */
  async standingOf(sealed: string): Promise<Standing> {
    if (sealed.startsWith(CLEAR)) return 'old';
    const id = Buffer.from(sealed, 'base64').subarray(0, KEY_ID_BYTES);
    const at = (await this.loadOnce()).findIndex((known) => known.id.equals(id));
    return at < 0 ? 'unreadable' : at === 0 ? 'current' : 'old';
  }

  /** Returns what tells our keys apart, and no more of them: first that of the key which seals. */
  async keyIds(): Promise<Buffer[]> {
    return (await this.loadOnce()).map(({ id }) => id);
  }

  private loadOnce() {
    return (this.keys ??= this.load().catch((error: unknown) => {
      this.keys = null;
      throw error;
    }));
  }

  private async load(): Promise<Key[]> {
    const { secrets, dataDir } = this.config;
    const texts = secrets.keys.length > 0 ? secrets.keys : [await keptText(join(dataDir, KEY_FILE), KEY_BYTES)];
    return texts.map((text) => {
      const bytes = createHash('sha256').update(`fcs secrets\0${text}`).digest();
      return { id: createHash('sha256').update(bytes).digest().subarray(0, KEY_ID_BYTES), bytes };
    });
  }
}

/** A stored text that `SecretBox` sealed. */
export interface SealedRow {
  sealed: string;
  /** Stores another one in its place, unless somebody has changed it meanwhile. */
  replace: (sealed: string) => Promise<void>;
}

/** Lists all sealed texts of a noun. */
export const SealedTexts = hook<() => Promise<SealedRow[]>>();

/** Seals anew what an old key holds, so that the old one can go. Nouns list what they sealed. */
@Injectable()
export class SealedRows {
  private readonly logger = new Logger(SealedRows.name);

  constructor(
    private readonly box: SecretBox,
    private readonly hooks: Hooks,
  ) {}

  /** Counts the sealed texts by the key that holds them. */
  async count(): Promise<Record<Standing, number>> {
    const counts = { current: 0, old: 0, unreadable: 0 };
    for (const { sealed } of await this.list()) counts[await this.box.standingOf(sealed)]++;
    return counts;
  }

  @BackgroundTask('sealing secrets anew', HOUR_MS)
  async sealAnew({ signal }: Pick<TaskRun, 'signal'>): Promise<void> {
    let done = 0;
    for (const { sealed, replace } of await this.list()) {
      if (signal?.aborted) return;
      if ((await this.box.standingOf(sealed)) !== 'old') continue;
      await replace(await this.box.seal(await this.box.open(sealed)));
      done++;
    }
    if (done > 0) this.logger.log('Secrets were sealed anew with the first key', { done });
  }

  private async list() {
    const found: SealedRow[] = [];
    for (const { run } of this.hooks.all(SealedTexts)) found.push(...(await run()));
    return found;
  }
}
