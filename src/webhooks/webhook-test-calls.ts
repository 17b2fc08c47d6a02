import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { AttemptResult } from '../deliveries/model/attempt-result.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { formTarget } from '../forms/model/form-changes.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { sampleSubmission } from '../submissions/model/sample-submission.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { FORMATS, type FormatName } from './formats/formats.js';
import { WebhookCaller } from './webhook-caller.js';
import { WebhooksService } from './webhooks.service.js';
import { InvalidInputError, fact } from '../platform/kernel/errors.js';

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
    private readonly forms: FormsService,
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
