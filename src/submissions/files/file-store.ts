import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beginningOf, Config, diskSpaceAt } from '../../platform/index.js';
import { FilesUnavailable } from './file.errors.js';
import type { Scanned } from './scans/file-scans.repository.js';

/** Longest name of a file, in characters. */
const FILE_NAME_MAX = 1_024;

/** Returns a file's name without folders, which some programs send (RFC 7578, section 4.2), cut between characters. */
export function fileNameOf(text: string) {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  return beginningOf(last, FILE_NAME_MAX);
}

export const INCOMING = 'incoming';
const KEPT = 'kept';
/** Characters of a file's name that name its folder: 256 folders keep each one small. */
const SHARD_LENGTH = 2;
/** Bytes of a file after which it is looked again whether there is room. */
const ROOM_CHECK_BYTES = 1024 * 1024;
/** Errors of a disk that is full, over its quota, broken or read-only. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/** A file on disk that belongs to no submission yet. */
export interface ReceivedFile {
  id: Buffer;
  /** In bytes. */
  size: number;
  sha256: Buffer;
}

/** A file on disk with its field, name and media type from the form. */
export interface StoredFile extends ReceivedFile {
  field: string;
  name: string;
  mediaType: string;
  /** Result of its scan for viruses; absent where none is made. */
  scan?: Scanned;
}

/**
 * Stores the bytes of files under `DATA_DIR/files`, each named by a random id and nothing else. A file is received in
 * `incoming` and moves to `kept`, flushed, before its row is committed: no row is without its file.
 */
@Injectable()
export class FileStore {
  constructor(protected readonly config: Config) {}

  /** Where its files are. */
  protected get folder() {
    return join(this.config.dataDir, 'files');
  }

  /**
   * Writes content to disk and flushes it, hashing it on the way. Content that fails leaves nothing behind.
   * @param admit called with the number of bytes of each chunk; it throws when there are too many
   * @throws FilesUnavailable
   */
  receive(content: AsyncIterable<Buffer>, admit: (bytes: number) => void): Promise<ReceivedFile> {
    return writing(async () => {
      await this.assertRoom();
      const id = randomBytes(16);
      const hash = createHash('sha256');
      let size = 0;
      await this.write(id, this.whileRoom(content), (chunk) => {
        admit(chunk.length);
        hash.update(chunk);
        size += chunk.length;
      });
      return { id, size, sha256: hash.digest() };
    });
  }

  /**
   * Moves a received file to `kept`, and flushes the folder that names it.
   * @throws FilesUnavailable
   */
  keep(file: Pick<ReceivedFile, 'id'>) {
    return writing(() => this.move(file));
  }

  /**
   * Stores a file of a backup under the id it had.
   * @returns whether it was not there yet
   * @throws FilesUnavailable
   */
  async putBack(id: Buffer, content: AsyncIterable<Buffer>) {
    await writing(() => this.write(id, content));
    const isNew = !(await this.has(id));
    await this.keep({ id });
    return isNew;
  }

  /** Removes a file, wherever it is; does nothing when it is gone. @throws the error of the disk */
  async remove(id: Buffer) {
    const name = id.toString('hex');
    await rm(join(this.folder, INCOMING, name), { force: true });
    await rm(this.keptPath(name), { force: true });
  }

  /** Tells whether a kept file is there. */
  has(id: Buffer) {
    return stat(this.pathOf(id)).then(
      () => true,
      () => false,
    );
  }

  /** Returns the path of a kept file. */
  pathOf(id: Buffer) {
    return this.keptPath(id.toString('hex'));
  }

  /** Opens a kept file for reading; null when it is gone. @throws the error of the disk */
  async find(id: Buffer): Promise<ReadStream | null> {
    return (await openIfThere(this.pathOf(id)))?.createReadStream() ?? null;
  }

  /** Opens a file that is not kept yet; null when it is gone. @throws the error of the disk */
  async findReceived(id: Buffer): Promise<ReadStream | null> {
    const path = join(this.folder, INCOMING, id.toString('hex'));
    return (await openIfThere(path))?.createReadStream() ?? null;
  }

  /** Returns the first bytes of a kept file, fewer when it has no more; null when it is gone. @throws the error of the disk */
  async head(id: Buffer, length: number): Promise<Buffer | null> {
    const file = await openIfThere(this.pathOf(id));
    if (file === null) return null;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /**
   * Yields the ids of all files, incoming or kept, that were last written before `time`. It must be long
   * enough ago that no file is still being received.
   */
  async *olderThan(time: Date): AsyncGenerator<Buffer> {
    for (const path of [join(this.folder, INCOMING), join(this.folder, KEPT)]) {
      yield* this.walk(path, time);
    }
  }

  /** Refuses files below MIN_FREE_DISK, which submissions without files still need. */
  protected async assertRoom() {
    const { dataDir, intake } = this.config;
    if (intake.minFreeDisk > 0 && (await diskSpaceAt(dataDir)).free < intake.minFreeDisk) {
      throw Object.assign(new Error('Less than MIN_FREE_DISK is free'), { code: 'ENOSPC' });
    }
  }

  /** Passes content on, as long as there is room. */
  private async *whileRoom(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let unchecked = 0;
    for await (const chunk of content) {
      unchecked += chunk.length;
      if (unchecked >= ROOM_CHECK_BYTES) {
        await this.assertRoom();
        unchecked = 0;
      }
      yield chunk;
    }
  }

  /** Writes an incoming file and flushes it; removes it when that fails. */
  private async write(id: Buffer, content: AsyncIterable<Buffer>, admit: (chunk: Buffer) => void = () => undefined) {
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

  private async move({ id }: Pick<ReceivedFile, 'id'>) {
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

  private keptPath(name: string) {
    return join(this.folder, KEPT, name.slice(0, SHARD_LENGTH), name);
  }

  /**
   * Returns the folder of a file. A new one is flushed with its parents, or a power failure could take it
   * with its files.
   */
  private async shard(kind: string, name: string) {
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

/** Does what needs the disk. @throws FilesUnavailable */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (DISK_CODES.has((error as { code?: string }).code ?? '')) throw new FilesUnavailable(error);
    throw error;
  }
}

/** Tells whether a file is older; false for one that was moved or removed since its folder was read. */
async function isOlder(path: string, time: Date) {
  try {
    return (await stat(path)).mtime < time;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Flushes a folder, so that the names in it survive a power failure. @throws the error of the disk */
async function flushFolder(path: string) {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Opens a file; null when it is gone. @throws the error of the disk */
async function openIfThere(path: string) {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Longest stored media type of a file, in characters. */
const MEDIA_TYPE_MAX = 255;

/** Returns the media type that a `Content-Type` names, without its parameters; empty for none. */
export function mediaTypeIn(contentType: string) {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().slice(0, MEDIA_TYPE_MAX);
}
