import { Injectable } from '@nestjs/common';
import { FileStore, type StoredFile } from '../../files/file-store.js';
import { UploadScans } from '../../files/upload-scans.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { FORM_TOPICS } from '../../forms/model/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { NotificationPlanner } from '../../notifications/notification-planner.js';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { DomainError } from '../../platform/kernel/errors.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';
import { makeUuid, timeOf } from '../../platform/kernel/uuid.js';
import { FormTokens } from '../../spam/evidence/form-tokens.service.js';
import type { CaptchaToken } from '../../spam/evidence/captcha-outcome.js';
import { noProof, type Proof } from '../../spam/evidence/proof.js';
import { ProofsOfWork } from '../../spam/proof-of-work/proofs-of-work.service.js';
import { SpamHistory } from '../../spam/history/spam-history.js';
import { Signals } from '../../platform/signals/signals.js';
import { SpamJudge } from '../../spam/judge/spam-judge.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { SolutionSpent } from '../../spam/evidence/spam.errors.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { WriterOverloaded } from '../model/submission.errors.js';
import { SubmittedValues } from '../model/submitted-values.js';
import { digestsOf } from '../model/value-digests.js';
import { facetsOf } from '../model/facet.js';
import { heldForViruses } from '../verdicts/infections.js';
import { CountLimitReached } from './count-limit.js';
import { checkFields, heldFor, type Checked } from './field-checks.js';
import { Idempotency } from './idempotency.js';
import { refuseTooLong, type IdempotencyRecord, type NewSubmission } from './submission-inserts.js';
import { SubmissionWriter } from './submission-writer.js';

/** Digests of longer values, in characters, are made later: they would keep other visitors waiting. */
export const DIGEST_INLINE_CHARS = 64 * 1024;
/** Bytes of a stored submission in a transaction besides its values. */
const ROW_OVERHEAD_BYTES = 512;

/** A submission as the intake read it. */
export interface ReceivedSubmission {
  members: readonly JsonMember[];
  /** On disk, not yet kept. */
  files: StoredFile[];
  source: SubmissionSource;
  /** Facts about the sender for judging only, never stored. */
  sender: { address: string; network: string; acceptLanguage: string | null };
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** Value of its field `_token`; null without. */
  token: string | null;
  /** Value of its field for the proof of work; null without one, and when the form asks for none. */
  proof: string | null;
  /** Token of the captcha of the form; null when the form has none. */
  captcha: CaptchaToken | null;
  /** Requests with the same key are one; null for a request without. */
  idempotencyKey: string | null;
}

/** The outcome of a submission, and the answer for its visitor. */
export interface Accepted<Answer> {
  /** `replayed`: it was stored before, under the same idempotency key. */
  outcome: 'stored' | 'spam' | 'replayed';
  answer: Answer;
}

/** Takes submissions from the door: judges, plans what follows, and has them stored. */
@Injectable()
export class SubmissionIntake {
  constructor(
    private readonly forms: FormsService,
    private readonly files: FileStore,
    private readonly scans: UploadScans,
    private readonly judge: SpamJudge,
    private readonly history: SpamHistory,
    private readonly tokens: FormTokens,
    private readonly proofs: ProofsOfWork,
    private readonly planner: NotificationPlanner,
    private readonly idempotency: Idempotency,
    private readonly writer: SubmissionWriter,
    private readonly clock: Clock,
    private readonly signals: Signals,
  ) {}

  /**
   * Refuses while too many wait to be stored; to be asked before a body is read.
   * @throws WriterOverloaded
   */
  assertRoom(): void {
    if (this.writer.isOverloaded) throw new WriterOverloaded();
  }

  /**
   * Refuses while a form is paused or closed. A request with an idempotency key is to be asked only where it is
   * stored: it may be a repetition.
   * @throws FormShut
   */
  assertOpen(form: Readonly<Form>): void {
    const shut = IntakeGate.decode(form.intakeGate).closedFor(form, this.clock.now());
    if (shut) throw shut;
  }

