import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileStore, type StoredFile } from '../files/file-store.js';
import type { Form } from '../../forms/model/form.entity.js';
import { runStatements } from '../../platform/database/index.js';
import { Verdict } from '../../spam/evidence/verdict.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { facetsOf } from '../model/facet.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { SubmittedValues, digestsOf } from '../model/submitted-values.js';
import { keyOf } from '../rows/submission-ids.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { insertsBeforeCounts, refuseTooLong, type NewSubmission } from './submission-inserts.js';
import { DIGEST_INLINE_CHARS } from './submission-intake.service.js';
import { SubmissionWriter } from './submission-writer.js';

/** Takes the files of one submission. */
export type FileTaker = Pick<FileStore, 'receive' | 'remove'>;

/** A submission that another service received. */
export interface ImportedSubmission {
  /** Made of what identifies it there, so that a second import finds it; its time is that of the submission. */
  id: Buffer;
  /** The id that it has where it comes from, if that was one of our services; null otherwise. */
  formerId: Buffer | null;
  createdAt: Date;
  values: SubmittedValues;
  spam: boolean;
  source: SubmissionSource;
  /** On disk, and kept; none when it is not said. */
  files?: StoredFile[];
}

/** Stores what other services received, as visitors' submissions are stored; nobody is told. */
@Injectable()
export class ImportedSubmissions {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly writer: SubmissionWriter,
  ) {}

  /** Tells whether visitors' submissions come so fast that an import should wait. */
  get isToWait() {
    return this.writer.isUnderLoad;
  }

  /** Returns which of these submissions the form lacks, each once. */
  async newAmong(
    formId: number,
    some: readonly ImportedSubmission[],
    tx?: EntityManager,
  ): Promise<ImportedSubmission[]> {
    const ids = some.flatMap(({ id, formerId }) => (formerId ? [id, formerId] : [id]));
    const submissions = this.submissions.in(tx);
    const known = new Set((await submissions.idsAmong(formId, ids)).map(keyOf));
    return some.filter(({ id, formerId }) => {
      if (known.has(keyOf(id)) || (formerId && known.has(keyOf(formerId)))) return false;
      known.add(keyOf(id));
      return true;
    });
  }

  /**
   * Stores them within a transaction: with counts and what is indexed later, and without deliveries.
   * @throws SubmissionTooLong
   */
  async store(tx: EntityManager, form: Form, some: readonly ImportedSubmission[]) {
    if (some.length === 0) return;
    const rows = some.map((each) => newSubmission(form, each));
    await runStatements(tx, insertsBeforeCounts(rows));
  }
}

function newSubmission(form: Form, imported: ImportedSubmission): NewSubmission {
  const { id, createdAt, values, source, spam, files = [] } = imported;
  const payload = values.encode();
  refuseTooLong(payload);
  const sent = { ...source, values };
  return {
    ...{ id, createdAt, payload, source, formId: form.id, accountId: form.accountId },
    digests: payload.length > DIGEST_INLINE_CHARS ? null : digestsOf(sent),
    facets: facetsOf(sent, payload.length),
    verdict: spam ? Verdict.imported(SpamSettings.of(form)) : Verdict.CLEAN,
    ...{ heldUntil: null, solution: null, limit: null, files, planned: [], idempotency: null },
    bytes: payload.length,
    isImported: true,
  };
}
