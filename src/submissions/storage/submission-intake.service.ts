import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import {
  hook,
  Hooks,
  type FieldProblem,
  DomainError,
  type JsonMember,
  Clock,
  makeUuid,
  timeOf,
  Signals,
} from '../../platform/index.js';
import { ENGLISH, type Words } from '../../languages/words.js';
import { isOwnPage } from '../../forms/model/form-page.js';
import { PatternMatcher } from '../../forms/model/field.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { Verdict } from '../../spam/evidence/verdict.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { FieldsRefused, WriterOverloaded } from '../model/submission.errors.js';
import { SubmittedValues, digestsOf } from '../model/submitted-values.js';
import { shortReason, heldForViruses } from '../verdicts/verdicts.repository.js';
import { type StoredFile, FileStore } from '../files/file-store.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { DeliveryPlanner } from '../../deliveries/delivery-planner.js';
import {
  FormTokens,
  type CaptchaToken,
  type Proof,
  noProof,
  SolutionSpent,
} from '../../spam/evidence/spam-evidence.js';
import { SpamHistory } from '../../spam/history/spam-history.js';
import { SpamJudge } from '../../spam/judge/spam-judge.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { facetsOf } from '../model/facet.js';
import { refuseTooLong, type NewSubmission, refusalOf } from './submission-inserts.js';
import { FilesService } from '../files/files.service.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { DatabaseUnavailable, insertStatement, UnitOfWork } from '../../platform/database/index.js';
import { ProofsOfWork } from '../../spam/proof-of-work/proofs-of-work.service.js';
import { RecentSends, CountLimitReached, Idempotency } from './idempotency.js';
import { idempotencyKeyInserts, type IdempotencyRecord } from './idempotency-keys.repository.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { SubmissionWriter } from './submission-writer.js';

/** The fields and files of a submission. */
interface Sent {
  members: readonly JsonMember[];
  files: readonly { field: string; name: string; size: number }[];
  words?: Words;
}

/** JSON of a value in which nothing was filled in. */
const NOTHING = /^(?:null|"(?:\s|\\[nrt])*")$/;

/** Results of the rules of a form, and what can still be matched with patterns. */
interface Checked {
  problems: readonly FieldProblem[];
  matcher: PatternMatcher;
  /** Whether it has fields with nothing in any, and no file. */
  isBlank: boolean;
}

/**
 * Checks a submission by the rules of its form, before it is judged: the answer tells a bot the rules, and nothing
 * about its honeypots or its verdict.
 * @param taken problems of values that came before
 * @returns the problems for which it is to be held
 * @throws FieldsRefused if the form refuses what breaks its rules
 */
function checkFields(form: Readonly<Form>, { members, files, words }: Sent, taken: readonly FieldProblem[]): Checked {
  const matcher = new PatternMatcher();
  const { fields } = form;
  const isBlank = files.length === 0 && members.length > 0 && members.every(({ json }) => NOTHING.test(json));
  if (fields.rules.length === 0) return { problems: [], matcher, isBlank };
  const values = new SubmittedValues(members);
  const problems = [...fields.problemsOf(values.items(), files, matcher, words), ...taken];
  if (problems.length > 0 && !fields.holds) {
    throw new FieldsRefused(problems, form, { values: values.toText(), files });
  }
  return { problems, matcher, isBlank };
}

/** Returns a verdict that holds a submission for these results too; the same verdict if all is well. */
function heldFor({ problems, matcher, isBlank }: Checked, verdict: Verdict, settings: SpamSettings) {
  if (isBlank) verdict = verdict.blank(settings);
  const fields = problems.map(({ field }) => `“${field}”`).join(', ');
  const reasons = [
    ...(fields === '' ? [] : [`These fields break the rules of the form: ${fields}.`]),
    ...(matcher.isCut ? [NOT_MATCHED] : []),
  ];
  if (reasons.length === 0) return verdict;
  return verdict.breaking(shortReason(reasons.join(' ')), settings);
}

