import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Hooks,
  JobFails,
  JobGivenUp,
  JobOf,
  type Turn,
  Pace,
  inPortions,
  type DomainError,
  SECOND_MS,
  Signals,
} from '../../platform/index.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { UnitOfWork, type Job } from '../../platform/database/index.js';
import { NoLongerAllowed } from '../../submissions/model/submission.errors.js';
import {
  ImportedSubmissions,
  type ImportedSubmission,
} from '../../submissions/storage/imported-submissions.service.js';
import { isDuplicateRow } from '../../submissions/storage/submission-inserts.js';
import { ImportedFiles } from './files/imported-files.service.js';
import { IMPORT, ImportsRepository, ImportStore } from './imports.repository.js';
import { ImportPortion, type Import, type RowProblem } from './model/import.entity.js';
import { ImportFileGone, ImportGivenUp } from './model/import-options.js';
import type { NextRows } from './reading/import-reader.js';
import { Principal, MakerRights } from '../../accounts/access/index.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';

/** Rest while visitors' submissions come fast, in milliseconds, and how often in a row at most. */
const LOAD_REST_MS = 100;
const LOAD_RESTS_MAX = 20;

/** Rows of a transaction: as many as one of visitors has at most. */
const ROWS_AT_ONCE = 200;
/** The same where files are fetched: as many are fetched again after a kill. */
const FETCHED_AT_ONCE = 20;
/** Part of the time that a transaction took which is left to others after it: somebody waits for an import. */
const RESTS = 0.1;

/**
 * Stores the rows of imports, portion by portion. Each portion is committed together with the position of its import, so
 * whoever goes on after a kill begins exactly behind it.
 */
@Injectable()
export class ImportWorker {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly store: ImportStore,
    private readonly submissions: ImportedSubmissions,
    private readonly files: ImportedFiles,
    private readonly erasure: ErasureService,
    private readonly forms: FormQueries,
    private readonly hooks: Hooks,
    private readonly signals: Signals,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Works on an import to its end. */
  @JobOf({ kind: IMPORT, everyMs: SECOND_MS })
  async work(turn: Turn): Promise<void> {
    const entry = await this.imports.findOpen(turn.job);
    if (!entry) return;
    if (entry.state === 'undoing') await this.undo(entry, turn);
    else await this.read(entry, turn);
    // What the end of the process interrupts goes on.
    if (turn.unwanted.aborted) turn.next = turn.job.nextAt;
  }

  /** Ends an import because of a rule that it would break, or that was given up: what was done of it stays done. */
  @JobFails([IMPORT])
  async fail(tx: EntityManager, job: Job, error: DomainError): Promise<void> {
    const entry = await this.imports.in(tx).findOpen(job);
    if (!entry) return;
    const { fileId, lastLine } = entry;
    entry.fail(error instanceof JobGivenUp ? new ImportGivenUp(lastLine) : error, this.unitOfWork.now());
    await this.imports.in(tx).advance(entry);
    if (fileId) await this.store.remove(fileId);
  }

  /** Stores the rows of the file that follow its position. */
  private async read(begun: Import, turn: Turn) {
    const { unwanted } = turn;
    let entry = begun;
    const form = await this.formOf(entry);
    const { fileId, options, encoding, position } = entry;
    if (!fileId || !(await this.store.has(fileId))) throw new ImportFileGone();
    const now = this.unitOfWork.now();
    const undatedAt = (await this.imports.firstUndated(form.id, options.provider)) ?? now;
    const about = { formId: form.id, undatedAt, now };
    const reader = this.store.readerOf({ id: fileId, encoding }, options, about);
    // On the embedded database visitors wait for all of a transaction.
    const { isEmbedded } = this.unitOfWork;
    const most = options.files === 'fetch' ? FETCHED_AT_ONCE : ROWS_AT_ONCE;
    // Where a process has ended, rows are stored one by one, so that the one that did it is known when it does so again.
    const isCareful = () => turn.job.deaths > 0 && entry.position - position < ROWS_AT_ONCE;
    const read = (wanted: number) => reader.take(isCareful() ? 1 : isEmbedded ? Math.min(wanted, most) : most);
    let ahead: Promise<NextRows> | null = null;
    try {
      await reader.skip(position);
      await inPortions(
        async (wanted) => {
          const portion = await (ahead ?? read(wanted));
          // The next rows are read while the database stores these. An error of theirs comes when it is their turn.
          ahead = portion.isEnd || isCareful() ? null : read(wanted);
          ahead?.catch(() => undefined);
          const next = await this.take(entry, turn, portion, !isCareful());
          if (!next) return 0;
          entry = next;
          await this.letVisitorsFirst(unwanted);
          return portion.isEnd ? 0 : portion.rows.length;
        },
        unwanted,
        isEmbedded ? new Pace() : new Pace(RESTS),
      );
    } finally {
      await reader.close();
      this.signals.give(FORM_TOPICS.changed, form.id);
    }
    if (entry.state === 'finished') await this.store.remove(fileId);
  }

