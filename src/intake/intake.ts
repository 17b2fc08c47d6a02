import { Logger, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  type HttpAdapter,
  Mounted,
  addressOf,
  networkOf,
  requestIdGiven,
  roundedMs,
  RequestMetrics,
  discardBody,
  errorHeaders,
  statusOf,
} from '../platform/http/index.js';
import {
  Config,
  DomainError,
  MINUTE_MS,
  RateLimited,
  RateLimits,
  countersBy,
  UnderWay,
  counter,
  Measured,
  formatUuid,
} from '../platform/index.js';
import { databaseErrorCode, isFullDisk, isUnavailable, DatabaseUnavailable } from '../platform/database/index.js';
import type { Form } from '../forms/model/form.entity.js';
import { isFormIdentifier } from '../forms/model/form-changes.js';
import { AliasesService, type Reached } from '../forms/aliases/aliases.service.js';
import { isOwnPage } from '../forms/model/form-page.js';
import { wordsFor } from '../forms/model/form-language.js';
import { preferredLanguage } from '../languages/words.js';
import { Pages, thanksTo } from '../visitor-pages/pages.js';
import { RefusalsService } from '../health/watch/refusals.service.js';
import { SubmissionIntake, type Accepted } from '../submissions/storage/submission-intake.service.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import type { FileTaker } from '../submissions/storage/imported-submissions.service.js';
import { PROBE_HEADER, PROBE_STORED, PROBE_REFUSED_KEY, Probes } from '../submissions/storage/probes.service.js';
import { FileQuota } from '../submissions/storage/file-quota.js';
import { IntakeResponse, headersOf } from './http/intake-response.js';
import { dialectOf, intakeAddressOf, type IntakeAddress } from './dialects/dialects.js';
import { findFormKey, keyNames } from './dialects/form-key.js';
import { BodyReader } from './encodings/body-reader.js';
import { checkMembers } from './encodings/json-body.js';
import { SubmissionLimits } from './encodings/submission-limits.js';
import {
  allowedTarget,
  nextOf,
  extractSpecialFields,
  isEmpty,
  tokenFields,
  type ParsedSubmission,
  successBody,
  type Success,
} from './model/special-fields.js';
import {
  EmptySubmission,
  FormKeyMissing,
  isOfSender,
  TooManyAtOnce,
  UNEXPECTED,
  ProbeLost,
} from './model/intake.errors.js';
import { carriedFields, sourceOf } from './submission-source.js';

const PAUSE_MS = MINUTE_MS;

/**
 * Tells the log why submissions are not stored: a fault of the code each time, with its place; a database
 * or a disk that cannot be used once a minute, since every submission meets it.
 */
class FaultLog {
  private readonly logger = new Logger('Intake');
  /** When each reason may be logged again, by `performance.now()`. */
  private readonly quietUntil = new Map<string, number>();

  constructor(private readonly config: Pick<Config, 'dataDir' | 'database'>) {}

  write(requestId: string, thrown: unknown) {
    const reason = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
    const cause = databaseErrorCode(reason);
    const code = thrown instanceof DomainError ? thrown.code : null;
    if (code === null && !isUnavailable(thrown)) {
      this.logger.error('Submission failed', { requestId, error: thrown });
      return;
    }
    const key = `${code} ${cause}`;
    const now = performance.now();
    if (now < (this.quietUntil.get(key) ?? 0)) return;
    this.quietUntil.set(key, now + PAUSE_MS);
    const message = isFullDisk(reason) ? `The disk is full: ${this.diskOf(code)}` : 'Submissions cannot be stored';
    this.logger.error(message, { requestId, code, cause });
  }

  private diskOf(code: string | null) {
    if (code === 'files_unavailable') return this.config.dataDir;
    const { database } = this.config;
    return database.kind === 'embedded' ? database.file : 'that of the database server';
  }
}

/** How a submission was kept; a probe is no submission of the form. */
type Kept = Accepted<Success> | { outcome: 'probe'; answer: Success };

/** The outcome of a submission, for the log. */
interface Ended {
  outcome: Kept['outcome'] | 'refused' | 'failed';
  /** Id of the submission; null when none was stored. */
  submissionId: string | null;
  /** Code of the error; null when there was none. */
  code: string | null;
}

/**
 * Takes submissions in: `POST /f/:identifier`, and where pages of other providers send; before the framework's router, which
 * would cost more than all else.
 */
@Injectable()
export class Intake {
  private readonly logger = new Logger('Intake');
  private readonly headers: string[];
  private readonly faults: FaultLog;
  private readonly underWay = new UnderWay<string>();
  private readonly tarpit = new Tarpit();
  /** Counts submissions by outcome, and the code of the error. */
  private readonly outcomes = countersBy('outcome', 'reason');

