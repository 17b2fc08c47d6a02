import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { OptIns } from '../deliveries/holds/opt-ins.service.js';
import { FilesService } from '../files/files.service.js';
import { formTarget } from '../forms/model/form-changes.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { decodeVisitorMail } from '../forms/model/visitor-mail.js';
import { keyOf } from '../submissions/rows/byte-pieces.js';
import type { SubmissionFilter } from '../submissions/filter/submission-filter.js';
import { SubmissionIds } from '../submissions/rows/submission-ids.js';
import type { Shown } from '../submissions/dto/submission-json.js';
import { DownloadsUnderWay } from './downloads-under-way.js';
import { ExportReader, type ReadRow } from './export-reader.js';
import { ExportStore } from './export-store.js';
import type { RowSpool } from './row-spool.js';

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

/** Reads all submissions of a form in pieces, so that memory stays constant. */
@Injectable()
export class ExportService {
  constructor(
    private readonly forms: FormsService,
    private readonly files: FilesService,
    private readonly optIns: OptIns,
    private readonly reader: ExportReader,
    private readonly ids: SubmissionIds,
    private readonly store: ExportStore,
    private readonly downloads: DownloadsUnderWay,
    private readonly audit: AuditService,
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
    this.downloads.begin(principal, unwanted);
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
      rows: () => this.inFull(form, this.reader.read(form.id, filter, end), unwanted),
      spool: () => this.store.spool(form.accountId),
    };
  }

  private async *inFull(
    form: Form,
    pieces: AsyncGenerator<ReadRow[]>,
    unwanted: AbortSignal,
  ): AsyncGenerator<Shown[]> {
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
}

/** Returns a time of a row, such as `2030-01-31 12:00:00.000`, in ISO 8601. */
function isoOf(time: string): string {
  return `${time.slice(0, 10)}T${time.slice(11)}Z`;
}