  /**
   * Stores a submission, or finds the answer that an earlier one got. The files are removed when it is
   * not stored; when that is unknown they stay, and the sweeper decides.
   * @param identifier of the form, looked up now: it may have changed while the body was read
   * @param answerFor makes the answer, an object for JSON; it is stored with the key
   * @throws FormNotFound, FormShut, FieldsRefused, SubmissionTooLong, IdempotencyKeyMalformed, IdempotencyKeyReused,
   * IdempotencyConflict, WriterOverloaded, DatabaseUnavailable
   */
  async accept<Answer>(
    identifier: string,
    received: ReceivedSubmission,
    answerFor: (form: Form, id: Buffer) => Promise<Answer>,
  ): Promise<Accepted<Answer>> {
    const files = { mayBeStored: false, needed: false };
    let outcome: Accepted<Answer>['outcome'] = 'replayed'; // unless it is stored now
    try {
      const form = await this.forms.findPublicCached(identifier);
      const store = async (record: Omit<IdempotencyRecord, 'answer'> | null): Promise<Answer> => {
        this.assertOpen(form);
        const checked = checkFields(form, received);
        const scanned = { ...received, files: await this.scans.of(received.files) };
        const settings = SpamSettings.of(form);
        const proof = settings.asksForProof
          ? await this.proofs.take(received.proof, form, received.source.origin)
          : null;
        try {
          const submission = await this.newSubmission(form, settings, scanned, proof, checked);
          const answer = await answerFor(form, submission.id);
          submission.idempotency = record && { ...record, answer: JSON.stringify(answer) };
          for (const file of received.files) await this.files.keep(file);
          files.mayBeStored = true;
          const { verdict } = await this.write(form, submission, () => {
            this.takeBack(form, received);
            return this.newSubmission(form, settings, scanned, noProof('used'), checked);
          });
          files.needed = true;
          this.signals.give(FORM_TOPICS.arrived, form.id);
          outcome = verdict.isSpam ? 'spam' : 'stored';
          return answer;
        } catch (error) {
          this.takeBack(form, received);
          throw error;
        } finally {
          this.proofs.release(proof);
        }
      };
      const { idempotencyKey: key } = received;
      const answer = await (key === null
        ? store(null)
        : this.idempotency.once(form.id, key, received, store));
      return { outcome, answer };
    } catch (error) {
      const isRefusal = error instanceof DomainError && !(error instanceof DatabaseUnavailable);
      files.needed = files.mayBeStored && !isRefusal;
      throw error;
    } finally {
      if (!files.needed) for (const { id } of received.files) await this.files.remove(id);
    }
  }

  /** Forgets what was not stored, so that it is no repetition when it is sent again. */
  private takeBack({ accountId }: Form, { sender, members }: ReceivedSubmission): void {
    this.history.takeBack(accountId, sender.network, new SubmittedValues(members).toText());
  }

  private async newSubmission(
    form: Form,
    settings: SpamSettings,
    { members, files, source, sender, honeypot, token, captcha }: ReceivedSubmission,
    proof: Proof | null,
    checked: Checked,
  ): Promise<NewSubmission> {
    const values = new SubmittedValues(members);
    const payload = values.encode();
    refuseTooLong(payload);
    const { address, network, acceptLanguage } = sender;
    const fields = values.toText();
    const before = this.history.add(form.accountId, network, fields, this.clock.now());
    // Each by its name: to spread objects into it takes ten times as long.
    const evidence = {
      form,
      honeypot,
      fields,
      fillMs: token === null ? null : await this.tokens.fillMs(token, form.id),
      proof: proof?.state ?? null,
      captcha,
      origin: source.origin,
      userAgent: source.userAgent,
      acceptLanguage,
      address,
      alike: before.alike,
      fromNetwork: before.fromNetwork,
    };
    const judged = await this.judge.judge(evidence, settings);
    const { matcher } = checked;
    const isNew = { hasFiles: files.length > 0, matcher };
    const sent = { ...source, values, id: makeUuid(), isNew };
    const plan = async (): Promise<Pick<NewSubmission, 'verdict' | 'heldUntil' | 'planned'>> => {
      const { isCut } = matcher;
      const verdict = heldForViruses(files, heldFor(checked, judged, settings), settings);
      const heldUntil = settings.heldUntil(verdict, this.clock.now());
      const { band, isBlank } = verdict;
      const planned = await this.planner.plan(form, sent, { band, isBlank, heldUntil });
      // Conditions of destinations are matched last, and can take all that was left.
      return matcher.isCut === isCut ? { verdict, heldUntil, planned } : plan();
    };
    return {
      id: sent.id,
      formId: form.id,
      limit: IntakeGate.decode(form.intakeGate).opening.maxSubmissions,
      accountId: form.accountId,
      createdAt: timeOf(sent.id),
      payload,
      digests: payload.length > DIGEST_INLINE_CHARS ? null : digestsOf(sent),
      facets: facetsOf(sent, payload.length),
      ...(await plan()),
      solution: proof?.solution ?? null,
      source,
      files,
      idempotency: null,
      bytes: payload.length + ROW_OVERHEAD_BYTES,
    };
  }

  /**
   * Stores a submission.
   * @param again makes it anew, for when its solution was spent through another instance meanwhile
   */
  private async write(
    form: Readonly<Form>,
    submission: NewSubmission,
    again: () => Promise<NewSubmission>,
  ): Promise<NewSubmission> {
    try {
      await this.writer.store(submission);
      return submission;
    } catch (error) {
      if (error instanceof CountLimitReached) throw IntakeGate.decode(form.intakeGate).full();
      if (!(error instanceof SolutionSpent)) throw error;
      const { id, createdAt, idempotency } = submission;
      const other = { ...(await again()), id, createdAt, idempotency };
      await this.writer.store(other);
      return other;
    }
  }
}
