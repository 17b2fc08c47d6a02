import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { formTarget } from '../../forms/form-changes.js';
import type { Form } from '../../forms/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionFilter } from '../submission-filter.js';
import { SubmissionWalk } from '../search/submission-walk.js';
import { SubmissionIds } from '../submission-ids.js';
import type { Submission } from '../submission.entity.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions.service.js';

/** The submissions of a form as they were when the export began, newest first. */
export interface Export {
  form: Form;
  /** Returns the names of all fields, in the order they occur. Reads the submissions on every call. */
  fieldNames(limit: number): Promise<string[]>;
  rows(): AsyncGenerator<SubmissionInFull[]>;
}

/** Reads all submissions of a form in pieces, so that memory stays constant. */
@Injectable()
export class ExportService {
  constructor(
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
    private readonly repository: SubmissionsRepository,
    private readonly ids: SubmissionIds,
    private readonly audit: AuditService,
    private readonly walk: SubmissionWalk,
  ) {}

  /**
   * Begins an export, which is recorded; its rows are read while it is sent.
   * @param format such as `csv`
   * @param unwanted aborts reading once the client has left
   * @throws FormNotFound
   */
  async begin(
    principal: Principal,
    identifier: string,
    format: string,
    filter: SubmissionFilter,
    unwanted: AbortSignal,
  ): Promise<Export> {
    const form = await this.forms.get(principal, identifier);
    await this.audit.recordAloneBy(principal, {
      action: 'submissions.exported',
      target: formTarget(form),
      details: { format },
    });
    const end = await this.endOf(form.id);
    const read = () => this.read(form.id, filter, end, unwanted);
    return {
      form,
      rows: () => this.inFull(form, read()),
      fieldNames: (limit) => namesIn(read(), limit),
    };
  }

  /**
   * Returns the id that the export ends at. The newest id may lie ahead of our clock, since other instances
   * made it.
   */
  private async endOf(formId: number): Promise<Buffer> {
    const now = makeUuid();
    const newest = await this.ids.newest(formId);
    return newest !== null && newest.compare(now) > 0 ? newest : now;
  }

  private async *read(
    formId: number,
    filter: SubmissionFilter,
    end: Buffer,
    unwanted: AbortSignal,
  ): AsyncGenerator<Submission[]> {
    for await (const ids of this.walk.upTo(formId, filter, end)) {
      unwanted.throwIfAborted();
      for await (const some of this.repository.load(formId, ids)) {
        unwanted.throwIfAborted();
        yield some;
      }
    }
  }

  private async *inFull(
    form: Form,
    submissions: AsyncGenerator<Submission[]>,
  ): AsyncGenerator<SubmissionInFull[]> {
    for await (const some of submissions) yield this.submissions.withFiles(form, some);
  }
}

async function namesIn(pieces: AsyncGenerator<Submission[]>, limit: number): Promise<string[]> {
  const names = new Set<string>();
  for await (const piece of pieces) {
    for (const { values } of piece) {
      for (const { name } of values.members) if (names.size < limit) names.add(name);
    }
  }
  return [...names];
}
