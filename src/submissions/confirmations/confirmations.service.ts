import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ActsRecorded, type ActOnMany } from '../acts/submission-acts.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { Holds, OptIns } from '../../deliveries/holds/holds.service.js';
import type { OptIn } from '../../deliveries/model/delivery.entity.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { DAY_MS, Signals, SigningService } from '../../platform/index.js';
import { SubmissionActs } from '../acts/submission-acts.service.js';
import { NotAsked, OptInLinkBroken, SubmissionNotFound } from '../model/submission.errors.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';

/** Purpose of the signed link that asks a visitor to confirm. */
const LINK = 'opt-in';
/** How long such a link is good, in days. */
export const LINK_DAYS = 30;

/** Whether a submission waits for its visitor, with the reason why nobody may answer. */
export interface Confirmation {
  /** Null where nobody was asked. */
  optIn: OptIn | null;
  /** Why the mail that asks did not reach its address; null where nothing is known of that. */
  problem: string | null;
}

/** Keeps what waits for its visitor, and lets it out. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsRepository,
    private readonly optIns: OptIns,
    private readonly holds: Holds,
    private readonly deliveries: DeliveriesService,
    private readonly acts: SubmissionActs,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** @throws FormNotFound, SubmissionNotFound */
  async show(scope: Scope, identifier: string, id: Buffer | null): Promise<Confirmation> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.locate(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return this.of(submission.id);
  }

  /** Returns the same of a submission whose scope was checked already. */
  async of(submissionId: Buffer): Promise<Confirmation> {
    const optIn = await this.optIns.find(submissionId);
    if (optIn?.state !== 'waiting') return { optIn, problem: null };
    const all = await this.deliveries.listFor({ clientId: null }, submissionId);
    const asking = all.find(({ delivery }) => delivery.kind === 'opt_in');
    const last = asking?.attempts.at(-1);
    const isFailed = asking?.delivery.state === 'failed';
    return { optIn, problem: isFailed ? (last?.answer ?? last?.outcome ?? 'failed') : null };
  }

  /** Makes the path that confirms a submission; null for one that does not wait. */
  async pathFor(submissionId: Buffer): Promise<string | null> {
    const [waiting] = await this.optIns.waitingAmong([submissionId]);
    if (!waiting) return null;
    const expiresAt = new Date(this.unitOfWork.now().getTime() + LINK_DAYS * DAY_MS);
    const link = await this.signing.sign(LINK, submissionId, expiresAt);
    return `/opt-in/${link}`;
  }

  /**
   * Says what a link confirms, and changes nothing.
   * @throws OptInLinkBroken for one that was altered, has expired, or whose submission is gone
   */
  async open(link: string): Promise<{ form: Form; optIn: OptIn; language: string | null }> {
    // Whose an expired link was is known still, so that its page can say so.
    const id = await this.signing.verify(LINK, link, new Date(0));
    const optIn = id && (await this.optIns.find(id));
    const form = optIn && (await this.forms.find(optIn.formId));
    const isFresh = (await this.signing.verify(LINK, link, this.unitOfWork.now())) !== null;
    if (!form || !isFresh) throw new OptInLinkBroken(form);
    const language = await this.languageOf(form.id, optIn.submissionId);
    return { form, optIn, language };
  }

  /**
   * Confirms what a link stands for; a second time changes nothing.
   * @throws OptInLinkBroken
   */
  async confirm(link: string): Promise<{ form: Form; wasWaiting: boolean; language: string | null }> {
    const { form, optIn, language } = await this.open(link);
    const wasWaiting = await this.unitOfWork.run((tx) => this.end(tx, form.id, optIn.submissionId, false));
    this.tell(form.id);
    return { form, wasWaiting, language };
  }

  /** Sends the mail that asks a visitor once more. @returns whether it was sent, as far as the visitor is to know */
  async askAgain(form: Form, submissionId: Buffer): Promise<boolean> {
    const optIn = await this.optIns.find(submissionId);
    // Spam waits for nobody: its sender is not to learn that.
    if (optIn?.state !== 'waiting') return true;
    return this.deliveries.askAgain(form, submissionId);
  }

  /**
   * Lets out what a submission causes although its visitor has not confirmed it; a second time changes nothing.
   * @throws FormNotFound, SubmissionNotFound, NotAsked
   */
  async confirmByHand(principal: Principal, identifier: string, id: Buffer | null): Promise<Confirmation> {
    const { optIn } = await this.show(principal, identifier, id);
    if (!optIn) throw new NotAsked();
    const { formId, submissionId } = optIn;
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.end(tx, formId, submissionId, true))) return;
      const act = { kind: 'sent_anyway', detail: null, ids: [submissionId] } as const;
      await this.acts.record(tx, principal, formId, [act]);
    });
    this.tell(formId);
    return this.of(submissionId);
  }

  /** Lets out what was confirmed in the trash, in the transaction that restores it. */
  @ActsRecorded()
  async restored(tx: EntityManager, _formId: number, acts: readonly ActOnMany[]): Promise<void> {
    const submissionIds = acts.filter(({ kind }) => kind === 'restored').flatMap(({ ids }) => ids);
    if (submissionIds.length === 0) return;
    const known = await this.optIns.listAmong(submissionIds, tx);
    await this.holds.settle(
      tx,
      known.map(({ submissionId }) => submissionId),
    );
  }

  /** Returns the language of a submission's visitor, as BCP 47 has it; null where that is not known. */
  async languageOf(formId: number, submissionId: Buffer) {
    return (await this.submissions.find(formId, submissionId))?.language ?? null;
  }

  private async end(tx: EntityManager, formId: number, submissionId: Buffer, byHand: boolean) {
    // Marks wait for the same row, so either sees what the other did.
    await this.forms.lockCount(tx, formId);
    if (!(await this.optIns.confirm(tx, submissionId, byHand))) return false;
    const submission = await this.submissions.in(tx).find(formId, submissionId);
    if (submission?.trash === false) await this.holds.settle(tx, [submissionId]);
    return true;
  }

  private tell(formId: number) {
    this.signals.give(FORM_TOPICS.changed, formId);
    this.deliveries.wakeWorker();
  }
}
