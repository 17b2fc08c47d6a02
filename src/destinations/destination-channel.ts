import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  attemptResult,
  destinationPaused,
  isOurFault,
  type AttemptResult,
} from '../deliveries/model/attempt-result.js';
import type { Delivery, DeliveryKind } from '../deliveries/model/delivery.entity.js';
import type { DeliveryChannel } from '../deliveries/queue/delivery-channel.js';
import { DeliveryWorker } from '../deliveries/queue/delivery-worker.js';
import { FormsService } from '../forms/forms.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { DestinationCaller, DestinationFailures } from './destination-caller.js';
import { DestinationsRepository } from './destinations.repository.js';

/** Outcomes of attempts that ended before anybody was called. */
const NOT_CALLED: readonly string[] = ['disabled', 'obsolete'];

/** Sends the deliveries that are calls of destinations. */
@Injectable()
export class DestinationChannel implements DeliveryChannel, OnModuleInit {
  readonly kinds: readonly DeliveryKind[] = ['destination'];

  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly failures: DestinationFailures,
    private readonly caller: DestinationCaller,
    private readonly submissions: SubmissionsService,
    private readonly forms: FormsService,
    private readonly worker: DeliveryWorker,
  ) {}

  onModuleInit(): void {
    this.worker.register(this);
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const { id, formId, submissionId, destinationId } = delivery;
    const form = await this.forms.find(formId);
    const full = form && submissionId && (await this.submissions.findInFull(form, submissionId));
    const destination =
      form && destinationId && (await this.destinations.findIn(form.accountId, destinationId));
    if (!full || !destination) {
      const gone = 'The submission, its form or the destination is gone.';
      return attemptResult('refused', 'obsolete', gone);
    }
    if (destination.isPaused) return destinationPaused();
    return this.caller.call(destination, full, `msg_${id.toString('hex')}`, signal);
  }

  async onSettled({ formId, destinationId }: Delivery, ended: AttemptResult, now: Date) {
    if (!destinationId || NOT_CALLED.includes(ended.outcome) || isOurFault(ended)) return;
    await this.failures.note(formId, destinationId, ended.verdict === 'delivered', now);
  }
}
