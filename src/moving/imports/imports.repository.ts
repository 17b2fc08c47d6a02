import { Injectable } from '@nestjs/common';
import { In, LessThan, Not, type FindOptionsWhere, type Repository } from 'typeorm';
import { join } from 'node:path';
import type { Scope } from '../../accounts/access/index.js';
import { Jobs, type Job, visibleTo, TransactionalRepository, UnitOfWork } from '../../platform/database/index.js';
import { firstUuidAt, inPortions, BackgroundTask, type TaskRun, DAY_MS, HOUR_MS } from '../../platform/index.js';
import { ImportPortion, Import, OPEN_STATES, type ReceivedImport } from './model/import.entity.js';
import { FileStore, type ReceivedFile } from '../../submissions/files/file-store.js';
import { type Encoding, type ImportOptions, ImportTooLarge } from './model/import-options.js';
import { EncodingSniffer } from './reading/file-kind.js';
import type { ReadFor } from './reading/file-rows.js';
import { ImportReader } from './reading/import-reader.js';
import { Projected, type Projection } from '../../forms/projections.js';

/** Rows that one statement removes. */
const REMOVED_AT_ONCE = 200;
const OPEN = In([...OPEN_STATES]);
/** Kind of the jobs that store what files have, and remove it. */
export const IMPORT = 'import';

/** Reads and writes imports, and what each has stored. */
@Injectable()
export class ImportsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(Import);
  private readonly portions = this.rowsOf(ImportPortion);
  private readonly jobs = new Jobs(this.source);

  async insert(entry: Import) {
    await this.rows.insert(entry);
    if (entry.state === 'waiting') await this.jobs.add([entry.jobOf(IMPORT)]);
  }

  /** Returns what a job is about; null when that is over. */
  findOpen({ subject }: Pick<Job, 'subject'>): Promise<Import | null> {
    return this.rows.findOneBy({ id: Buffer.from(subject, 'hex'), state: OPEN });
  }

  find(scope: Scope, formId: number, id: Buffer): Promise<Import | null> {
    return this.rows.findOneBy({ ...visibleTo(scope), formId, id });
  }

  /** Returns the newest imports of a form, newest first. */
  listFor(scope: Scope, formId: number, limit: number): Promise<Import[]> {
    const where = { ...visibleTo(scope), formId };
    return this.rows.find({ where, order: { id: 'DESC' }, take: limit });
  }

  /** Counts the imports of an account that are not over, and the files that wait for somebody to begin. */
  countUnderWay(accountId: number) {
    return this.rows.countBy({ accountId, state: In(['draft', ...OPEN_STATES]) });
  }

  /**
   * Returns when the first import of a provider began into a form that gave its own time to rows without one and was not
   * undone; null for none.
   */
  async firstUndated(formId: number, provider: string): Promise<Date | null> {
    const all = await this.rows.find({
      where: { formId, provider, state: Not(In(['draft', 'undoing', 'undone'])) },
      order: { id: 'ASC' },
    });
    return all.find(({ options }) => options.undated === 'now')?.createdAt ?? null;
  }

  /** Stores how far an import is. @returns false when somebody undid it, or ended that */
  advance(entry: Import) {
    return this.write(entry, { id: entry.id, state: OPEN });
  }

  /** Stores what somebody decided about an import that no worker has begun. @returns false when one has */
  async save(entry: Import) {
    const isSaved = await this.write(entry, { id: entry.id, state: 'draft' });
    if (isSaved && entry.state === 'waiting') await this.jobs.add([entry.jobOf(IMPORT)]);
    return isSaved;
  }

  /** Has what an import stored removed; a worker that has it loses it. */
  async undo(entry: Import) {
    await this.jobs.put(entry.jobOf(IMPORT));
    await this.rows.update(
      { id: entry.id, state: Not(In(['undoing', 'undone'])) },
      { state: 'undoing', endedAt: null },
    );
  }

  async insertPortion(portion: ImportPortion) {
    await this.portions.insert(portion);
  }

  /** Returns a portion of an import; null when it has none. */
  firstPortion({ id: importId }: Import): Promise<ImportPortion | null> {
    return this.portions.findOne({ where: { importId }, order: { position: 'DESC' } });
  }

  async removePortion({ importId, position }: ImportPortion) {
    await this.portions.delete({ importId, position });
  }

  /** Removes some of what is kept of the imports of a form. @returns how many rows */
  async removeSome(formId: number) {
    for (const repository of [this.portions, this.rows] as Repository<{ formId: number }>[]) {
      const found = await repository.find({ where: { formId }, take: REMOVED_AT_ONCE });
      if (found.length > 0) return (await repository.remove(found)).length;
    }
    return 0;
  }

  async removeDraft({ id }: Import) {
    await this.rows.delete({ id, state: 'draft' });
  }

  /** Removes files whose import nobody began before a moment. @returns how many */
  async removeDraftsBefore(moment: Date) {
    const { affected } = await this.rows.delete({ state: 'draft', id: LessThan(firstUuidAt(moment)) });
    return affected ?? 0;
  }

  /** Tells whether an import has the file. */
  hasFile(fileId: Buffer) {
    return this.rows.existsBy({ fileId });
  }

  private async write(entry: Import, where: FindOptionsWhere<Import>) {
    return (await this.rows.update(where, entry)).affected !== 0;
  }
}

/** Stores the files of imports apart from visitors' files, under `DATA_DIR/imports`: no backup has them. */
@Injectable()
export class ImportStore extends FileStore {
  protected override get folder() {
    return join(this.config.dataDir, 'imports');
  }

  /** Reads the rows of a file. */
  readerOf(
    { id, encoding }: Pick<ReceivedImport, 'id' | 'encoding'>,
    options: ImportOptions,
    about: ReadFor,
  ): ImportReader {
    const file = { path: this.pathOf(id), encoding };
    return new ImportReader(file, options, about, this.config.intake);
  }

  /**
   * Writes a file to disk, and finds out its encoding on the way.
   * @param announced its size in bytes, as far as that is said before
   * @throws ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  async take(content: AsyncIterable<Buffer>, announced: number | null): Promise<ReceivedFile & { encoding: Encoding }> {
    const { importMaxBytes: max } = this.config.intake;
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

async function* seenBy(sniffer: EncodingSniffer, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  async forgetForm(formId: number, signal?: AbortSignal) {
    await inPortions(() => this.unitOfWork.run((tx) => this.imports.in(tx).removeSome(formId)), signal);
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
