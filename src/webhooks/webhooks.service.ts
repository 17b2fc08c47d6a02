import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { WebhookChanged } from '../forms/forms.service.js';
import { FormQueries } from '../forms/form-queries.service.js';
import type { AttemptResult } from '../deliveries/model/outcome.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { Calls } from './calls.js';
import { FormWebhook } from './form-webhook.entity.js';
import { FORMATS, type FormatName } from './formats/formats.js';
import {
  signatureHeaders,
  makeWebhookSecret,
  type SignatureName,
} from './signatures/signatures.js';
import type { Principal, Scope } from '../access/principal.js';
import type { PrincipalEvent } from '../audit/audit-entry.entity.js';
import { AuditService } from '../audit/audit.service.js';
import { runStatements } from '../platform/database/sql.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { DeliveryWithAttempts } from '../deliveries/model/delivery-filter.js';
import type { DeliveryState, PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import type { Form } from '../forms/model/form.entity.js';
import { formTarget } from '../forms/model/form-changes.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { FormWebhooksRepository } from './form-webhooks.repository.js';
import { Projected, type Projection } from '../projections/projections.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { Clock } from '../platform/kernel/time.js';
import { sampleSubmission } from '../submissions/model/sample-submission.js';
import { InvalidInputError, fact } from '../platform/kernel/errors.js';

/** Names the submission of a call, and the call itself. */
export interface About {
  /** Identifies the delivery for the receiver. */
  id: string;
  full: SubmissionInFull;
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
}

/** Makes one webhook call and returns how it ended. */
@Injectable()
export class WebhookCaller {
  constructor(private readonly calls: Calls) {}

  /**
   * Posts a submission to a URL, as its webhook says. Does not throw: an error becomes a result.
   */
  call(
    url: string,
    webhook: FormWebhook,
    { id, full, fileLinks }: About,
    now: Date,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const {
      text: body,
      contentType,
      headers: ofFormat,
    } = FORMATS[webhook.format](full, { fileLinks });
    const headers = {
      ...ofFormat,
      'content-type': contentType,
      ...signatureHeaders(webhook.signature, id, now, body, webhook.secretsAt(now)),
    };
    return this.calls.make({ url, headers, body }, now, signal);
  }
}

/** Last calls that an overview shows. */
const RECENT_CALLS = 10;
/** Calls on a page of their list. */
const LISTED_CALLS = 25;
/** The purpose from which the first secret of a webhook is derived. */
const SECRET = 'webhook';

/** The webhook of a form with its last calls, newest first. */
export interface WebhookOverview {
  form: Form;
  webhook: FormWebhook;
  previousValidUntil: Date | null;
  recent: DeliveryWithAttempts[];
}

/** Filters of calls: a call that is under way is pending too. */
export const CALL_STATES = {
  pending: ['pending', 'delivering'],
  delivered: ['delivered'],
  failed: ['failed'],
} as const satisfies Record<string, DeliveryState[]>;
export type CallState = keyof typeof CALL_STATES;

type Event = Omit<PrincipalEvent, 'target'>;

/** Calls of a form, newest first. */
export interface CallsFound {
  form: Form;
  calls: DeliveryWithAttempts[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

/** Changes to a webhook; what is left out stays. */
export interface WebhookChanges {
  enabled?: boolean;
  /** With `enabled`: whether deliveries that failed since the first failure are attempted again. */
  resend?: boolean;
  format?: FormatName;
  signature?: SignatureName;
}

/** Keeps the webhooks of forms: secrets, formats, and whether they are enabled. */
@Injectable()
@Projected({ tables: ['form_webhooks'] })
export class WebhooksService implements Projection {
  constructor(
    private readonly webhooks: FormWebhooksRepository,
    private readonly forms: FormQueries,
    private readonly owners: RecipientsService,
    private readonly signing: SigningService,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Clears the failures of a form's webhook whenever its URL changes: they belong to the previous URL. */
  @WebhookChanged()
  forgetFailures(tx: EntityManager, formId: number): Promise<void> {
    return this.webhooks.in(tx).reset(formId);
  }

  /**
   * Returns the webhook of a form. Its first secret is derived from the service's key, so that showing it
   * writes nothing; the row is stored with the first change.
   */
  async findOrCreate(formId: number): Promise<FormWebhook> {
    const found = await this.webhooks.find(formId);
    return found ?? FormWebhook.create(formId, await this.firstSecretOf(formId));
  }

  /** Returns since when the webhooks of these forms are disabled, by the form; without those that are called. */
  disabledAmong(formIds: readonly number[]): Promise<Map<number, Date>> {
    return this.webhooks.disabledAmong(formIds);
  }

  /**
   * Returns the webhook with its last calls.
   * @throws FormNotFound
   */
  async show(scope: Scope, identifier: string): Promise<WebhookOverview> {
    const form = await this.forms.get(scope, identifier);
    const recent = await this.deliveries.lastSettled(scope, form.id, 'webhook', RECENT_CALLS);
    const webhook = await this.findOrCreate(form.id);
    return { form, webhook, previousValidUntil: webhook.overlapAt(this.unitOfWork.now()), recent };
  }

  /**
   * Returns the newest calls, whether they were made or wait.
   * @param state null for all
   * @param before only what was planned before this call; null for all
   * @throws FormNotFound
   */
  async calls(
    scope: Scope,
    identifier: string,
    state: CallState | null,
    before: Buffer | null,
  ): Promise<CallsFound> {
    const form = await this.forms.get(scope, identifier);
    const states = state === null ? Object.values(CALL_STATES).flat() : CALL_STATES[state];
    const limit = LISTED_CALLS + 1;
    const asked = { formId: form.id, kind: 'webhook', states, before, limit } as const;
    const found = await this.deliveries.newest(asked);
    return { form, calls: found.slice(0, LISTED_CALLS), hasMore: found.length === limit };
  }

  /**
   * Makes a new secret; the previous one signs for another day.
   * @throws FormNotFound
   */
  async rotateSecret(principal: Principal, identifier: string): Promise<WebhookOverview> {
    const events = [{ action: 'webhook.secret_renewed' }] as const;
    await this.edit(principal, identifier, events, (webhook, now) => {
      webhook.rotate(now);
    });
    return this.show(principal, identifier);
  }

  /**
   * Enables or disables the calls of a form, and says what they send and how they are signed.
   * @throws FormNotFound
   */
  async change(
    principal: Principal,
    identifier: string,
    { enabled, resend = false, format, signature }: WebhookChanges,
  ): Promise<WebhookOverview> {
    const details = { ...(format && { format }), ...(signature && { signature }) };
    const events: Event[] = [];
    if (enabled !== undefined) {
      events.push({ action: enabled ? 'webhook.enabled' : 'webhook.disabled' });
    }
    if (format ?? signature) events.push({ action: 'webhook.changed', details });
    const { form, before } = await this.edit(principal, identifier, events, (webhook, now) => {
      Object.assign(webhook, details);
      if (enabled === true) webhook.enable();
      if (enabled === false) webhook.disable(now);
    });
    const givenUpFrom = before.failingSince ?? before.disabledAt;
    if (enabled === true && resend && givenUpFrom !== null) {
      const missed = { kind: 'webhook', from: null, to: null, givenUpFrom } as const;
      await this.deliveries.redeliver(principal, form, missed);
    }
    return this.show(principal, identifier);
  }

  /**
   * Records how a call ended. When that disables the webhook, its owners get a notice, once.
   * @param url the URL that was called; a call of an earlier webhook_url does not count
   */
  async note(formId: number, url: string, succeeded: boolean, now: Date): Promise<void> {
    const form = await this.forms.find(formId);
    if (form?.webhookUrl !== url) return;
    const known = await this.findOrCreate(formId);
    if (succeeded && known.failingSince === null) return;
    const planned = succeeded ? [] : await this.noticesOf(form);
    await this.store(formId);
    await this.unitOfWork.run(async (tx) => {
      const webhook = await this.webhooks.in(tx).getForUpdate(formId);
      if (!webhook) return;
      const disables = webhook.note(succeeded, now);
      await this.webhooks.in(tx).save(webhook);
      const notices = this.deliveries.outboxInserts([{ formId, submissionId: null, planned }]);
      if (disables) await runStatements(tx, notices);
    });
    this.deliveries.wakeWorker();
  }

  /** Removes the webhook of a deleted form, with its secrets. */
  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.webhooks.in(tx).remove(formId));
  }

  /** Plans a notice to each owner of the form. */
  private async noticesOf(form: Form): Promise<PlannedDelivery[]> {
    const owners = await this.owners.of(form);
    return owners.map((recipient) => ({ kind: 'owner_notice', recipient }));
  }

  private async firstSecretOf(formId: number): Promise<string> {
    const payload = Buffer.alloc(4);
    payload.writeInt32BE(formId);
    return makeWebhookSecret(await this.signing.derive(SECRET, payload));
  }

  /** Inserts the row, if there is none, so that it can be locked. */
  private async store(formId: number): Promise<void> {
    if (await this.webhooks.find(formId)) return;
    const webhook = FormWebhook.create(formId, await this.firstSecretOf(formId));
    await this.unitOfWork.run((tx) => this.webhooks.in(tx).insert(webhook));
  }

  private async edit(
    principal: Principal,
    identifier: string,
    events: readonly Event[],
    change: (webhook: FormWebhook, now: Date) => void,
  ) {
    const form = await this.forms.get(principal, identifier);
    const before = await this.findOrCreate(form.id);
    await this.store(form.id);
    await this.unitOfWork.run(async (tx) => {
      const webhook = await this.webhooks.in(tx).getForUpdate(form.id);
      if (!webhook) return;
      change(webhook, this.unitOfWork.now());
      await this.webhooks.in(tx).save(webhook);
      for (const event of events) {
        await this.audit.recordBy(tx, principal, { ...event, target: formTarget(form) });
      }
    });
    return { form, before };
  }
}

class WebhookNotSet extends fact(
  InvalidInputError,
  'webhook_not_set',
  'This form has no webhook_url. Set one first.',
) {}

/** A test call: how it ended, and how long it took in milliseconds. */
export interface TestCall {
  result: AttemptResult;
  durationMs: number;
}

/** Calls webhooks with a sample. */
@Injectable()
export class WebhookTestCalls {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly forms: FormQueries,
    private readonly caller: WebhookCaller,
    private readonly timeouts: CallTimeouts,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Calls the webhook with a sample now; nothing of it is stored.
   * @throws FormNotFound, WebhookNotSet
   */
  async make(principal: Principal, identifier: string): Promise<TestCall> {
    const form = await this.forms.get(principal, identifier);
    const { webhookUrl: url } = form;
    if (url === null) throw new WebhookNotSet();
    await this.audit.recordAloneBy(principal, {
      action: 'webhook.tested',
      target: formTarget(form),
    });
    const webhook = await this.webhooks.findOrCreate(form.id);
    const now = this.clock.now();
    const id = `test_${randomBytes(16).toString('hex')}`;
    const about = { id, full: sampleOf(form, now), fileLinks: [] };
    const begin = performance.now();
    const result = await this.timeouts.run((signal) =>
      this.caller.call(url, webhook, about, now, signal),
    );
    return { result, durationMs: Math.round(performance.now() - begin) };
  }

  /** Returns the body that a test call sends, as text. */
  bodyOf(form: Form, format: FormatName): string {
    return FORMATS[format](sampleOf(form, this.clock.now()), { fileLinks: [] }).text;
  }
}

function sampleOf(form: Form, now: Date): SubmissionInFull {
  return { form, submission: sampleSubmission(form.id, now, null), files: [] };
}
