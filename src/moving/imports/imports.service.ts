import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import { type Principal, ActionForbidden, type Scope } from '../../accounts/access/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { formTarget } from '../../forms/model/form-changes.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { assertMayTriage } from '../../triage/marks/triage.service.js';
import { ImportPreview } from './import-preview.js';
import { ImportStore, ImportsRepository } from './imports.repository.js';
import { Import, type ReceivedImport } from './model/import.entity.js';
import { type ImportOptions, ImportFileGone, ImportNotFound, TooManyImports } from './model/import-options.js';
import { ImportedSubmissions } from '../../submissions/storage/imported-submissions.service.js';
import { Pace, inPortions, UnderWay, DomainError, DAY_MS } from '../../platform/index.js';

/** Most imports of an account that are under way at once. */
const UNDER_WAY_MAX = 10;
/** Most imports that a list shows. */
const LISTED_MAX = 100;
/** Rows of a preview that somebody waits for: a few seconds. */
const PREVIEWED_MAX = 100_000;

/** A file that is being received. */
export interface Upload {
  content: AsyncIterable<Buffer>;
  /** In bytes; null when it was not said. */
  announced: number | null;
  /** Null when it was not said. */
  name: string | null;
}

/** Takes, shows and undoes imports of what other services received. */
@Injectable()
export class ImportsService {
  /** Files that are being taken in, by account. */
  private readonly uploads = new UnderWay<number>();

  constructor(
    private readonly imports: ImportsRepository,
    private readonly store: ImportStore,
    private readonly submissions: ImportedSubmissions,
    private readonly forms: FormQueries,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly pages: SubmissionPages,
  ) {}

  /**
   * Takes a file, and has its submissions imported; workers begin within a second or so.
   * @param state `draft` for a file that somebody looks at first
   * @throws FormNotFound, MissingRight, ActionForbidden, TooManyImports
   * @throws ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  async create(
    principal: Principal,
    identifier: string,
    asked: ImportOptions,
    upload: Upload,
    state: 'draft' | 'waiting' = 'waiting',
  ): Promise<Import> {
    const form = await this.formFor(principal, identifier);
    return this.withFile(principal, form, asked, upload, (options, file) =>
      this.unitOfWork.run(async (tx) => {
        const entry = Import.create(principal, form.id, options, file, state);
        await this.imports.in(tx).insert(entry);
        if (state === 'waiting') await this.record(tx, principal, 'import.started', form, entry);
        return entry;
      }),
    );
  }

  /**
   * Goes through a file as an import would, and stores nothing.
   * @param rowsMax most rows; null for all
   * @throws FormNotFound, MissingRight, ActionForbidden, TooManyImports
   * @throws ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  async preview(
    principal: Principal,
    identifier: string,
    asked: ImportOptions,
    upload: Upload,
    rowsMax: number | null = PREVIEWED_MAX,
  ): Promise<ImportPreview> {
    const form = await this.formFor(principal, identifier);
    return this.withFile(principal, form, asked, upload, async (options, file) => {
      const preview = await this.look(form, options, file, rowsMax);
      await this.store.remove(file.id);
      return preview;
    });
  }

  /** Goes through the file of an import that nobody began. @throws FormNotFound, ImportNotFound, ImportFileGone */
  async previewDraft(
    principal: Principal,
    identifier: string,
    { options, fileId, encoding }: Import,
  ): Promise<ImportPreview> {
    const form = await this.formFor(principal, identifier);
    if (!fileId || !(await this.store.has(fileId))) throw new ImportFileGone();
    return this.look(form, options, { id: fileId, encoding }, PREVIEWED_MAX);
  }

  /** Says how the file of an import is read that nobody began; one that began stays. @throws FormNotFound, ImportNotFound */
  async choose(principal: Principal, identifier: string, id: Buffer | null, options: ImportOptions) {
    const entry = await this.entryIn(await this.formFor(principal, identifier), principal, id);
    entry.choose({ ...options, into: entry.options.into });
    await this.unitOfWork.run((tx) => this.imports.in(tx).save(entry));
  }

