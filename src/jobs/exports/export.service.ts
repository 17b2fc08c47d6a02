import type { Principal } from '../../accounts/access/index.js';
import { TooManyExports, ExportDiskFull, ExportsFull } from '../../submissions/model/submission.errors.js';
import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { FormQueries } from '../../forms/form-queries.service.js';
import { inSlices, Turns, Config } from '../../platform/index.js';
import { inPieces, type Bound, keyOf, SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { isInIndex, type SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { ExportRowsRepository, type ExportRow } from './export-rows.repository.js';
import { FilesUnavailable } from '../../submissions/files/file.errors.js';
import { FileStore, INCOMING, writing } from '../../submissions/files/file-store.js';
import { RowSpool } from './row-spool.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { OptIns } from '../../deliveries/holds/holds.service.js';
import { FilesService } from '../../submissions/files/files.service.js';
import { formTarget } from '../../forms/model/form-changes.js';
import type { Form } from '../../forms/model/form.entity.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import type { Shown } from '../../submissions/dto/submission-json.js';

/** Submissions that are written while visitors wait. */
const PIECE_ROWS = 200;
/**
 * Submissions that one statement reads: the embedded database answers while everybody waits, and a server takes as
 * long for the statement as for a hundred rows of it. With twice as many, rows wait for so long that V8 takes them for old,
 * and the memory of an export of a workbook grows twice as much.
 */
const STATEMENT_ROWS = { embedded: PIECE_ROWS, server: 500 };
/** Longest values, in bytes, that are read without a look at their sizes first: a statement gives at most 4 MiB of them. */
const SMALL_BYTES = 4 * 1024;
/** Most bytes of longer values held in memory at a time; a single submission may have more. */
const PIECE_BYTES = 1024 * 1024;

/** Statements of exports that run at once in this process: the rest of the database is for visitors. */
const RUNNING_MAX = 2;

/** A row whose values were read. */
type ReadRow = ExportRow & { payload: string };

function hasValues(row: ExportRow): row is ReadRow {
  return row.payload !== null;
}

/** Reads one piece ahead: a database server works on it while the one before is used. */
async function* readAhead<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    for (let next = pieces.next(); ;) {
      const read = await next;
      if (read.done === true) return;
      next = pieces.next();
      // Seen when it is its turn; until then nobody listens to it.
      next.catch(() => undefined);
      yield read.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** Stores the files of exports apart from visitors' files, under `DATA_DIR/exports`: no backup has them. */
@Injectable()
export class ExportStore extends FileStore {
  /** Bytes on disk of the spools of each account in this process. */
  private readonly spooled = new Map<number, number>();

  constructor(private readonly settings: Config) {
    super(settings);
  }

  protected override get folder() {
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
  private async openNameless() {
    const folder = join(this.folder, INCOMING);
    await mkdir(folder, { recursive: true });
    // What a process leaves that is killed right here is swept.
    const path = join(folder, randomBytes(16).toString('hex'));
    const file = await open(path, 'wx+');
    await rm(path);
    return file;
  }

  private async append(file: FileHandle, bytes: Buffer) {
    await this.assertRoom();
    await file.appendFile(bytes);
  }
}

function asDiskFull(error: unknown): never {
  throw error instanceof FilesUnavailable ? new ExportDiskFull(error.cause) : error;
}

/** The submissions of a form up to the newest one when the export began, newest first. */
export interface Export {
  form: Form;
  /** Whether the form has its visitors confirm what they send. */
  isAsking: boolean;
  /** Aborted once nobody wants it any more. */
  unwanted: AbortSignal;
  /** Reads them, on every call. */
  rows(): AsyncGenerator<Shown[]>;
  /** Returns a place for rows that cannot be sent yet. */
  spool(): RowSpool;
}

/** Exports that are sent at once to one token or person: each has a buffer, a file and turns at the database. */
const OF_HOLDER = 4;
/** Exports that are sent at once to one client, by however many tokens and people. */
const OF_CLIENT = 8;
/** Exports that are sent at once to one account, its clients included. */
const OF_ACCOUNT = 16;

/** Reads all submissions of a form in pieces, so that memory stays constant. */
@Injectable()
export class ExportService {
  private readonly turns = new Turns(RUNNING_MAX);
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly forms: FormQueries,
    private readonly files: FilesService,
    private readonly optIns: OptIns,
    private readonly ids: SubmissionIds,
    private readonly store: ExportStore,
    private readonly audit: AuditService,
    private readonly rows: ExportRowsRepository,
    private readonly finder: SubmissionFinder,
  ) {}

  /**
   * Begins an export, which is recorded; its rows are read while it is sent.
   * @param format such as `csv`
   * @param unwanted aborts reading once the client has left, or has it all
   * @throws FormNotFound, TooManyExports
   */
  async begin(
    principal: Principal,
    identifier: string,
    format: string,
    filter: SubmissionFilter,
    unwanted: AbortSignal,
  ): Promise<Export> {
    const form = await this.forms.get(principal, identifier);
    this.beginDownload(principal, unwanted);
    await this.audit.recordAloneBy(principal, {
      action: 'submissions.exported',
      target: formTarget(form),
      details: { format },
    });
    return this.open(form, filter, await this.ids.end(), unwanted);
  }

  /** Opens an export of a form whose scope was checked already, up to an id; it is recorded elsewhere. */
  open(form: Form, filter: SubmissionFilter, end: Buffer, unwanted: AbortSignal): Export {
    return {
      form,
      isAsking: decodeVisitorMail(form.visitorMail).doubleOptIn,
      unwanted,
      rows: () => this.inFull(form, this.read(form.id, filter, end), unwanted),
      spool: () => this.store.spool(form.accountId),
    };
  }

  private async *inFull(form: Form, pieces: AsyncGenerator<ReadRow[]>, unwanted: AbortSignal): AsyncGenerator<Shown[]> {
    const hasAsked = await this.optIns.hasAny(form.id);
    for await (const rows of pieces) {
      unwanted.throwIfAborted();
      yield await this.shown(form, rows, hasAsked);
    }
  }

  /** Makes what is shown of rows. */
  private async shown(form: Form, rows: ReadRow[], hasAsked: boolean): Promise<Shown[]> {
    const asked = await this.optIns.listAmong(hasAsked ? rows.map(({ id }) => id) : []);
    const states = new Map(asked.map(({ submissionId, state }) => [keyOf(submissionId), state]));
    const withFiles = rows.filter(({ has_files: has }) => Number(has) === 1);
    const filesOf = await this.files.listByOwner(withFiles.map(({ id }) => id));
    return rows.map((row) => ({
      form,
      submission: {
        id: row.id,
        createdAt: { toISOString: () => isoOf(row.created_at) },
        payload: row.payload,
        origin: row.origin,
        trash: row.trash === 1,
        spam: row.spam === 1,
        spamReason: row.spam_reason,
      },
      files: filesOf(row.id),
      confirmation: states.get(keyOf(row.id)),
    }));
  }

  /** @param end the id to begin at; what is newer is left out */
  async *read(formId: number, filter: SubmissionFilter, end: Buffer): AsyncGenerator<ReadRow[]> {
    const limit = STATEMENT_ROWS[this.rows.isEmbedded ? 'embedded' : 'server'];
    const found = isInIndex(filter)
      ? this.newest(formId, filter, end, limit)
      : this.searched(formId, filter, end, limit);
    // While a piece is written the server reads the next.
    for await (const rows of readAhead(this.turns.through(found))) {
      // A search may find nothing for long; whoever waits has to be asked whether they still do.
      if (rows.length === 0) yield [];
      for (const piece of inSlices(rows, PIECE_ROWS)) {
        if (piece.every(hasValues)) yield piece;
        else yield* this.longer(formId, piece);
        await nextTurn();
      }
    }
  }

  /** Reads what the index of lists answers. Values that are long are missing. */
  private async *newest(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    limit: number,
  ): AsyncGenerator<ExportRow[]> {
    for (let bound: Bound = ['<=', end]; ;) {
      const some = await this.rows.newest(formId, filter, bound, limit, SMALL_BYTES);
      const last = some.at(-1);
      if (!last) return;
      yield some;
      bound = ['<', last.id];
    }
  }

  /** Reads what has to be searched. Values that are long are missing. */
  private async *searched(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    limit: number,
  ): AsyncGenerator<ExportRow[]> {
    for await (const ids of this.finder.upTo(formId, filter, end)) {
      if (ids.length === 0) yield [];
      for (const some of inSlices(ids, limit)) {
        yield await this.rows.among(formId, some, SMALL_BYTES);
      }
    }
  }

  /** Reads rows once more, with their values, however long. */
  private async *longer(formId: number, rows: ExportRow[]): AsyncGenerator<ReadRow[]> {
    const ids = rows.map(({ id }) => id);
    for (const piece of inPieces(ids, await this.rows.sizes(ids), PIECE_BYTES)) {
      const some = await this.rows.among(formId, piece, Number.MAX_SAFE_INTEGER);
      yield some.filter(hasValues);
      await nextTurn();
    }
  }

  /**
   * Counts one until it is over, whether it was sent or given up.
   * @param over aborted then
   * @throws TooManyExports
   */
  private beginDownload({ accountId, clientId, actor }: Principal, over: AbortSignal) {
    over.throwIfAborted();
    const shares: [name: string, most: number][] = [
      [`${accountId} ${actor.kind} ${String(actor.id)}`, OF_HOLDER],
      [`${accountId}`, OF_ACCOUNT],
    ];
    if (clientId !== null) shares.push([`${accountId} client ${clientId}`, OF_CLIENT]);
    for (const [name, most] of shares) {
      if ((this.counts.get(name) ?? 0) >= most) throw new TooManyExports(most);
    }
    for (const [name] of shares) this.add(name, 1);
    over.addEventListener('abort', () => {
      for (const [name] of shares) this.add(name, -1);
    });
  }

  private add(name: string, amount: number) {
    const sum = (this.counts.get(name) ?? 0) + amount;
    if (sum > 0) this.counts.set(name, sum);
    else this.counts.delete(name);
  }
}

/** Returns a time of a row, such as `2030-01-31 12:00:00.000`, in ISO 8601. */
function isoOf(time: string) {
  return `${time.slice(0, 10)}T${time.slice(11)}Z`;
}
