import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope } from '../../access/principal.js';
import type { Form } from '../../forms/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { SpamSettings } from '../../spam/spam-settings.js';
import { BY_HAND, MARKED_BY_HAND, Verdict, type SpamPart } from '../../spam/verdict.js';
import { keyOf } from '../byte-pieces.js';
import type { Submission } from '../submission.entity.js';
import { SubmissionNotFound } from '../submission.errors.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { SubmissionVerdict } from './submission-verdict.entity.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** Shows why submissions are clean, held or spam, and keeps what people decide. */
@Injectable()
export class VerdictsService {
  constructor(
    private readonly verdicts: VerdictsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormsService,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async show(scope: Scope, identifier: string, id: Buffer | null): Promise<Verdict> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return this.of(submission);
  }

  /** Returns the verdict on a submission whose scope was checked already. */
  async of(submission: Submission): Promise<Verdict> {
    const rows = await this.verdicts.of([submission.id]);
    return rows.get(keyOf(submission.id))?.verdict ?? withoutRow(submission);
  }

  /** Stores what somebody decided, in the transaction that marks the submission. */
  async decide(tx: EntityManager, form: Form, submission: Submission): Promise<void> {
    const { id, formId, spam } = submission;
    const known = (await this.verdicts.in(tx).of([id])).get(keyOf(id))?.verdict ?? Verdict.CLEAN;
    // To confirm what nothing speaks against needs no row.
    if (!spam && known.parts.length === 0) return;
    const verdict = known.decided(spam, SpamSettings.of(form));
    await this.verdicts.in(tx).save(SubmissionVerdict.of(formId, id, verdict));
  }

  /** Removes the verdicts of submissions in the transaction that removes the submissions. */
  forget(tx: EntityManager, submissionIds: readonly Buffer[]): Promise<void> {
    return this.verdicts.in(tx).forget(submissionIds);
  }
}

/** Returns the verdict on a submission from before parts were kept: spam has one reason, by its code. */
function withoutRow({ spam, spamCode, spamReason }: Submission): Verdict {
  if (!spam) return Verdict.CLEAN;
  const part: SpamPart = {
    name: spamCode ?? BY_HAND,
    points: 10,
    reason: spamReason ?? MARKED_BY_HAND,
  };
  return Verdict.stored('spam', [part]);
}
