import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../../files/file-store.js';
import type { Form } from '../../forms/model/form.entity.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { NotificationPlanner } from '../../notifications/notification-planner.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { JsonMember } from '../../platform/kernel/text/json-text.js';
import { makeUuid, timeOf } from '../../platform/kernel/uuid.js';
import { FormTokens } from '../../spam/evidence/form-tokens.service.js';
import type { CaptchaToken, Proof } from '../../spam/evidence/spam-evidence.js';
import { SpamHistory } from '../../spam/history/spam-history.js';
import { SpamJudge } from '../../spam/judge/spam-judge.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { SubmittedValues } from '../model/submitted-values.js';
import { digestsOf } from '../model/value-digests.js';
import { facetsOf } from '../model/facet.js';
import { heldForViruses } from '../verdicts/infections.js';
import { heldFor, type Checked } from './field-checks.js';
import { refuseTooLong, type NewSubmission } from './submission-inserts.js';

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

/** Makes submissions of what the intake read. */
@Injectable()
export class NewSubmissions {
  constructor(
    private readonly judge: SpamJudge,
    private readonly history: SpamHistory,
    private readonly tokens: FormTokens,
    private readonly planner: NotificationPlanner,
    private readonly clock: Clock,
  ) {}

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

  /** Forgets what was not stored, so that it is no repetition when it is sent again. */
  takeBack({ accountId }: Form, { sender, members }: ReceivedSubmission): void {
    this.history.takeBack(accountId, sender.network, new SubmittedValues(members).toText());
  }
}
