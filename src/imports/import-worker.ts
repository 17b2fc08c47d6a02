import { Injectable, Logger } from '@nestjs/common';
import { Principal } from '../access/principal.js';
import { FORM_TOPICS } from '../forms/model/form-topics.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { MakerRights } from '../jobs/queue/maker-rights.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { LeasedWork, type Leased } from '../platform/background/leased-work.js';
import { Pace } from '../platform/background/pace.js';
import { inPortions } from '../platform/background/portions.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DomainError } from '../platform/kernel/errors.js';
import { SECOND_MS } from '../platform/kernel/time/durations.js';
import { Signals } from '../platform/signals/signals.js';
import { ErasureService } from '../submissions/erasure/erasure.service.js';
import { NoLongerAllowed } from '../submissions/model/submission.errors.js';
import { ImportPortions } from './import-portions.service.js';
import { ImportStore } from './import-store.js';
import { ImportsRepository } from './imports.repository.js';
import type { Import } from './model/import.entity.js';
import { ImportFileGone, ImportGivenUp } from './model/import.errors.js';
import { ImportReader } from './reading/import-reader.js';

/** Rows of a transaction: as many as one of visitors has at most. */
const ROWS_AT_ONCE = 200;
/** The same where files are fetched: as many are fetched again after a kill. */
const FETCHED_AT_ONCE = 20;
/** Processes that end over an import before it is given up. */
const LOST_MAX = 2;
/** Part of the time that a transaction took which is left to others after it: somebody waits for an import. */
const RESTS = 0.1;

type LeasedImport = Leased<Import>;

/**
 * Stores the rows of imports, portion by portion. Each portion is committed together with the position of its import, so
 * whoever goes on after a kill begins exactly behind it. Workers on one database claim imports with a lease.
 */
@Injectable()
export class ImportWorker {
  private readonly logger = new Logger(ImportWorker.name);

  constructor(
    private readonly imports: ImportsRepository,
    private readonly portions: ImportPortions,
    private readonly store: ImportStore,
    private readonly erasure: ErasureService,
    private readonly forms: FormsService,
    private readonly rights: MakerRights,
    private readonly signals: Signals,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Works on imports until there are none, one after the other. */
  @BackgroundTask('import submissions', SECOND_MS)
  work({ signal }: Pick<TaskRun, 'signal'>): Promise<void> {
    const leases = new LeasedWork<Import>(this.unitOfWork, {
      claimNext: (tx, token, seconds) => this.imports.in(tx).claimNext(token, seconds),
      renew: (tx, entry, token, seconds) => this.imports.in(tx).renew(entry, token, seconds),
      release: (tx, entry, token) => this.imports.in(tx).release(entry, token),
    });
    return leases.each((leased) => this.turn(leased), signal);
  }

  private async turn(leased: LeasedImport): Promise<void> {
    const { row: entry, token } = leased;
    const { fileId } = entry;
    try {
      if (entry.state === 'undoing') await this.undo(leased);
      else await this.read(leased);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.log('An import was ended', { code: error.code });
      // As it is stored: what was done of it stays done.
      const now = await this.imports.find(entry, entry.formId, entry.id);
      if (!now) return;
      now.fail(error, this.unitOfWork.now());
      if (await this.unitOfWork.run((tx) => this.imports.in(tx).advance(now, token))) {
        if (fileId) await this.store.remove(fileId);
      }
    }
  }

  /** Stores the rows of the file that follow its position. */
  private async read(leased: LeasedImport): Promise<void> {
    const { token, unwanted } = leased;
    let entry = leased.row;
    const form = await this.formOf(entry);
    const { fileId, options, encoding, lostLeases, position } = entry;
    if (lostLeases >= LOST_MAX) throw new ImportGivenUp(entry.lastLine);
    if (!fileId || !(await this.store.has(fileId))) throw new ImportFileGone();
    const now = this.unitOfWork.now();
    const undatedAt = (await this.imports.firstUndated(form.id, options.provider)) ?? now;
    const file = { path: this.store.pathOf(fileId), encoding };
    const about = { formId: form.id, undatedAt, now };
    const reader = new ImportReader(file, options, about, this.config.intake);
    // On the embedded database visitors wait for all of a transaction.
    const isEmbedded = this.config.database.kind === 'embedded';
    const most = options.files === 'fetch' ? FETCHED_AT_ONCE : ROWS_AT_ONCE;
    // Where a process has ended, rows are stored one by one, so that the one that did it is known when it does so again.
    const isCareful = () => lostLeases > 0 && entry.position - position < ROWS_AT_ONCE;
    const read = (wanted: number) =>
      reader.take(isCareful() ? 1 : isEmbedded ? Math.min(wanted, most) : most);
    let ahead: ReturnType<typeof read> | null = null;
    try {
      await reader.skip(entry.position);
      await inPortions(
        async (wanted) => {
          const { rows, isEnd: isLast } = await (ahead ?? read(wanted));
          const portion = { rows, readBytes: reader.bytesRead, isLast };
          // The next rows are read while the database stores these. An error of theirs comes when it is their turn.
          ahead = isLast || isCareful() ? null : read(wanted);
          ahead?.catch(() => undefined);
          if (!isCareful()) entry.lostLeases = 0;
          const next = await this.portions.store(entry, token, portion, unwanted);
          if (!next) return 0;
          entry = next;
          await this.portions.letVisitorsFirst(unwanted);
          return isLast ? 0 : rows.length;
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

  /** Removes what the import has stored, portion by portion, and then its file. */
  private async undo({ row: entry, token, unwanted }: LeasedImport): Promise<void> {
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
    const isOver = await this.unitOfWork.run((tx) => this.imports.in(tx).advance(entry, token));
    if (isOver && fileId) await this.store.remove(fileId);
  }

  /** Returns the form, if whoever began the import may still change it. @throws NoLongerAllowed */
  private async formOf({ maker, formId }: Import): Promise<Form> {
    const { actor, accountId } = maker;
    const principal =
      actor.kind === 'operator' ? Principal.operator(accountId) : await this.rights.now(maker);
    const form = await this.forms.find(formId);
    if (!form || !principal?.may('triage')) throw new NoLongerAllowed();
    // With the scope of now: a client may not see the form any more.
    await this.forms.get(principal, form.identifier).catch(() => {
      throw new NoLongerAllowed();
    });
    return form;
  }
}
