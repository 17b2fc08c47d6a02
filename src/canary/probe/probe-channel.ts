import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Delivery, DeliveryKind } from '../../deliveries/model/delivery.entity.js';
import { attemptResult, type AttemptResult } from '../../deliveries/model/attempt-result.js';
import type { DeliveryChannel } from '../../deliveries/queue/delivery-channel.js';
import { DeliveryWorker } from '../../deliveries/queue/delivery-worker.js';
import { Mailer } from '../../mail/mailer.js';

/** Ends the deliveries of probes where a mail would begin: at the mail server, once that lets us in. */
@Injectable()
export class ProbeChannel implements DeliveryChannel, OnModuleInit {
  readonly kinds: readonly DeliveryKind[] = ['probe'];

  constructor(
    private readonly mailer: Mailer,
    private readonly worker: DeliveryWorker,
  ) {}

  onModuleInit(): void {
    this.worker.register(this);
  }

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
