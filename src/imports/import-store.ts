import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { FileStore, type ReceivedFile } from '../files/file-store.js';
import { Config } from '../platform/config/config.js';
import type { Encoding } from './model/import-options.js';
import { ImportTooLarge } from './model/import.errors.js';
import { EncodingSniffer } from './reading/decode.js';

/** Stores the files of imports under `DATA_DIR/imports`, apart from those of visitors: no backup has them. */
@Injectable()
export class ImportStore extends FileStore {
  constructor(private readonly settings: Config) {
    super(settings);
  }

  protected override get folder(): string {
    return join(this.settings.dataDir, 'imports');
  }

  /**
   * Writes a file to disk, and finds out its encoding on the way.
   * @param announced its size in bytes, as far as that is said before
   * @throws ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  async take(
    content: AsyncIterable<Buffer>,
    announced: number | null,
  ): Promise<ReceivedFile & { encoding: Encoding }> {
    const { importMaxBytes: max } = this.settings.intake;
    if (announced !== null && announced > max) throw new ImportTooLarge(max);
    const sniffer = new EncodingSniffer();
    let bytes = 0;
    const file = await this.receive(seenBy(sniffer, content), (more) => {
      bytes += more;
      if (bytes > max) throw new ImportTooLarge(max);
    });
    try {
      const encoding = sniffer.end();
      await this.keep(file);
      return { ...file, encoding };
    } catch (error) {
      await this.remove(file.id);
      throw error;
    }
  }
}

async function* seenBy(
  sniffer: EncodingSniffer,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sniffer.see(chunk);
    yield chunk;
  }
}
