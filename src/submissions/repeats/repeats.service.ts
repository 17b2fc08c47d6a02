import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { FileStore, type StoredFile } from '../files/file-store.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { DeliveryPlanner } from '../../deliveries/delivery-planner.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { timeOf, Signals } from '../../platform/index.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { facetsOf } from '../model/facet.js';
import { SubmissionNotFound } from '../model/submission.errors.js';
import { SubmissionWriter } from '../storage/submission-writer.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions.service.js';
import { VerdictsService } from '../verdicts/verdicts.service.js';
import { RepeatsRepository } from './repeats.repository.js';
import type { SubmissionRepeat } from './submission-repeat.entity.js';

/** Shows what visitors sent twice at once, and makes submissions of their own of it. */
@Injectable()
export class RepeatsService {
  constructor(
    private readonly repeats: RepeatsRepository,
    private readonly submissions: SubmissionsService,
    private readonly verdicts: VerdictsService,
    private readonly planner: DeliveryPlanner,
    private readonly writer: SubmissionWriter,
    private readonly files: FileStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async show(principal: Principal, identifier: string, id: Buffer | null): Promise<SubmissionRepeat[]> {
    const { submission } = await this.submissions.show(principal, identifier, id);
    return this.listFor(submission.id);
  }

  /** Returns what came with a submission whose scope was checked already, oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionRepeat[]> {
    return this.repeats.listFor(submissionId);
  }

  /**
   * Makes a submission of one that was sent twice: with the time when it came and the values of the first, judged like
   * that, counted and told as any other.
   * @throws FormNotFound, SubmissionNotFound, FilesUnavailable, DatabaseUnavailable
   */
  async separate(
    principal: Principal,
    identifier: string,
    firstId: Buffer | null,
    id: Buffer | null,
  ): Promise<SubmissionInFull> {
    const first = await this.submissions.show(principal, identifier, firstId);
    if (!id || !(await this.repeats.find(first.submission.id, id))) throw new SubmissionNotFound();
    await this.store(first, id);
    await this.unitOfWork.run((tx) => this.repeats.in(tx).remove(id));
    this.signals.give(FORM_TOPICS.arrived, first.form.id);
    return this.submissions.show(principal, identifier, id);
  }

  private async store({ form, submission, files }: SubmissionInFull, id: Buffer) {
    const { payload, values, referer, language } = submission;
    const verdict = await this.verdicts.of(submission);
    const heldUntil = SpamSettings.of(form).heldUntil(verdict, this.unitOfWork.now());
    const { band, isBlank } = verdict;
    const sent = { id, values, referer, language };
    const copies = await this.copiesOf(files);
    await this.writer.store({
      ...{ id, formId: form.id, limit: null, accountId: form.accountId, createdAt: timeOf(id) },
      ...{ payload, digests: null, facets: facetsOf(submission, payload.length) },
      ...{ verdict, heldUntil, solution: null, source: submission, files: copies },
      planned: await this.planner.plan(form, sent, { band, isBlank, heldUntil }),
      ...{ idempotency: null, bytes: payload.length },
    });
  }

  /** Copies files on disk: each belongs to one submission, and goes with it. */
  private async copiesOf(files: SubmissionInFull['files']): Promise<StoredFile[]> {
    const copies = [];
    for (const { id, field, name, mediaType } of files) {
      const content = await this.files.find(id);
      if (content === null) continue;
      const copy = await this.files.receive(content, () => undefined);
      await this.files.keep(copy);
      copies.push({ ...copy, field, name, mediaType });
    }
    return copies;
  }
}
