import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Scope } from '../../access/principal.js';
import type { Form } from '../../forms/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { makeUuid } from '../../shared/uuid.js';
import type { SubmissionFilter } from '../submission-filter.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions.service.js';

/** How much is read at a time: few rows while they are large, many while they are small. */
const CHUNK_BYTES = 1024 * 1024;
const CHUNK_ROWS_FIRST = 50;
const CHUNK_ROWS_MAX = 250;

/** The submissions of a form as they were when the export began, newest first. */
export interface Export {
  form: Form;
  /** Names of all fields that occur, in the order they are met; read anew on every call. */
  fieldNames(limit: number): Promise<string[]>;
  rows(): AsyncGenerator<SubmissionInFull[]>;
}

/** Reads all submissions of a form in pieces, in constant memory. */
@Injectable()
export class ExportService {
  constructor(
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsService,
    private readonly repository: SubmissionsRepository,
  ) {}

  /**
   * @param unwanted set when nobody waits for the export any more: what is being read then ends
   * @throws FormNotFound
   */
  async begin(
    scope: Scope,
    identifier: string,
    filter: SubmissionFilter,
    unwanted: AbortSignal,
  ): Promise<Export> {
    const form = await this.forms.get(scope, identifier);
    const end = makeUuid();
    const rows = () => this.read(form, filter, end, unwanted);
    return { form, rows, fieldNames: (limit) => namesIn(rows(), limit) };
  }

  private async *read(
    form: Form,
    filter: SubmissionFilter,
    end: Buffer,
    unwanted: AbortSignal,
  ): AsyncGenerator<SubmissionInFull[]> {
    let before = end;
    let perPage = CHUNK_ROWS_FIRST;
    for (;;) {
      unwanted.throwIfAborted();
      const found = await this.repository.older(form.id, filter, before, perPage);
      const last = found.at(-1);
      if (!last) return;
      yield await this.submissions.withFiles(form, found);
      // The embedded database answers at once: without a pause nobody else would get a turn.
      await nextTurn();
      before = last.id;
      const bytes = found.reduce((sum, { payload }) => sum + payload.length, 0);
      const fitting = Math.floor((CHUNK_BYTES * found.length) / Math.max(bytes, 1));
      perPage = Math.min(Math.max(fitting, 1), CHUNK_ROWS_MAX);
    }
  }
}

async function namesIn(rows: AsyncGenerator<SubmissionInFull[]>, limit: number): Promise<string[]> {
  const names = new Set<string>();
  for await (const chunk of rows) {
    for (const { submission } of chunk) {
      for (const { name } of submission.values.members) if (names.size < limit) names.add(name);
    }
  }
  return [...names];
}
