import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Config } from '../platform/config/config.js';
import { diskSpaceAt } from '../platform/kernel/disk-space.js';
import { FilesUnavailable } from './file.errors.js';

const INCOMING = 'incoming';
const KEPT = 'kept';
/** Files are spread over this many characters' worth of folders. */
const SHARD_LENGTH = 2;
/** The disk is full, the owner's share of it is used up, or it does not work or takes no writes. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/** A file on disk that no submission has yet. */
export interface ReceivedFile {
  id: Buffer;
  /** In bytes. */
  size: number;
  sha256: Buffer;
}

/** A file on disk with what the form said of it. */
export interface StoredFile extends ReceivedFile {
  field: string;
  name: string;
  mediaType: string;
}

/**
 * Keeps the bytes of files under `DATA_DIR/files`, each named by a random id and nothing else.
 * A file arrives in `incoming`, and moves to `kept` when it is on disk for good, before the database
 * is told of it: a row without its file cannot be.
 */
@Injectable()
export class FileStore {
  private readonly folder: string;

  constructor(private readonly config: Config) {
    this.folder = join(config.dataDir, 'files');
  }

  /**
   * Writes what comes to disk, hashing it on the way, until it is flushed.
   * Content that fails leaves nothing behind.
   * @param admit called with the number of bytes of each chunk; throws when there are too many
   * @throws FilesUnavailable
   */
  receive(content: AsyncIterable<Buffer>, admit: (bytes: number) => void): Promise<ReceivedFile> {
    return writing(async () => {
      await this.assertRoom();
      const id = randomBytes(16);
      const hash = createHash('sha256');
      let size = 0;
      await this.write(id, content, (chunk) => {
        admit(chunk.length);
        hash.update(chunk);
        size += chunk.length;
      });
      return { id, size, sha256: hash.digest() };
    });
  }

  /**
   * Puts a received file where it stays, and flushes the folder that names it.
   * @throws FilesUnavailable
   */
  keep(file: Pick<ReceivedFile, 'id'>): Promise<void> {
    return writing(() => this.move(file));
  }

  /**
   * Keeps a file under the id it had, as a backup has it.
   * @returns whether it was not there yet
   * @throws FilesUnavailable
   */
  async putBack(id: Buffer, content: AsyncIterable<Buffer>): Promise<boolean> {
    const name = id.toString('hex');
    await writing(() => this.write(id, content));
    const isNew = await stat(this.keptPath(name)).then(
      () => false,
      () => true,
    );
    await this.keep({ id });
    return isNew;
  }

  /** Takes a file away, wherever it is; also one that is gone already. */
  async remove(id: Buffer): Promise<void> {
    const name = id.toString('hex');
    await rm(join(this.folder, INCOMING, name), { force: true });
    await rm(this.keptPath(name), { force: true });
  }

  /** Opens a kept file for reading; null, here and not on the way, when it is gone. */
  async find(id: Buffer): Promise<ReadStream | null> {
    try {
      return (await open(this.keptPath(id.toString('hex')))).createReadStream();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * Ids of files that have been on disk since before `time`, of either kind.
   * What is being received now is younger than any sensible `time`.
   */
  async *olderThan(time: Date): AsyncGenerator<Buffer> {
    for (const path of [join(this.folder, INCOMING), join(this.folder, KEPT)]) {
      yield* this.walk(path, time);
    }
  }

  /** Keeps files from the last of the disk, which submissions without files still need. */
  private async assertRoom(): Promise<void> {
    const { dataDir, minFreeDisk } = this.config;
    if (minFreeDisk > 0 && (await diskSpaceAt(dataDir)).free < minFreeDisk) {
      throw Object.assign(new Error('Less than MIN_FREE_DISK is free'), { code: 'ENOSPC' });
    }
  }

  /** Writes an incoming file until it is flushed; one that fails is removed. */
  private async write(
    id: Buffer,
    content: AsyncIterable<Buffer>,
    admit: (chunk: Buffer) => void = () => undefined,
  ): Promise<void> {
    const path = join(await this.shard(INCOMING, ''), id.toString('hex'));
    const file = await open(path, 'w');
    try {
      for await (const chunk of content) {
        admit(chunk);
        await file.appendFile(chunk);
      }
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  private async move({ id }: Pick<ReceivedFile, 'id'>): Promise<void> {
    const name = id.toString('hex');
    const shard = await this.shard(KEPT, name);
    await rename(join(this.folder, INCOMING, name), join(shard, name));
    await flushFolder(shard);
  }

  private async *walk(path: string, time: Date): AsyncGenerator<Buffer> {
    const entries = await opendir(path).catch(() => null); // no file was ever received
    if (!entries) return;
    for await (const entry of entries) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) yield* this.walk(child, time);
      else if (/^[0-9a-f]{32}$/.test(entry.name) && (await isOlder(child, time))) {
        yield Buffer.from(entry.name, 'hex');
      }
    }
  }

  private keptPath(name: string): string {
    return join(this.folder, KEPT, name.slice(0, SHARD_LENGTH), name);
  }

  /** A folder that is made is flushed with all that lead to it: a file in it must not go with it. */
  private async shard(kind: string, name: string): Promise<string> {
    const path = join(this.folder, kind, name.slice(0, SHARD_LENGTH));
    let made = await mkdir(path, { recursive: true });
    if (made === undefined) return path;
    for (let parent = dirname(path); made !== undefined; parent = dirname(parent)) {
      await flushFolder(parent);
      if (parent === dirname(made)) made = undefined;
    }
    return path;
  }
}

async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (DISK_CODES.has((error as { code?: string }).code ?? '')) throw new FilesUnavailable(error);
    throw error;
  }
}

/** False for a file that is gone: it was moved or removed since its folder was read. */
async function isOlder(path: string, time: Date): Promise<boolean> {
  try {
    return (await stat(path)).mtime < time;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
