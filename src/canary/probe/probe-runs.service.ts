import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { DeliveryWithAttempts } from '../../deliveries/model/delivery-with-attempts.js';
import { FieldRules } from '../../forms/model/field-rules.js';
import type { Form } from '../../forms/model/form.entity.js';
import { MINUTE_MS, SECOND_MS } from '../../platform/kernel/time/durations.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { ErasureService } from '../../submissions/erasure/erasure.service.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { PROBE_FORM } from '../../submissions/model/probe-form.js';
import { SubmissionIds } from '../../submissions/rows/submission-ids.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { failed, ok, skipped, STEPS, type Step } from '../model/step.js';
import { ProbePost } from './probe-post.js';
import type { FieldRule } from '../../forms/model/field-rule.js';

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
    private readonly post: ProbePost,
    private readonly submissions: SubmissionsService,
    private readonly deliveries: DeliveriesService,
    private readonly erasure: ErasureService,
    private readonly ids: SubmissionIds,
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
  async eraseLeft(now: Date): Promise<void> {
    const to = new Date(now.getTime() - LEFT_AFTER_MS);
    const ids = await this.ids.oldest(PROBE_FORM.id, { ...EVERYTHING, to }, LEFT_ROWS);
    if (ids.length > 0) await this.erasure.removeSome(PROBE_FORM.id, ids);
  }

  private async walk(form: Form, id: Buffer, signal?: AbortSignal): Promise<Step[]> {
    const values = probeValues(FieldRules.decode(form.fieldRules).list);
    const sent = await this.post.send(form, id, values, signal);
    if (!sent.isStored) return sent.steps;
    const stored = await this.judgeStored(id, values);
    if (stored.state === 'failed') return [...sent.steps, stored];
    return [...sent.steps, stored, ...(await this.followQueue(id, signal))];
  }

  private async judgeStored(id: Buffer, values: readonly [string, string][]): Promise<Step> {
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

  private async followQueue(id: Buffer, signal?: AbortSignal): Promise<Step[]> {
    const end = performance.now() + this.queueWaitMs;
    let tried = 0;
    for (;;) {
      signal?.throwIfAborted();
      const [found] = await this.deliveries.listFor({ clientId: null }, id);
      const isOpen = found && /^(?:pending|delivering)$/.test(found.delivery.state);
      // Attempts are read after the state, which may have changed meanwhile: only those of an earlier look say more.
      const isInVain = found?.delivery.state === 'pending' && tried > 0;
      if (!isOpen || isInVain || performance.now() >= end) return this.stepsOf(found);
      tried = found.attempts.length;
      await pause(LOOK_EVERY_MS);
    }
  }

  private stepsOf(found: DeliveryWithAttempts | undefined): Step[] {
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
}

/** Fields that are sent where a form has no rules for them. */
const USUAL: readonly [string, string][] = [['message', 'This is a test by the service itself.']];
/** Text that fits into most fields. */
const FILLING = 'Canary ';

/** Returns invented values that keep the rules of a form as far as rules allow; no pattern is looked at. */
function probeValues(rules: readonly FieldRule[]): [name: string, text: string][] {
  const ruled = new Set(rules.map(({ field }) => field));
  return [
    ...rules.map((rule): [string, string] => [rule.field, valueFor(rule)]),
    ...USUAL.filter(([name]) => !ruled.has(name)),
  ];
}

function valueFor(rule: FieldRule): string {
  const { oneOf, type, min, max } = rule;
  if (oneOf?.[0] !== undefined) return oneOf[0];
  switch (type) {
    case 'number':
      return String(min ?? (max !== undefined && max < 1 ? max : 1));
    case 'email':
      return fitted(rule, (more) => `canary${'y'.repeat(more)}@example.com`);
    case 'url':
      return fitted(rule, (more) => `https://example.com/${'y'.repeat(more)}`);
    default: {
      const length = Math.max(rule.minLength ?? 0, 6);
      const text = FILLING.repeat(Math.ceil(length / FILLING.length)).slice(0, length);
      // A blank at the end would not count.
      return text.replace(/ $/, 'y').slice(0, rule.maxLength ?? length);
    }
  }
}

function fitted({ minLength = 0 }: FieldRule, make: (more: number) => string): string {
  return make(Math.max(minLength - make(0).length, 0));
}
