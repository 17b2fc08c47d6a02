import { Injectable } from '@nestjs/common';
import { Channel, type DeliveryChannel } from '../deliveries/queue/delivery-worker.js';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { isOurFault, attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { BrandsService } from '../brands/brands.service.js';
import { FilesService } from '../files/files.service.js';
import { Clock } from '../platform/kernel/time.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { WebhookCaller, WebhooksService } from './webhooks.service.js';

/** Codes of attempts that end for reasons of ours; they say nothing about the receiver. */
const DISABLED = 'disabled';
const OBSOLETE = 'obsolete';

/** Sends the deliveries that are webhook calls. */
@Injectable()
@Channel(['webhook'])
export class WebhookChannel implements DeliveryChannel {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly caller: WebhookCaller,
    private readonly submissions: SubmissionsService,
    private readonly forms: FormQueries,
    private readonly files: FilesService,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
  ) {}

  async send(
    { id, formId, submissionId, recipient }: Delivery,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const form = await this.forms.find(formId);
    const full = form && submissionId && (await this.submissions.findInFull(form, submissionId));
    if (!full) return obsolete();
    const webhook = await this.webhooks.findOrCreate(formId);
    if (webhook.isDisabled) {
      return attemptResult(
        'refused',
        DISABLED,
        'The webhook is turned off. Turn it on to send this again.',
      );
    }
    const now = this.clock.now();
    const { baseUrl } = await this.brands.ofForm(form);
    const fileLinks = await this.files.links(full.files, now, baseUrl);
    const about = { id: `msg_${id.toString('hex')}`, full, fileLinks };
    return this.caller.call(recipient, webhook, about, now, signal);
  }

  async onSettled({ formId, recipient }: Delivery, ended: AttemptResult, now: Date): Promise<void> {
    const { verdict: result, outcome: name } = ended;
    if (name === DISABLED || name === OBSOLETE || isOurFault(ended)) return;
    await this.webhooks.note(formId, recipient, result === 'delivered', now);
  }
}

function obsolete(): AttemptResult {
  return attemptResult('refused', OBSOLETE, 'The submission or its form is gone.');
}
