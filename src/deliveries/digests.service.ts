import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/clock.js';
import { firstUuidAt } from '../platform/kernel/uuid.js';
import { LEASE_SECONDS } from './call-timeouts.js';
import { Delivery } from './delivery.entity.js';
import { DigestsRepository } from './digests.repository.js';
import { HOUR_MS, hourOf } from './hour.js';

/** A digest leaves this long after its hour: what is under way then is settled before. */
const WAIT_MS = 2 * LEASE_SECONDS * 1_000;

/**
 * Gathers the owner mails of an hour that are more than one recipient gets: one mail, after the hour,
 * stands for all of them. Nothing is lost on the way: the digest is stored before a mail counts as
 * gathered, and one that is about to leave is not joined.
 */
@Injectable()
export class DigestsService {
  constructor(
    private readonly digests: DigestsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Whether `cap` mails to the recipient came before this one in its hour. */
  async isOver(delivery: Delivery, cap: number): Promise<boolean> {
    return (await this.digests.countEarlier(delivery, cap)) >= cap;
  }

  /**
   * Makes sure that a digest will stand for this mail.
   * @returns false when it cannot just now, since that digest is about to leave
   */
  async gather(accountId: number, delivery: Delivery): Promise<boolean> {
    const now = this.clock.now().getTime();
    const id = digestId(accountId, delivery);
    const end = hourOf(delivery.createdAt).getTime() + HOUR_MS;
    const due = new Date(Math.max(end, now) + WAIT_MS);
    const found = await this.digests.find(id);
    if (!found) {
      const { formId, recipient } = delivery;
      const digest = Delivery.create(formId, null, { kind: 'owner_digest', recipient }, due);
      digest.id = id;
      await this.unitOfWork.run((tx) => this.digests.in(tx).insert(digest));
      return true;
    }
    if (found.state === 'pending') {
      return (found.nextAttemptAt?.getTime() ?? 0) > now + LEASE_SECONDS * 1_000;
    }
    return this.unitOfWork.run((tx) => this.digests.in(tx).revive(id, due));
  }

  /** The mails that a digest stands for, oldest first. */
  covered(digest: Delivery, most: number): Promise<Delivery[]> {
    return this.digests.covered(digest, most);
  }
}

/** The same for all workers: one digest for each account, recipient and hour. A UUID version 7 of that hour. */
function digestId(accountId: number, { recipientKey, createdAt }: Delivery): Buffer {
  const hour = hourOf(createdAt);
  const hash = createHash('sha256').update(`${accountId}\0${recipientKey}\0${hour.getTime()}`);
  const id = Buffer.concat([firstUuidAt(hour).subarray(0, 6), hash.digest().subarray(0, 10)]);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  return id;
}
