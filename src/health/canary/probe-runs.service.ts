import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Channel, type DeliveryChannel } from '../../deliveries/queue/delivery-worker.js';
import type { Delivery } from '../../deliveries/model/delivery.entity.js';
import { attemptResult, type AttemptResult } from '../../deliveries/model/outcome.js';
import { Mailer } from '../../mail/mailer.js';
import { PatternMatcher } from '../../forms/model/field.js';
import { sampleValues } from '../../forms/model/sample-values.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FormFields } from '../../forms/model/form-fields.js';
import {
  BackgroundTask,
  type TaskRun,
  Config,
  USER_AGENT,
  SECOND_MS,
  MINUTE_MS,
  makeUuid,
} from '../../platform/index.js';
import { SubmittedValues, PROBE_FORM } from '../../submissions/model/submitted-values.js';
import { PROBE_HEADER, PROBE_REFUSED_KEY, PROBE_STORED, Probes } from '../../submissions/storage/probes.service.js';
import { failed, ok, skipped, unseen, type Step, STEPS } from './step.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';

/** Ends the deliveries of probes where a mail would begin: at the mail server, once that lets us in. */
@Injectable()
@Channel(['probe'])
export class ProbeChannel implements DeliveryChannel {
  constructor(private readonly mailer: Mailer) {}

  async send(_: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    if (!this.mailer.isConfigured) return attemptResult('delivered', 'written');
    try {
      await Promise.race([this.mailer.verify(), rejectedBy(signal)]);
      return attemptResult('delivered', 'accepted');
    } catch (error) {
      const { response, message } = error as { response?: string; message: string };
      // Nothing is tried again: the next canary has a probe of its own.
      return { ...attemptResult('refused', 'unreachable', response ?? message), isApart: true };
    }
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('The mail server did not answer in time.'));
    });
  });
}

/** Longest wait for an answer, in milliseconds: a visitor would be gone by then. */
const ANSWER_TIMEOUT_MS = 15 * SECOND_MS;
const KEY_REFUSED = /idempotency_key_malformed/i;
/** Codes of forms that their owner has closed. */
const SHUT = /^form_(?:paused|closed|full|not_open)/;

/** How sending a probe ended. */
interface SentProbe {
  isStored: boolean;
  steps: Step[];
}

function notStored(...steps: Step[]): SentProbe {
  return { isStored: false, steps };
}

/** Says what is wrong with an answer that is not ours. */
function foreign({ status, headers }: Response, text: string, url: string) {
  if (KEY_REFUSED.test(text)) {
    const detail = `The service refused the test submission as it would a visitor’s: a proxy drops the header ${PROBE_HEADER}, or another instance with another database answers at ${url}.`;
    return failed('address', 'header_dropped', detail);
  }
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? '';
    const detail = `${url} redirects to ${to.slice(0, 200)}, and what is sent is lost. Set BASE_URL to the address that visitors use.`;
    return failed('address', 'address_redirects', detail);
  }
  if (status >= 500) {
    const detail = `The proxy of ${url} answers ${status}. Check whether the service runs and the proxy finds it.`;
    return failed('address', 'address_error', detail);
  }
  const detail = `${url} answers ${status}, and not from this service. Set BASE_URL to the address that visitors use, and let the proxy pass POST.`;
  return failed('address', 'address_not_ours', detail);
}

/** Says what a refusal of the intake means. */
function refusal(form: Form, values: readonly [string, string][], code: string, message: string) {
  if (SHUT.test(code)) return skipped('intake', code, `The form takes no submissions: ${message}`);
  if (code === 'database_unavailable') return failed('database', code, message);
  const broken = form.fields.problemsOf(SubmittedValues.ofPairs(values).items(), [], new PatternMatcher());
  if (code === 'invalid_fields' && broken.length > 0) {
    const fields = broken.map(({ field }) => `“${field}”`).join(', ');
    const detail = `We can invent no values for the rules of ${fields}, so the way behind the rules is not checked.`;
    return unseen('intake', 'rules_unmet', detail);
  }
  return failed('intake', code, `The service refuses submissions: ${message}`);
}