  /** Begins an import that was looked at; one that began stays as it is. @throws FormNotFound, ImportNotFound */
  async start(principal: Principal, identifier: string, id: Buffer | null): Promise<Import> {
    const form = await this.formFor(principal, identifier);
    const entry = await this.entryIn(form, principal, id);
    entry.state = 'waiting';
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.imports.in(tx).save(entry))) return;
      await this.record(tx, principal, 'import.started', form, entry);
    });
    return entry;
  }

  /** @throws FormNotFound, ImportNotFound */
  async show(scope: Scope, identifier: string, id: Buffer | null): Promise<Import> {
    return this.entryIn(await this.forms.get(scope, identifier), scope, id);
  }

  /** Returns the newest imports of a form, newest first. @throws FormNotFound */
  async list(scope: Scope, identifier: string): Promise<Import[]> {
    const form = await this.forms.get(scope, identifier);
    return this.imports.listFor(scope, form.id, LISTED_MAX);
  }

  /**
   * Has all removed that an import stored, and stops it before; one that is being undone stays as it is.
   * @throws FormNotFound, ImportNotFound, ActionForbidden
   */
  async undo(principal: Principal, identifier: string, id: Buffer | null): Promise<Import> {
    if (!principal.may('erase')) throw new ActionForbidden('erase');
    const form = await this.forms.get(principal, identifier);
    const entry = await this.entryIn(form, principal, id);
    if (!entry.mayBeUndone) return entry;
    if (entry.state === 'draft') return this.discard(entry);
    await this.unitOfWork.run(async (tx) => {
      await this.imports.in(tx).undo(entry);
      await this.record(tx, principal, 'import.undone', form, entry);
    });
    return this.entryIn(form, principal, id);
  }

  /**
   * Takes a file in, if its account has not too many under way, begins to read it, and does something with it. Files that
   * this instance takes in count before they are read; what fails is removed.
   * @throws TooManyImports, ImportTooLarge, ImportPacked, ImportUnreadable, FilesUnavailable
   */
  private async withFile<T>(
    principal: Principal,
    form: Form,
    asked: ImportOptions,
    { content, announced, name }: Upload,
    work: (options: ImportOptions, file: ReceivedImport) => Promise<T>,
  ) {
    const { accountId } = form;
    const uploads = this.uploads.begin(accountId);
    try {
      const underWay = uploads + (await this.imports.countUnderWay(accountId));
      if (underWay > UNDER_WAY_MAX) throw new TooManyImports(UNDER_WAY_MAX);
      const options = await this.withFields(principal, form, asked);
      const file = await this.store.take(content, announced);
      try {
        // One row is looked at: the whole file is not asked for the order of its dates.
        const reader = this.readerOf(form, { ...options, dates: options.dates ?? 'day_first' }, file);
        try {
          await reader.take(1);
        } finally {
          await reader.close();
        }
        return await work(options, { ...file, name });
      } catch (error) {
        await this.store.remove(file.id);
        throw error;
      }
    } finally {
      this.uploads.end(accountId);
    }
  }

  /** Goes through a file as an import would. @param rowsMax most rows; null for all */
  private async look(
    form: Form,
    options: ImportOptions,
    file: Pick<ReceivedImport, 'id' | 'encoding'>,
    rowsMax: number | null,
  ) {
    const { id: formId, retentionDays: days } = form;
    const now = this.unitOfWork.now().getTime();
    const reader = this.readerOf(form, options, file);
    const preview = new ImportPreview(reader, days === null ? null : new Date(now - days * DAY_MS));
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

  private readerOf({ id: formId }: Form, options: ImportOptions, file: Pick<ReceivedImport, 'id' | 'encoding'>) {
    const now = this.unitOfWork.now();
    return this.store.readerOf(file, options, { formId, undatedAt: now, now });
  }

  /** @throws ImportNotFound */
  private async entryIn(form: Form, scope: Scope, id: Buffer | null) {
    const entry = id && (await this.imports.find(scope, form.id, id));
    if (!entry) throw new ImportNotFound();
    return entry;
  }

  /** Removes the file of an import that nobody began. */
  private async discard(entry: Import) {
    await this.unitOfWork.run((tx) => this.imports.in(tx).removeDraft(entry));
    if (entry.fileId) await this.store.remove(entry.fileId);
    entry.end('undone', this.unitOfWork.now());
    return entry;
  }

  private async formFor(principal: Principal, identifier: string) {
    assertMayTriage(principal);
    return this.forms.get(principal, identifier);
  }

  /** Adds the fields that a form has, and those that were sent lately, as they are now: the rows of the file bring others. */
  private async withFields(
    principal: Principal,
    { identifier, fields }: Form,
    options: ImportOptions,
  ): Promise<ImportOptions> {
    const names = new Set(fields.list.map(({ name }) => name));
    for (const { submission } of await this.pages.newest(principal, identifier)) {
      for (const { name } of submission.values.toText()) names.add(name);
    }
    return { ...options, into: [...names] };
  }

  private async record(
    tx: EntityManager,
    principal: Principal,
    action: 'import.started' | 'import.undone',
    form: Form,
    { provider, imported: count }: Import,
  ) {
    const details = { provider, ...(action === 'import.undone' && { count }) };
    await this.audit.recordBy(tx, principal, { action, target: formTarget(form), details });
  }
}