  constructor(
    private readonly config: Config,
    private readonly aliases: AliasesService,
    private readonly submissions: SubmissionIntake,
    private readonly probes: Probes,
    private readonly quota: FileQuota,
    private readonly pages: Pages,
    private readonly limits: RateLimits,
    private readonly requestMetrics: RequestMetrics,
    private readonly refusals: RefusalsService,
  ) {
    this.headers = headersOf(config);
    this.faults = new FaultLog(config);
    for (const outcome of ['stored', 'spam', 'repeated', 'replayed']) this.outcomes.of(outcome, '');
  }

  @Mounted()
  mount(app: NestExpressApplication): void {
    (app.getHttpAdapter() as HttpAdapter).mountBeforeRouter(this);
  }

  @Measured()
  metrics() {
    return [
      counter(
        'fcs_submissions_total',
        'Submissions that came in: stored, spam (stored too), replayed, refused (4xx), failed (5xx).',
        this.outcomes,
      ),
    ];
  }

  /** Answers a submission, or the preflight request of one. Returns false for any other request. */
  handle(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request;
    if (method !== 'OPTIONS' && method !== 'POST') return false;
    const address = intakeAddressOf(url);
    if (address === null) return false;
    const answer = new IntakeResponse(request, response, this.headers, address);
    if (method === 'OPTIONS') answer.allow();
    else {
      // Whatever fails after the refusal, of the log or of the answer, is no reason to end the process.
      this.accept(request, answer, address).catch((error: unknown) => {
        this.logger.error('A submission could not be answered', { error });
        response.destroy();
      });
    }
    return true;
  }

  /** Returns the number of networks with submissions under way. */
  get networksUnderWay() {
    return this.underWay.size;
  }

  private async accept(request: IncomingMessage, answer: IntakeResponse, to: IntakeAddress): Promise<void> {
    const address = addressOf(request, this.config);
    const requestId = requestIdGiven(request.headers['x-request-id']);
    const begin = performance.now();
    answer.setHeader('X-Request-Id', requestId);
    const network = networkOf(address);
    const mine = this.underWay.begin(network);
    let ended: Ended | undefined;
    let probe: Buffer | null = null;
    // Whatever else a visitor sent in its place is not logged.
    const identifier = to.id !== null && isFormIdentifier(to.id) ? to.id : null;
    try {
      const header = request.headers[PROBE_HEADER];
      if (header !== undefined) probe = await this.probes.read(header, to.id);
      if (!probe) {
        this.limits.admit('address', network, answer);
        if (mine > this.config.intake.maxConcurrentPerAddress) throw new TooManyAtOnce();
      }
      this.submissions.assertRoom();
      const reached = await this.reach(request, to);
      const { form, alias } = reached;
      answer.form = form;
      answer.words = wordsFor(form, preferredLanguage(request.headers['accept-language']));
      answer.dialect = dialectOf(to, form.dialect, alias?.provider ?? null);
      if (!request.headers['idempotency-key']) this.submissions.assertOpen(form);
      if (!probe) this.limits.admit('form', form.id, answer);
      const { answer: success, outcome } = await this.quota.during(form.accountId, (files) =>
        this.keep(request, answer, reached, address, files, probe),
      );
      if (outcome === 'probe') answer.setHeader(PROBE_HEADER, PROBE_STORED);
      else this.outcomes.of(outcome, '').add();
      ended = { outcome, submissionId: success.id, code: null };
      answer.succeed(success, this.pages);
    } catch (error) {
      if (error instanceof RateLimited) await this.tarpit.wait(network);
      if (answer.form && !probe && isOfSender(error)) this.refusals.count(answer.form, error);
      ended = await this.refuse(answer, requestId, error, probe !== null);
    } finally {
      const { status } = answer;
      const ms = performance.now() - begin;
      this.requestMetrics.record('POST', to.path.route, status, ms);
      this.logger.log('Submission', {
        requestId,
        form: answer.form?.identifier ?? identifier,
        outcome: ended?.outcome,
        submissionId: ended?.submissionId,
        code: ended?.code,
        status,
        ms: roundedMs(ms),
      });
      this.underWay.end(network);
    }
  }

  /** Finds the form by the address, or by the body where that names it. @throws FormKeyMissing, FormNotFound */
  private async reach(request: IncomingMessage, to: IntakeAddress) {
    const { maxBodyBytes } = this.config.intake;
    const id = to.id ?? (await findFormKey(request, to, maxBodyBytes));
    if (id === null) throw new FormKeyMissing(keyNames(to)[0] ?? '');
    return this.aliases.reach(id);
  }