  /**
   * Stores a portion, with the files that its rows name where that was asked for.
   * @param isSafe whether the rows have ended no process
   * @returns the import after it; null when the job was lost
   * @throws NoLongerAllowed, FilesUnavailable
   */
  private async take(entry: Import, turn: Turn, next: NextRows, isSafe: boolean) {
    const write = (all: readonly ImportedSubmission[], missing: readonly RowProblem[]) =>
      this.write(entry, (tx) => turn.keep(tx, isSafe), next, all, missing);
    const rows = next.rows.filter((row) => row.submission !== undefined);
    const all = rows.map(({ submission }) => submission);
    if (entry.options.files !== 'fetch') return write(all, []);
    const fresh = new Set(await this.submissions.newAmong(entry.formId, all));
    const known = all.filter((each) => !fresh.has(each));
    const wanted = rows.filter(({ submission }) => fresh.has(submission));
    try {
      // Those with files first: of two rows with one id, the first is stored.
      return await this.files.during(entry.accountId, wanted, turn.unwanted, (fetched) =>
        write([...fetched.submissions, ...known], fetched.missing),
      );
    } catch (error) {
      if (turn.unwanted.aborted) return null;
      throw error;
    }
  }

  private async write(
    entry: Import,
    keep: (tx: EntityManager) => Promise<boolean>,
    { rows, readBytes, isEnd }: NextRows,
    all: readonly ImportedSubmission[],
    missing: readonly RowProblem[],
  ) {
    const store = () =>
      this.unitOfWork.run(async (tx) => {
        // It may have been deleted meanwhile.
        const form = await this.forms.find(entry.formId, tx);
        if (!form) throw new NoLongerAllowed();
        const fresh = await this.submissions.newAmong(form.id, all, tx);
        const next = entry.after({
          rows: rows.length,
          lastLine: rows.at(-1)?.line ?? entry.lastLine,
          readBytes,
          imported: fresh.length,
          skipped: all.length - fresh.length,
          broken: rows.filter((row) => row.reason !== undefined),
          missing,
        });
        next.state = 'running';
        if (isEnd) next.end('finished', this.unitOfWork.now());
        const imports = this.imports.in(tx);
        // First, since whoever undoes the import waits for its row then.
        if (!(await keep(tx)) || !(await imports.advance(next))) return null;
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

  /** Waits while visitors' submissions come fast, but not for ever. */
  private async letVisitorsFirst(unwanted: AbortSignal) {
    for (let rests = 0; this.submissions.isToWait && rests < LOAD_RESTS_MAX; rests++) {
      if (unwanted.aborted) return;
      await pause(LOAD_REST_MS, undefined, { signal: unwanted }).catch(() => undefined);
    }
  }

  /** Removes what the import has stored, portion by portion, and then its file. */
  private async undo(entry: Import, { unwanted, keep }: Turn) {
    await inPortions(
      async () => {
        const portion = await this.imports.firstPortion(entry);
        if (!portion) return 0;
        await this.erasure.takeBack(entry.formId, portion.ids);
        await this.unitOfWork.run((tx) => this.imports.in(tx).removePortion(portion));
        return 1;
      },
      unwanted,
      new Pace(),
    );
    if (unwanted.aborted) return;
    const { fileId } = entry;
    entry.end('undone', this.unitOfWork.now());
    const isOver = await this.unitOfWork.run(async (tx) => (await keep(tx)) && this.imports.in(tx).advance(entry));
    if (isOver && fileId) await this.store.remove(fileId);
  }

  /** Returns the form, if whoever began the import may still change it. @throws NoLongerAllowed */
  private async formOf({ maker, formId }: Import) {
    const { actor, accountId } = maker;
    const principal =
      actor.kind === 'operator' ? Principal.operator(accountId) : await this.hooks.ask(MakerRights, maker);
    const form = await this.forms.find(formId);
    if (!form || !principal?.may('triage')) throw new NoLongerAllowed();
    // With the scope of now: a client may not see the form any more.
    await this.forms.get(principal, form.identifier).catch(() => {
      throw new NoLongerAllowed();
    });
    return form;
  }
}
