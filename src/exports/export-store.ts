import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesUnavailable } from '../files/file.errors.js';
import { FileStore, INCOMING, writing } from '../files/file-store.js';
import { Config } from '../platform/config/config.js';
import { ExportDiskFull, ExportsFull } from '../submissions/model/submission.errors.js';
import { RowSpool } from './row-spool.js';

/** Stores the files of exports under `DATA_DIR/exports`, apart from those of visitors: no backup has them. */
@Injectable()
export class ExportStore extends FileStore {
  /** Bytes on disk of the spools of each account in this process. */
  private readonly spooled = new Map<number, number>();

  constructor(private readonly settings: Config) {
    super(settings);
  }

  protected override get folder(): string {
    return join(this.settings.dataDir, 'exports');
  }

  /**
   * Makes a spool for an export of an account, whose spools take at most MAX_ACCOUNT_EXPORTS_BYTES together.
   * @returns a spool whose `add` throws ExportsFull and ExportDiskFull
   */
  spool(accountId: number): RowSpool {
    const { maxAccountExportsBytes: max } = this.settings.intake;
    const count = (more: number) => {
      const bytes = (this.spooled.get(accountId) ?? 0) + more;
      if (bytes > max) throw new ExportsFull();
      if (bytes === 0) this.spooled.delete(accountId);
      else this.spooled.set(accountId, bytes);
    };
    return new RowSpool({
      open: () => writing(() => this.openNameless()).catch(asDiskFull),
      append: async (file, bytes) => {
        count(bytes.length);
        await writing(() => this.append(file, bytes)).catch(asDiskFull);
      },
      close: async (file, size) => {
        count(-size);
        await file.close();
      },
    });
  }

  /** Opens a file without a name: nobody else can open it, and it is gone once it is closed. */
  private async openNameless(): Promise<FileHandle> {
    const folder = join(this.folder, INCOMING);
    await mkdir(folder, { recursive: true });
    // What a process leaves that is killed right here is swept.
    const path = join(folder, randomBytes(16).toString('hex'));
    const file = await open(path, 'wx+');
    await rm(path);
    return file;
  }

  private async append(file: FileHandle, bytes: Buffer): Promise<void> {
    await this.assertRoom();
    await file.appendFile(bytes);
  }
}

function asDiskFull(error: unknown): never {
  throw error instanceof FilesUnavailable ? new ExportDiskFull(error.cause) : error;
}
