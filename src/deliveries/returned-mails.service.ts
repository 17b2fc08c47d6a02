import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../platform/kernel/time/clock.js';
import { beginningOf, type OutcomeName } from './model/attempt-result.js';
import type { Delivery } from './model/delivery.entity.js';
import { CALLS } from './model/delivery-kinds.js';
import { ReturnedMailsRepository } from './returned-mails.repository.js';

/** A report about a mail after a server had accepted it. */
export interface MailReport {
  outcome: Extract<OutcomeName, 'bounced' | 'delayed' | 'complained'>;
  code: number | null;
  /** The words of the receiver. */
  answer: string;
}

/** Records what became of mails after a server had accepted them. */
@Injectable()
export class ReturnedMails {
  constructor(
    private readonly mails: ReturnedMailsRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the mails with these ids, but those that are forgotten, and what is none. */
  async find(ids: Buffer[], tx?: EntityManager): Promise<Delivery[]> {
    const found = await (tx ? this.mails.in(tx) : this.mails).find(ids);
    return found.filter(({ kind }) => !CALLS.includes(kind));
  }

  /**
   * Adds a report to the attempts of a mail. One that bounced has failed.
   * @returns false when the same was reported before
   */
  async record(tx: EntityManager, delivery: Delivery, report: MailReport): Promise<boolean> {
    const { outcome, code } = report;
    const mails = this.mails.in(tx);
    const at = this.clock.now();
    const attempt = {
      ...{ deliveryId: delivery.id, at, durationMs: 0, trigger: 'scheduled' as const },
      ...{ outcome, code, answer: beginningOf(report.answer) },
    };
    if (await mails.isKnown(attempt)) return false;
    await mails.add(attempt);
    if (outcome === 'bounced') await mails.fail(delivery, delivery.comeBack(at));
    return true;
  }
}
