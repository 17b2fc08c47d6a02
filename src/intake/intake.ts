import { Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Config } from '../platform/config/config.js';
import { DatabaseUnavailable, isUnavailable } from '../platform/database/database.errors.js';
import { FileStore } from '../files/file-store.js';
import type { Form } from '../forms/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { discardBody } from '../platform/http/discard-body.js';
import { errorHeaders } from '../platform/http/error-headers.js';
import { statusOf } from '../platform/http/status.js';
import { requestIdGiven, roundedMs } from '../platform/http/request-log.middleware.js';
import { RequestMetrics } from '../platform/http/request-metrics.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { Pages } from '../visitor-pages/pages.js';
import { DomainError } from '../platform/kernel/errors.js';
import { countersBy } from '../platform/kernel/counters.js';
import { formatUuid, makeUuid, timeOf } from '../platform/kernel/uuid.js';
import {
  refuseTooLong,
  type NewSubmission,
  type IdempotencyRecord,
} from '../submissions/storage/submission-inserts.js';
import { WriterOverloaded } from '../submissions/submission.errors.js';
import { NotificationPlanner } from '../notifications/notification-planner.js';
import { SubmissionWriter } from '../submissions/storage/submission-writer.js';
import { digestsOf } from '../submissions/values/value-digests.js';
import { SubmittedValues } from '../submissions/values/submitted-values.js';
import { IntakeResponse, successBody, type Success } from './http/intake-response.js';
import { BodyReader } from './encodings/body-reader.js';
import { FieldLimits } from './encodings/field-limits.js';
import { headersOf } from './http/response-headers.js';
import { Idempotency, idempotencyKeyOf } from './idempotency.js';
import { EmptySubmission, TooManyAtOnce } from './intake.errors.js';
import { sourceOf } from './submission-source.js';
import { spamVerdict } from '../spam/spam-verdict.js';
import { extractSpecialFields, type ParsedSubmission } from './special-fields.js';

/** How the framework's router spells it. */
const ROUTE = '/f/:identifier';
/** In any case of letters, as that router reads paths; the identifier is compared as it is. */
const PATH = /^\/f\/([^/?]*)\/?(?:\?.*)?$/is;
/** How an identifier looks; others are not logged, since anything may stand there. */
const IDENTIFIER = /^[0-9a-f]{16}$/;
/** Digests of longer values, in characters, are made later: they would keep other visitors waiting. */
const DIGEST_INLINE_CHARS = 64 * 1024;
/** What a stored submission takes in a transaction besides its values. */
const ROW_OVERHEAD_BYTES = 512;

/** What became of a submission, as the log says it. */
interface Ended {
  outcome: 'stored' | 'spam' | 'replayed' | 'refused' | 'failed';
  /** Of the submission; null when none was stored. */
  submissionId: string | null;
  /** Of the error; null when there was none. */
  code: string | null;
}

/**
 * Takes submissions in: `POST /f/:identifier`. It stands before the framework's router, whose cost
 * would be most of the work, and reads as one story: form, body, verdict, stored, answered.
 */
@Injectable()
export class Intake {
  private readonly logger = new Logger('Intake');
  private readonly bodies: BodyReader;
  private readonly headers: string[];
  private readonly underWay = new Map<string, number>();
  /** What became of submissions; the reason is the code of the error, if there is one. */
  readonly outcomes = countersBy('outcome', 'reason');
  private readonly stored = {
    stored: this.outcomes.of('stored', ''),
    spam: this.outcomes.of('spam', ''),
    replayed: this.outcomes.of('replayed', ''),
  };

  constructor(
    private readonly config: Config,
    private readonly forms: FormsService,
    private readonly files: FileStore,
    private readonly writer: SubmissionWriter,
    private readonly idempotency: Idempotency,
    private readonly planner: NotificationPlanner,
    private readonly pages: Pages,
    private readonly limits: RateLimits,
    private readonly requestMetrics: RequestMetrics,
  ) {
    this.bodies = new BodyReader(new FieldLimits(config), files);
    this.headers = headersOf(config);
  }

  /** Answers the request if it is a submission or asks whether one may be sent; false if it is neither. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'POST' && method !== 'OPTIONS') return false;
    const identifier = PATH.exec(url)?.[1];
    if (identifier === undefined) return false;
    const answer = new IntakeResponse(request, response, this.headers);
    if (method === 'OPTIONS') answer.allow();
    else void this.accept(request, answer, identifier);
    return true;
  }

  /** Addresses of which submissions are under way. */
  get networksUnderWay(): number {
    return this.underWay.size;
  }

  methodsAt(path: string): string[] {
    return PATH.test(path) ? ['OPTIONS', 'POST'] : [];
  }

