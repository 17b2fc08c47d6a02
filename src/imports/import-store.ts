import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { FileStore, type ReceivedFile } from '../files/file-store.js';
import { Config } from '../platform/config/config.js';
import type { Encoding } from './model/import-options.js';
import { ImportTooLarge } from './model/import.errors.js';
import { EncodingSniffer } from './reading/decode.js';
import { inPortions } from '../platform/background/portions.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS } from '../platform/kernel/time/durations.js';
import { Projected, type Projection } from '../projections/projection.js';
import { ImportsRepository } from './imports.repository.js';

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

/** Removes what is kept of imports: with their form, and files that nobody needs any more. */
@Injectable()
@Projected({ tables: ['imports', 'import_portions'] })
export class ImportFiles implements Projection {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly store: ImportStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes the imports of a deleted form, in small transactions; their files go with the next sweep. */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<void> {
    await inPortions(
      () => this.unitOfWork.run((tx) => this.imports.in(tx).removeSome(formId)),
      signal,
    );
  }

  /** Removes imports that nobody began within a day, and files that no import has. */
  @BackgroundTask('remove files of imports', HOUR_MS)
  async sweep({ now, signal }: TaskRun): Promise<void> {
    const dayAgo = new Date(now.getTime() - DAY_MS);
    await this.unitOfWork.run((tx) => this.imports.in(tx).removeDraftsBefore(dayAgo));
    for await (const id of this.store.olderThan(dayAgo)) {
      if (signal?.aborted) return;
      if (!(await this.imports.hasFile(id))) await this.store.remove(id);
    }
  }
}
