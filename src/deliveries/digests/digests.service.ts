import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { UnitOfWork } from '../../platform/database/index.js';
import { firstUuidAt } from '../../platform/index.js';
import { Holds } from '../holds/holds.service.js';
import { Delivery } from '../model/delivery.entity.js';
import { LEASE_SECONDS } from '../queue/call-timeouts.js';
import { periodOf, type DigestEvery } from './digest-hour.js';
import { DigestsRepository } from './digests.repository.js';

/** How long after its hour a digest is sent, in milliseconds: by then every attempt of that hour has a result. */
const WAIT_MS = 2 * LEASE_SECONDS * 1_000;

/**
 * Gathers owner mails into one mail: mails of an hour beyond a recipient's cap, and mails of a destination that
 * sends one an hour or a day. Nothing is lost: the digest is stored before a mail counts as gathered, and a digest that
 * is about to be sent takes no more mails.
 */
@Injectable()
export class DigestsService {
  constructor(
    private readonly digests: DigestsRepository,
    private readonly holds: Holds,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether `cap` mails to the recipient came before this one in its hour. */
  isOver(delivery: Delivery, cap: number) {
    return this.digests.reachedBefore(delivery, cap);
  }

  /**
   * Makes sure that a digest will cover this mail.
   * @returns false when it cannot now, since that digest is about to be sent
   */
  gather(accountId: number, delivery: Delivery) {
    const { formId, recipient, recipientKey } = delivery;
    const { begin, end } = periodOf('hour', delivery.createdAt);
    const id = digestId(begin, `${accountId}\0${recipientKey}`);
    const plan = { id, kind: 'owner_digest', recipient } as const;
    return this.store(Delivery.create(formId, null, plan, begin), end, null);
  }

  /**
   * Puts a mail of a destination into the digest of this hour or day.
   * @param every null for a destination that sends each mail at once
   * @returns `later` when that digest is about to be sent; `over` for a mail that goes out by itself: it was in one that has been
   *   sent, or is in none any more
   */
  async gatherFor(
    every: DigestEvery | null,
    delivery: Delivery,
    destinationId: Buffer,
  ): Promise<'gathered' | 'later' | 'over'> {
    const known = await this.digests.digestOf(delivery.id);
    const { state, nextAttemptAt } = known?.digest ?? {};
    if (every && (state === 'pending' || state === 'delivering')) {
      const takesMore = state === 'pending' && nextAttemptAt && nextAttemptAt > this.closing();
      return takesMore ? 'gathered' : 'later';
    }
    if (known) await this.unitOfWork.run((tx) => this.digests.in(tx).leave([delivery.id]));
    if (known || !every) return 'over';
    const { formId, recipient, ofAccount: isOfAccount } = delivery;
    const { begin, end } = periodOf(every, this.unitOfWork.now());
    const about = `${destinationId.toString('hex')}\0${recipient.toLowerCase()}\0${every}`;
    const id = digestId(begin, about);
    const plan = { id, kind: 'owner_digest', recipient, destinationId, isOfAccount } as const;
    const digest = Delivery.create(formId, null, plan, begin);
    const isStored = await this.store(digest, end, delivery.id);
    return isStored ? 'gathered' : 'later';
  }

  /**
   * Returns the mails that a digest covers, oldest first. A destination's mails about what is spam or held by now, or
   * waits for its visitor, leave it, and go out once they are released.
   */
  async covered(digest: Delivery, most: number): Promise<Delivery[]> {
    const found = await this.digests.covered(digest, most);
    if (!digest.destinationId || found.length === 0) return found;
    return this.unitOfWork.run(async (tx) => {
      const kept = await this.holds.keptBackAmong(tx, found);
      if (kept.length === 0) return found;
      const ids = kept.map((delivery) => delivery.id);
      await this.digests.in(tx).takeOut(ids);
      await this.holds.revive(tx, ids);
      return found.filter((delivery) => !kept.includes(delivery));
    });
  }

  /**
   * Stores a digest unless it is there, and what is within it.
   * @param end of its time
   * @param deliveryId of a mail within it; null for one that its attempts say it of
   * @returns false when it takes no more
   */
  private async store(digest: Delivery, end: Date, deliveryId: Buffer | null) {
    const { id } = digest;
    const now = this.unitOfWork.now().getTime();
    const due = new Date(Math.max(end.getTime(), now) + WAIT_MS);
    const found = await this.digests.find(id);
    return this.unitOfWork.run(async (tx) => {
      const digests = this.digests.in(tx);
      if (!found) await digests.insert(Object.assign(digest, { nextAttemptAt: due }));
      else if (!(await digests.revive(id, due)) && !(await digests.leavesAfter(id, this.closing()))) return false;
      if (deliveryId) await digests.add({ deliveryId, digestId: id });
      return true;
    });
  }

  /** Returns the time until which a digest that leaves takes no more. */
  private closing() {
    return new Date(this.unitOfWork.now().getTime() + LEASE_SECONDS * 1_000);
  }
}

/**
 * Returns the same id in all workers: one digest for each account, recipient and hour, or each destination, recipient and
 * time. It is a UUID version 7 of its beginning.
 */
function digestId(begin: Date, about: string): Buffer {
  const hash = createHash('sha256').update(`${about}\0${begin.getTime()}`);
  const id = Buffer.concat([firstUuidAt(begin).subarray(0, 6), hash.digest().subarray(0, 10)]);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  return id;
}