  private async keep(
    request: IncomingMessage,
    answer: IntakeResponse,
    { form, alias }: Reached,
    address: string,
    files: FileTaker,
    probe: Buffer | null,
  ): Promise<Kept> {
    const { dialect } = answer;
    const settings = SpamSettings.of(form);
    const limits = new SubmissionLimits(this.config, tokenFields(settings));
    const body = await new BodyReader(limits).read(request, files);
    const read = dialect.read?.(body) ?? body;
    if (read !== body) checkMembers(read.members, limits);
    const sent = extractSpecialFields(read, settings, dialect.roles);
    const source = sourceOf(request, address, this.config, sent);
    const words = wordsFor(form, source.language);
    answer.words = words;
    const page = source.referer ?? source.origin;
    const isOwn = isOwnPage(form, source.referer);
    const next = nextOf(sent, dialect.roles, page, form);
    answer.errorUrl = allowedTarget(sent.error, page, form.whitelistedDomains);
    answer.carried = () => ({
      fields: carriedFields(sent, source),
      target: next,
      origin: source.origin,
      page: source.referer,
    });
    if (isEmpty(sent)) throw new EmptySubmission();
    // Each by its name: to spread objects into it takes ten times as long.
    const received = {
      members: sent.members,
      files: sent.files,
      honeypot: sent.honeypot,
      token: sent.token,
      proof: sent.proof,
      captcha: sent.captcha,
      words,
      idempotencyKey: probe ? null : idempotencyKeyOf(request, sent),
      source,
      sender: { address, network: networkOf(address), acceptLanguage: request.headers['accept-language'] ?? null },
    };
    if (probe) {
      await this.probes.store(form.identifier, probe, received);
      const answer = await this.success(request, form, probe, next, false, form.submissionText);
      return { outcome: 'probe', answer };
    }
    const accepted = await this.submissions.accept(form.identifier, received, (now, id) =>
      this.success(request, now, id, next, isOwn, thanksTo(now, sent.members, words)),
    );
    if (alias) this.aliases.used(alias, page);
    return accepted;
  }

  /** Makes the answer to a submission that is stored next. @param target where its page sends visitors, if anywhere */
  private async success(
    request: IncomingMessage,
    form: Readonly<Form>,
    id: Buffer,
    target: string | null,
    isOwn: boolean,
    message: string,
  ) {
    const redirect = target ?? form.redirectUrl;
    const next = redirect ?? (await this.pages.thanksUrl(request, form.identifier, id, new Date()));
    // A form's own page leads to the page that thanks, with a script too.
    return successBody(message, form.submissionText, next, isOwn ? next : redirect, formatUuid(id));
  }

  private async refuse(answer: IntakeResponse, id: string, thrown: unknown, isProbe: boolean) {
    discardBody(answer.req);
    const error = isUnavailable(thrown) ? new DatabaseUnavailable() : thrown;
    const known = error instanceof DomainError ? error : null;
    const status = known ? statusOf(known) : 500;
    const outcome = status < 500 ? 'refused' : 'failed';
    const { code } = known ?? UNEXPECTED;
    if (isProbe) answer.setHeader(PROBE_HEADER, code);
    else this.outcomes.of(outcome, code).add();
    if (status >= 500) this.faults.write(id, thrown);
    for (const [name, value] of errorHeaders(known)) answer.setHeader(name, value);
    await answer.fail(status, known ?? UNEXPECTED, this.pages);
    return { outcome, submissionId: null, code } as const;
  }
}

/** Refusals of a network that are answered at once in each REFUSAL_MS, in milliseconds; further ones are so much later. */
const AT_ONCE = 16;
const REFUSAL_MS = 250;

/** Slows down a network that goes on sending beyond its limit, since each refusal costs others a moment. */
class Tarpit {
  private counts = new Map<string, number>();
  private endsAt = 0;

  /** Waits before the next refusal of a network, if it got many lately. */
  async wait(network: string) {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.endsAt = now + REFUSAL_MS;
    }
    const count = (this.counts.get(network) ?? 0) + 1;
    this.counts.set(network, count);
    if (count > AT_ONCE) await pause(REFUSAL_MS);
  }
}

/**
 * Returns the idempotency key of a request, from its header or the field, as it was sent; null when it has none.
 * @throws ProbeLost for that of a probe
 */
function idempotencyKeyOf({ headers }: IncomingMessage, sent: ParsedSubmission) {
  const header = headers['idempotency-key'];
  const quoted = typeof header === 'string' ? header.trim() : null;
  const key = quoted?.replace(/^"(.*)"$/, '$1') ?? sent.idempotencyKey;
  if (key === PROBE_REFUSED_KEY) throw new ProbeLost();
  return key;
}
