import { Injectable } from '@nestjs/common';
import { FileStore } from '../../files/file-store.js';
import { UploadScans } from '../../files/upload-scans.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { FORM_TOPICS } from '../../forms/model/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { insertStatement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DomainError } from '../../platform/kernel/errors.js';
import { makeUuid, timeOf } from '../../platform/kernel/uuid.js';
import { noProof } from '../../spam/evidence/spam-evidence.js';
import { ProofsOfWork } from '../../spam/proof-of-work/proofs-of-work.service.js';
import { Signals } from '../../platform/signals/signals.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { SolutionSpent } from '../../spam/evidence/spam.errors.js';
import { WriterOverloaded } from '../model/submission.errors.js';
import { RecentSends } from './recent-sends.js';
import { CountLimitReached } from './count-limit.js';
import { checkFields } from './field-checks.js';
import { Idempotency } from './idempotency.js';
import { idempotencyKeyInserts, type IdempotencyRecord } from './idempotency-keys.repository.js';
import { NewSubmissions, type ReceivedSubmission } from './new-submissions.service.js';
import { refusalOf } from './store-errors.js';
import type { NewSubmission } from './submission-inserts.js';
import { SubmissionWriter } from './submission-writer.js';

const REPEAT_COLUMNS = ['id', 'form_id', 'submission_id'];

/** An idempotency key before its answer is known. */
type KeyRecord = Omit<IdempotencyRecord, 'answer'>;

/** A submission that was stored, and the answer for its visitor. */
interface Stored<Answer> {
  id: Buffer;
  answer: Answer;
}

/** The outcome of a submission, and the answer for its visitor. */
export interface Accepted<Answer> {
  /** `repeated`: its sender sent it twice at once. `replayed`: it was stored before, under the same idempotency key. */
  outcome: 'stored' | 'spam' | 'repeated' | 'replayed';
  answer: Answer;
}

/** Takes submissions from the door, and has each stored once. */
@Injectable()
export class SubmissionIntake {
  private readonly recent = new RecentSends();

  constructor(
    private readonly forms: FormsService,
    private readonly files: FileStore,
    private readonly scans: UploadScans,
    private readonly made: NewSubmissions,
    private readonly proofs: ProofsOfWork,
    private readonly idempotency: Idempotency,
    private readonly writer: SubmissionWriter,
    private readonly unitOfWork: UnitOfWork,
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
    const shut = IntakeGate.decode(form.intakeGate).closedFor(form, this.unitOfWork.now());
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
      const storeNew = async (record: KeyRecord | null): Promise<Stored<Answer>> => {
        this.assertOpen(form);
        const checked = checkFields(form, received);
        const scanned = { ...received, files: await this.scans.of(received.files) };
        const settings = SpamSettings.of(form);
        const proof = settings.asksForProof
          ? await this.proofs.take(received.proof, form, received.source.origin)
          : null;
        try {
          const submission = await this.made.of(form, settings, scanned, proof, checked);
          const answer = await answerFor(form, submission.id);
          submission.idempotency = record && { ...record, answer: JSON.stringify(answer) };
          for (const file of received.files) await this.files.keep(file);
          files.mayBeStored = true;
          const { verdict } = await this.write(form, submission, () => {
            this.made.takeBack(form, received);
            return this.made.of(form, settings, scanned, noProof('used'), checked);
          });
          files.needed = true;
          this.signals.give(FORM_TOPICS.arrived, form.id);
          outcome = verdict.isSpam ? 'spam' : 'stored';
          return { id: submission.id, answer };
        } catch (error) {
          this.made.takeBack(form, received);
          throw error;
        } finally {
          this.proofs.release(proof);
        }
      };
      const store = async (record: KeyRecord | null): Promise<Answer> => {
        const { mergesRepeats } = IntakeGate.decode(form.intakeGate).opening;
        if (!mergesRepeats) return (await storeNew(record)).answer;
        const now = this.unitOfWork.now();
        return this.recent.once(
          form.id,
          received,
          now,
          () => storeNew(record),
          async (first) => {
            const answer = await answerFor(form, first);
            await this.storeRepeat(
              form,
              first,
              record && { ...record, answer: JSON.stringify(answer) },
            );
            outcome = 'repeated';
            return answer;
          },
        );
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

  /** Stores that a submission came once more. */
  private async storeRepeat(
    { id: formId }: Form,
    first: Buffer,
    idempotency: IdempotencyRecord | null,
  ): Promise<void> {
    const id = makeUuid();
    try {
      await this.unitOfWork.runStatements([
        ...insertStatement('submission_repeats', REPEAT_COLUMNS, [[id, formId, first]]),
        ...idempotencyKeyInserts([{ formId, createdAt: timeOf(id), idempotency }]),
      ]);
    } catch (error) {
      throw refusalOf(error);
    }
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
