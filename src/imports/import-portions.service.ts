import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { FormsService } from '../forms/forms.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { NoLongerAllowed } from '../submissions/model/submission.errors.js';
import {
  ImportedSubmissions,
  type ImportedSubmission,
} from '../submissions/storage/imported-submissions.service.js';
import { isDuplicateRow } from '../submissions/storage/store-errors.js';
import { ImportedFiles } from './files/imported-files.service.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportPortion } from './model/import-portion.entity.js';
import type { Import } from './model/import.entity.js';
import type { RowProblem } from './model/portion-done.js';
import type { ReadRow } from './reading/row-reader.js';

/** Rest while visitors' submissions come fast, in milliseconds, and how often in a row at most. */
const LOAD_REST_MS = 100;
const LOAD_RESTS_MAX = 20;

/** The next rows of a file. */
export interface NextRows {
  rows: readonly ReadRow[];
  /** Bytes of the file that were read so far. */
  readBytes: number;
  isLast: boolean;
}

/** Stores rows of imports: each portion is committed together with the position of its import. */
@Injectable()
export class ImportPortions {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly submissions: ImportedSubmissions,
    private readonly files: ImportedFiles,
    private readonly forms: FormsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Stores a portion, with the files that its rows name where that was asked for.
   * @returns the import after it; null when the lease was lost
   * @throws NoLongerAllowed, FilesUnavailable
   */
  async store(
    entry: Import,
    token: Buffer,
    next: NextRows,
    unwanted: AbortSignal,
  ): Promise<Import | null> {
    const rows = next.rows.flatMap(({ line, submission }) =>
      submission ? [{ line, submission }] : [],
    );
    const all = rows.map(({ submission }) => submission);
    if (entry.options.files !== 'fetch') return this.write(entry, token, next, all, []);
    const fresh = new Set(await this.submissions.newAmong(entry.formId, all));
    const known = all.filter((each) => !fresh.has(each));
    const wanted = rows.filter(({ submission }) => fresh.has(submission));
    try {
      // Those with files first: of two rows with one id, the first is stored.
      return await this.files.during(entry.accountId, wanted, unwanted, (fetched) =>
        this.write(entry, token, next, [...fetched.submissions, ...known], fetched.missing),
      );
    } catch (error) {
      if (unwanted.aborted) return null;
      throw error;
    }
  }

  /** Waits while visitors' submissions come fast, but not for ever. */
  async letVisitorsFirst(unwanted: AbortSignal): Promise<void> {
    for (let rests = 0; this.submissions.isToWait && rests < LOAD_RESTS_MAX; rests++) {
      if (unwanted.aborted) return;
      await pause(LOAD_REST_MS, undefined, { signal: unwanted }).catch(() => undefined);
    }
  }

  private async write(
    entry: Import,
    token: Buffer,
    { rows, readBytes, isLast }: NextRows,
    all: readonly ImportedSubmission[],
    missing: readonly RowProblem[],
  ): Promise<Import | null> {
    const broken = rows.flatMap(({ line, problem }) =>
      problem === null ? [] : [{ line, reason: problem }],
    );
    const store = () =>
      this.unitOfWork.run(async (tx) => {
        // It may have been deleted meanwhile.
        const form = await this.forms.find(entry.formId, tx);
        if (!form) throw new NoLongerAllowed();
        const fresh = await this.submissions.newAmong(form.id, all, tx);
        const [imported, skipped] = [fresh.length, all.length - fresh.length];
        const lastLine = rows.at(-1)?.line ?? entry.lastLine;
        const read = { rows: rows.length, lastLine, readBytes };
        const done = { ...read, imported, skipped, broken, missing };
        const next = entry.after(done);
        next.state = 'running';
        if (isLast) next.end('finished', this.unitOfWork.now());
        const imports = this.imports.in(tx);
        // First, since whoever undoes the import waits for its row then.
        if (!(await imports.advance(next, token))) return null;
        const ids = fresh.map(({ id }) => id);
        if (ids.length > 0) await imports.insertPortion(ImportPortion.of(next, ids));
        // Last, since visitors wait for the row of the form from then on.
        await this.submissions.store(tx, form, fresh);
        return next;
      });
    try {
      return await store();
    } catch (error) {
      // Another import of the same rows was faster: they are there now.
      if (!isDuplicateRow(error)) throw error;
      return store();
    }
  }
}