const NOT_MATCHED = 'Its values are too long for the patterns of the form, so not all of them were compared.';

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
  /** In which problems are told; absent for English. */
  words?: Words;
  /** Requests with the same key are one; null for a request without. */
  idempotencyKey: string | null;
}

/** Asks whether a field of a form had this value before, in a submission that counts. */
export const ValueCame = hook<(form: Form, name: string, text: string) => Promise<boolean>>();

/** Makes submissions of what the intake read. */
@Injectable()
export class NewSubmissions {
  constructor(
    private readonly judge: SpamJudge,
    private readonly history: SpamHistory,
    private readonly tokens: FormTokens,
    private readonly planner: DeliveryPlanner,
    private readonly submissions: SubmissionsRepository,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
  ) {}

  /** Checks a submission by the fields of its form. @throws FieldsRefused if the form refuses what breaks them */
  async check(form: Form, received: ReceivedSubmission): Promise<Checked> {
    const unique = form.fields.rules.filter((field) => field.unique === true);
    const taken: FieldProblem[] = [];
    if (unique.length > 0) {
      for (const { name, text } of new SubmittedValues(received.members).items()) {
        const isAsked = text !== '' && unique.some((field) => field.name === name);
        if (isAsked && (await this.hooks.ask(ValueCame, form, name, text))) {
          const message = (received.words ?? ENGLISH).say('problem.value_taken');
          taken.push({ field: name, code: 'value_taken', message });
        }
      }
    }
    return checkFields(form, received, taken);
  }

  /** Makes a submission as it is stored: judged, and with what it causes. */
  async of(
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
      isOwnPage: isOwnPage(form, source.referer),
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
      limit: await this.limitOf(form),
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

  /** Returns the most submissions that a form may have with this one; null for any number. */
  private async limitOf(form: Form) {
    const gate = IntakeGate.of(form);
    const start = gate.periodStart(this.clock.now());
    return gate.most(start && (await this.submissions.countBefore(form.id, start)));
  }

  /** Forgets what was not stored, so that it is no repetition when it is sent again. */
  takeBack({ accountId }: Form, { sender, members }: ReceivedSubmission) {
    this.history.takeBack(accountId, sender.network, new SubmittedValues(members).toText());
  }
}

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
    private readonly forms: FormQueries,
    private readonly files: FileStore,
    private readonly scans: FilesService,
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
  assertRoom() {
    if (this.writer.isOverloaded) throw new WriterOverloaded();
  }

  /**
   * Refuses while a form is paused or closed. A request with an idempotency key is to be asked only where it is
   * stored: it may be a repetition.
   * @throws FormShut
   */
  assertOpen(form: Readonly<Form>) {
    const shut = IntakeGate.of(form).closedFor(form, this.unitOfWork.now());
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
        const checked = await this.made.check(form, received);
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
        const { mergesRepeats } = IntakeGate.of(form).opening;
        if (!mergesRepeats) return (await storeNew(record)).answer;
        const now = this.unitOfWork.now();
        return this.recent.once(
          form.id,
          received,
          now,
          () => storeNew(record),
          async (first) => {
            const answer = await answerFor(form, first);
            await this.storeRepeat(form, first, record && { ...record, answer: JSON.stringify(answer) });
            outcome = 'repeated';
            return answer;
          },
        );
      };
      const { idempotencyKey: key } = received;
      const answer = await (key === null ? store(null) : this.idempotency.once(form.id, key, received, store));
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
  private async storeRepeat({ id: formId }: Form, first: Buffer, idempotency: IdempotencyRecord | null) {
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
  private async write(form: Readonly<Form>, submission: NewSubmission, again: () => Promise<NewSubmission>) {
    try {
      await this.writer.store(submission);
      return submission;
    } catch (error) {
      if (error instanceof CountLimitReached) throw IntakeGate.of(form).full(submission.limit);
      if (!(error instanceof SolutionSpent)) throw error;
      const { id, createdAt, idempotency } = submission;
      const other = { ...(await again()), id, createdAt, idempotency };
      await this.writer.store(other);
      return other;
    }
  }
}