/** Returns the message of an error, in whatever shape the dialect of the form has it. */
function messageIn(text: string) {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return [message, error].find((each) => typeof each === 'string') ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

/** Returns the cause, which fetch hides behind "fetch failed". */
function reasonOf(error: unknown) {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}

/** Longest wait for a worker that takes a probe, and for the mail server, in milliseconds. */
const QUEUE_WAIT_MS = 30 * SECOND_MS;
const LOOK_EVERY_MS = 100;
/** Age of probes that a killed process has left, in milliseconds. */
const LEFT_AFTER_MS = 5 * MINUTE_MS;
const LEFT_ROWS = 100;

/** Sends probes through the public address of a form, follows them to the mail server, and erases them. */
@Injectable()
export class ProbeRuns {
  /** Replaced in tests. */
  queueWaitMs = QUEUE_WAIT_MS;

  constructor(
    private readonly submissions: SubmissionsService,
    private readonly deliveries: DeliveriesService,
    private readonly erasure: ErasureService,
    private readonly ids: SubmissionIds,
    private readonly probes: Probes,
    private readonly config: Config,
  ) {}

  /** @param signal ends it early, with an error */
  async run(form: Form, signal?: AbortSignal): Promise<Step[]> {
    const id = makeUuid();
    try {
      const steps = await this.walk(form, id, signal);
      const done = new Set(steps.map(({ step }) => step));
      const left = STEPS.slice(STEPS.indexOf('address')).filter((step) => !done.has(step));
      const detail = 'An earlier step did not end well.';
      return [...steps, ...left.map((step) => skipped(step, 'not_reached', detail))];
    } finally {
      await this.erasure.removeSome(PROBE_FORM.id, [id]);
    }
  }

  /** Erases what killed processes have left. */
  @BackgroundTask('erase probes that were left', MINUTE_MS)
  async eraseLeft({ now }: TaskRun): Promise<void> {
    const to = new Date(now.getTime() - LEFT_AFTER_MS);
    const ids = await this.ids.oldest(PROBE_FORM.id, { ...EVERYTHING, to }, LEFT_ROWS);
    if (ids.length > 0) await this.erasure.removeSome(PROBE_FORM.id, ids);
  }

  private async walk(form: Form, id: Buffer, signal?: AbortSignal) {
    const values = probeValues(form.fields);
    const sent = await this.send(form, id, values, signal);
    if (!sent.isStored) return sent.steps;
    const stored = await this.judgeStored(id, values);
    if (stored.state === 'failed') return [...sent.steps, stored];
    return [...sent.steps, stored, ...(await this.followQueue(id, signal))];
  }

  private async judgeStored(id: Buffer, values: readonly [string, string][]) {
    const row = await this.submissions.find(PROBE_FORM.id, id);
    if (!row) {
      const detail =
        'The test submission was acknowledged, and is not in the database. Is BASE_URL the address of another instance?';
      return failed('database', 'not_stored', detail);
    }
    // Special fields are not stored.
    const isSame = row.texts.every(({ name, text }) =>
      values.some(([field, value]) => field === name && value === text),
    );
    if (row.texts.length === 0 || !isSame) {
      const detail = 'The values of the test submission are not those that were sent.';
      return failed('database', 'values_differ', detail);
    }
    return ok('database', 'The test submission was stored as it was sent.');
  }

  private async followQueue(id: Buffer, signal?: AbortSignal) {
    const end = performance.now() + this.queueWaitMs;
    let tried = 0;
    for (;;) {
      signal?.throwIfAborted();
      const [found] = await this.deliveries.listFor({ clientId: null }, id);
      const isOpen = found && /^(?:pending|delivering)$/.test(found.delivery.state);
      // Attempts are read after the state, which may have changed meanwhile: only an earlier look at them says more.
      const isInVain = found?.delivery.state === 'pending' && tried > 0;
      if (!isOpen || isInVain || performance.now() >= end) return this.stepsOf(found);
      tried = found.attempts.length;
      await pause(LOOK_EVERY_MS);
    }
  }

  private stepsOf(found: DeliveryWithAttempts | undefined) {
    const seconds = Math.round(this.queueWaitMs / SECOND_MS);
    const { state } = found?.delivery ?? {};
    const last = found?.attempts.at(-1);
    const taken = ok('queue', 'A worker took the email of the test submission.');
    if (state === 'delivered') {
      if (last?.outcome !== 'written') return [taken, ok('mail', 'The mail server let us in.')];
      const detail = 'Emails are saved to files, since SMTP_URL is not set.';
      return [taken, skipped('mail', 'mail_to_files', detail)];
    }
    if (state === 'failed') {
      const detail = `The mail server does not let us in: ${last?.answer ?? 'it gives no reason'}`;
      return [taken, failed('mail', 'mail_refused', detail)];
    }
    if (state === 'delivering') {
      const detail = `The mail server did not answer within ${seconds} seconds.`;
      return [taken, failed('mail', 'mail_slow', detail)];
    }
    if (last) {
      const detail = `The worker could not try it: ${last.answer ?? last.outcome}`;
      return [failed('queue', 'queue_broken', detail)];
    }
    const detail = `No worker took the email within ${seconds} seconds. Run a process with WORKERS=on or WORKERS=only, and look into its log.`;
    return [failed('queue', 'queue_waits', detail)];
  }

  async send(form: Form, id: Buffer, values: readonly [string, string][], signal?: AbortSignal): Promise<SentProbe> {
    const url = `${this.config.baseUrl}/f/${form.identifier}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          [PROBE_HEADER]: await this.probes.headerFor(form.identifier, id),
        },
        body: new URLSearchParams([...values.map((pair) => [...pair]), ['_idempotency_key', PROBE_REFUSED_KEY]]),
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_TIMEOUT_MS), ...(signal ? [signal] : [])]),
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const detail = `${url} does not respond (${reasonOf(error)}). Check BASE_URL, its DNS, its certificate and the proxy.`;
      return notStored(failed('address', 'address_unreachable', detail));
    }
    const outcome = response.headers.get(PROBE_HEADER);
    if (outcome === null) return notStored(foreign(response, text, url));
    const reached = ok('address', `This service answers at ${url}.`);
    if (outcome === PROBE_STORED) {
      const taken = ok('intake', 'The test submission was accepted.');
      return { isStored: true, steps: [reached, taken] };
    }
    return notStored(reached, refusal(form, values, outcome, messageIn(text)));
  }
}

/** Fields that are sent where a form has no rules for them. */
const USUAL: readonly [string, string][] = [['message', 'This is a test by the service itself.']];

/** Returns values that keep the rules of a form, and some where it has none. */
function probeValues({ rules }: FormFields): [name: string, text: string][] {
  const ruled = new Set(rules.map(({ name }) => name));
  return [...sampleValues(rules), ...USUAL.filter(([name]) => !ruled.has(name))];
}