  private async accept(
    request: IncomingMessage,
    answer: IntakeResponse,
    identifier: string,
  ): Promise<void> {
    const address = addressOf(request, this.config);
    const requestId = requestIdGiven(request.headers['x-request-id']);
    const begin = performance.now();
    answer.setHeader('X-Request-Id', requestId);
    const network = networkOf(address);
    const mine = (this.underWay.get(network) ?? 0) + 1;
    this.underWay.set(network, mine);
    let ended: Ended | undefined;
    try {
      this.limits.admitVisitor(answer, network);
      if (mine > this.config.maxConcurrentPerAddress) throw new TooManyAtOnce();
      if (this.writer.isOverloaded) throw new WriterOverloaded();
      this.limits.admitToForm(answer, (await this.forms.findPublicCached(identifier)).id);
      const sent = extractSpecialFields(await this.bodies.read(request));
      const { success, outcome } = await this.keep(request, identifier, sent, address);
      ended = { outcome, submissionId: success.id, code: null };
      answer.succeed(success);
    } catch (error) {
      ended = this.refuse(answer, requestId, error);
    } finally {
      const { status } = answer;
      const ms = performance.now() - begin;
      this.requestMetrics.record('POST', ROUTE, status, ms);
      const form = IDENTIFIER.test(identifier) ? identifier : null;
      this.logger.log('Submission', { requestId, form, ...ended, status, ms: roundedMs(ms) });
      const left = (this.underWay.get(network) ?? 1) - 1;
      if (left === 0) this.underWay.delete(network);
      else this.underWay.set(network, left);
    }
  }

  /**
   * Stores what was sent, or finds the answer it got before. The form is looked up again: a body takes
   * its time, and the form may have been changed or deleted meanwhile. The files go again when it is not
   * stored; when that is unknown they stay, and the sweeper decides.
   */
  private async keep(
    request: IncomingMessage,
    identifier: string,
    sent: ParsedSubmission,
    address: string,
  ): Promise<{ success: Success; outcome: 'stored' | 'spam' | 'replayed' }> {
    const files = { mayBeStored: false, needed: false };
    let outcome: 'stored' | 'spam' | 'replayed' = 'replayed'; // unless it is stored now
    try {
      if (sent.members.length === 0 && sent.files.length === 0 && sent.honeypot === null) {
        throw new EmptySubmission();
      }
      const form = await this.forms.findPublicCached(identifier);
      const store = async (record: Omit<IdempotencyRecord, 'answer'> | null): Promise<Success> => {
        const submission = await this.newSubmission(request, form, sent, address);
        const answer = await this.success(form, submission.id);
        submission.idempotency = record && { ...record, answer: JSON.stringify(answer) };
        for (const file of sent.files) await this.files.keep(file);
        files.mayBeStored = true;
        await this.writer.store(submission);
        files.needed = true;
        outcome = submission.spam === null ? 'stored' : 'spam';
        return answer;
      };
      const key = idempotencyKeyOf(request, sent);
      const success = await (key === null
        ? store(null)
        : this.idempotency.once(form.id, key, sent, store));
      this.stored[outcome].add();
      return { success, outcome };
    } catch (error) {
      const isRefusal = error instanceof DomainError && !(error instanceof DatabaseUnavailable);
      files.needed = files.mayBeStored && !isRefusal;
      throw error;
    } finally {
      if (!files.needed) for (const { id } of sent.files) await this.files.remove(id);
    }
  }

  private async newSubmission(
    request: IncomingMessage,
    form: Form,
    sent: ParsedSubmission,
    address: string,
  ): Promise<NewSubmission> {
    const source = sourceOf(request, address, this.config);
    const values = new SubmittedValues(sent.members);
    const payload = values.encode();
    const searchText = values.searchText();
    refuseTooLong(payload, searchText);
    const id = makeUuid();
    const spam = spamVerdict(form, sent, source.origin);
    const planned = spam === null ? await this.planner.plan(form, values) : [];
    return {
      id,
      formId: form.id,
      createdAt: timeOf(id),
      payload,
      searchText,
      digests: payload.length > DIGEST_INLINE_CHARS ? null : digestsOf(values),
      spam,
      source,
      files: sent.files,
      planned,
      idempotency: null,
      bytes: payload.length + ROW_OVERHEAD_BYTES,
    };
  }

  private async success(
    { identifier, submissionText, redirectUrl }: Form,
    id: Buffer,
  ): Promise<Success> {
    const next = redirectUrl ?? (await this.pages.thanksUrl(identifier, id, new Date()));
    return successBody(submissionText, next, redirectUrl, formatUuid(id));
  }

  private refuse(answer: IntakeResponse, requestId: string, thrown: unknown): Ended {
    discardBody(answer.req);
    const error = isUnavailable(thrown) ? new DatabaseUnavailable() : thrown;
    const known = error instanceof DomainError ? error : null;
    const status = known ? statusOf(known) : 500;
    const outcome = status < 500 ? 'refused' : 'failed';
    const { code } = known ?? UNEXPECTED;
    this.outcomes.of(outcome, code).add();
    if (status >= 500) this.logger.error('Submission failed', { requestId, error: thrown });
    for (const [name, value] of errorHeaders(known)) answer.setHeader(name, value);
    answer.fail(status, known ?? UNEXPECTED, this.pages);
    return { outcome, submissionId: null, code };
  }
}

const UNEXPECTED = {
  code: 'unexpected',
  message: 'Something went wrong on our side. Your submission was not stored; please try again.',
  fields: [],
};
