import { Injectable, Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { beginningOf } from '../deliveries/model/attempt-result.js';
import { ReturnedMails, type MailReport } from '../deliveries/returned-mails.service.js';
import { FormsService } from '../forms/forms.service.js';
import { FORM_TOPICS } from '../forms/model/form-topics.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { countersBy } from '../platform/kernel/counters.js';
import { inSlices } from '../platform/kernel/slices.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { Signals } from '../platform/signals/signals.js';
import { FailingRecipientsRepository } from './failing-recipients.repository.js';
import type { Bounce, BounceKind } from './model/bounce.js';
import { FailingRecipient } from './model/failing-recipient.entity.js';

/** Reports whose mails one statement looks up, and those that one transaction records. */
const LOOKED_UP_AT_ONCE = 500;
const RECORDED_AT_ONCE = 50;

const OUTCOMES: Readonly<Record<BounceKind, MailReport['outcome']>> = {
  permanent: 'bounced',
  failed: 'bounced',
  delayed: 'delayed',
  complaint: 'complained',
};

/** Takes reports of mails that came back: who sends a report has to know the delivery and its recipient. */
@Injectable()
export class BouncesService {
  private readonly logger = new Logger(BouncesService.name);
  /** Counts reports that were recorded, by their kind. */
  readonly taken = countersBy('kind');

  constructor(
    private readonly mails: ReturnedMails,
    private readonly failing: FailingRecipientsRepository,
    private readonly forms: FormsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {
    for (const kind of Object.keys(OUTCOMES)) this.taken.of(kind);
  }

  /**
   * Records reports; those of other mails, and those that were recorded before, are ignored.
   * @returns how many were recorded
   */
  async take(bounces: readonly Bounce[]): Promise<number> {
    let count = 0;
    for (const some of inSlices(bounces, LOOKED_UP_AT_ONCE)) {
      // Most of what a provider reports may be about mails of others.
      const ours = (await this.mailsOf(some)).map(([bounce]) => bounce);
      await nextTurn();
      for (const few of inSlices(ours, RECORDED_AT_ONCE)) {
        count += await this.takeSome(few);
        await nextTurn();
      }
    }
    return count;
  }

  /** Pairs reports with the mails that they are about; those of other mails are left out. */
  private async mailsOf(
    bounces: readonly Bounce[],
    tx?: EntityManager,
  ): Promise<[Bounce, Delivery][]> {
    const found = await this.mails.find(
      bounces.map(({ deliveryId }) => deliveryId),
      tx,
    );
    const byId = new Map(found.map((delivery) => [delivery.id.toString('hex'), delivery]));
    return bounces.flatMap((bounce): [Bounce, Delivery][] => {
      const delivery = byId.get(bounce.deliveryId.toString('hex'));
      return delivery && isOf(bounce, delivery) ? [[bounce, delivery]] : [];
    });
  }

  /** Records reports in one transaction. @returns how many */
  private async takeSome(bounces: readonly Bounce[]): Promise<number> {
    const recorded = await this.unitOfWork.run(async (tx) => {
      const all: [Bounce, Delivery][] = [];
      for (const [bounce, delivery] of await this.mailsOf(bounces, tx)) {
        if (await this.record(tx, bounce, delivery)) all.push([bounce, delivery]);
      }
      return all;
    });
    for (const [{ kind, code }, { id, formId }] of recorded) {
      this.taken.of(kind).add();
      this.signals.give(FORM_TOPICS.changed, formId);
      this.logger.log('A mail came back', { deliveryId: formatUuid(id), kind, code });
    }
    return recorded.length;
  }

  private async record(tx: EntityManager, bounce: Bounce, found: Delivery): Promise<boolean> {
    const { kind, code, reason } = bounce;
    const answer = reason === '' ? 'No reason was given.' : reason;
    const report = { outcome: OUTCOMES[kind], code, answer };
    if (!(await this.mails.record(tx, found, report))) return false;
    const isStopped = kind === 'permanent' || (kind === 'complaint' && isToVisitor(found));
    const form = isStopped ? await this.forms.find(found.formId, tx) : null;
    if (form && (kind === 'permanent' || kind === 'complaint')) {
      const row = this.rowOf(form.accountId, found, kind, answer);
      await this.failing.in(tx).add(row);
    }
    return true;
  }

  private rowOf(
    accountId: number,
    delivery: Delivery,
    kind: FailingRecipient['kind'],
    reason: string,
  ): FailingRecipient {
    const { id: deliveryId, recipient, formId, submissionId } = delivery;
    return Object.assign(new FailingRecipient(), {
      ...{ accountId, deliveryId, formId, kind },
      email: recipient.toLowerCase(),
      emailHash: FailingRecipient.hashOf(recipient),
      submissionId: isToVisitor(delivery) ? submissionId : null,
      reason: beginningOf(reason),
      since: this.unitOfWork.now(),
    });
  }
}

function isOf({ recipients }: Bounce, { recipient }: Delivery): boolean {
  return recipients.some((each) => each.toLowerCase() === recipient.toLowerCase());
}

function isToVisitor({ kind }: Delivery): boolean {
  return kind === 'submitter_email' || kind === 'opt_in';
}
