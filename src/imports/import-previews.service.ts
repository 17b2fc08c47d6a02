import { Injectable } from '@nestjs/common';
import type { Form } from '../forms/model/form.entity.js';
import { Pace } from '../platform/background/pace.js';
import { inPortions } from '../platform/background/portions.js';
import { Config } from '../platform/config/config.js';
import { DomainError } from '../platform/kernel/errors.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import { ImportedSubmissions } from '../submissions/storage/imported-submissions.service.js';
import { ImportPreview } from './import-preview.js';
import { ImportStore } from './import-store.js';
import type { ReceivedImport } from './model/import.entity.js';
import type { ImportOptions } from './model/import-options.js';
import { ImportReader } from './reading/import-reader.js';

/** Rows of a preview that somebody waits for: a few seconds. */
export const PREVIEWED_MAX = 100_000;

/** A file that is being received. */
export interface Upload {
  content: AsyncIterable<Buffer>;
  /** In bytes; null when it was not said. */
  announced: number | null;
  /** Null when it was not said. */
  name: string | null;
}

/** Takes files of other services in, and looks at what an import of them would do. */
@Injectable()
export class ImportPreviews {
  constructor(
    private readonly store: ImportStore,
    private readonly submissions: ImportedSubmissions,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Writes a file to disk, and looks whether it begins like one of the provider.
   * @throws ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  async receive(
    { id: formId }: Form,
    options: ImportOptions,
    { content, announced, name }: Upload,
  ): Promise<ReceivedImport> {
    const file = await this.store.take(content, announced);
    // One row is looked at: the whole file is not asked for the order of its dates.
    const dates = options.dates ?? 'day_first';
    const reader = this.readerOf(formId, { ...options, dates }, file);
    try {
      await reader.take(1);
      return { ...file, name };
    } catch (error) {
      await this.store.remove(file.id);
      throw error;
    } finally {
      await reader.close();
    }
  }

  /** Goes through a file as an import would, and stores nothing. @param rowsMax most rows; null for all */
  async preview(
    { id: formId, retentionDays: days }: Form,
    options: ImportOptions,
    file: Pick<ReceivedImport, 'id' | 'encoding'>,
    rowsMax: number | null,
  ): Promise<ImportPreview> {
    const now = this.clock.now().getTime();
    const reader = this.readerOf(formId, options, file);
    const keptFrom = days === null ? null : new Date(now - days * DAY_MS);
    const preview = new ImportPreview(reader, keptFrom);
    const count = async (wanted: number): Promise<number> => {
      const most = Math.min(wanted, (rowsMax ?? Infinity) - preview.total);
      const { rows, isEnd } = await reader.take(most);
      const all = rows.flatMap(({ submission }) => submission ?? []);
      preview.add(rows, await this.submissions.newAmong(formId, all));
      preview.isWhole = isEnd;
      return isEnd ? 0 : rows.length;
    };
    try {
      await inPortions(count, undefined, new Pace());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      preview.problem = error;
    } finally {
      await reader.close();
    }
    return preview;
  }

  private readerOf(
    formId: number,
    options: ImportOptions,
    { id, encoding }: Pick<ReceivedImport, 'id' | 'encoding'>,
  ): ImportReader {
    const now = this.clock.now();
    const file = { path: this.store.pathOf(id), encoding };
    return new ImportReader(file, options, { formId, undatedAt: now, now }, this.config.intake);
  }
}
