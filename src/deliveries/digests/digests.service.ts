import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { firstUuidAt } from '../../platform/kernel/uuid.js';
import { LEASE_SECONDS } from '../queue/call-timeouts.js';
import { Delivery } from '../model/delivery.entity.js';
import { DigestsRepository } from './digests.repository.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';
import { hourOf } from './digest-hour.js';

/**
 * How long after its hour a digest is sent, in milliseconds: by then every attempt of that hour has a result.
 */
const WAIT_MS = 2 * LEASE_SECONDS * 1_000;

/**
 * Gathers the owner mails of an hour that exceed a recipient's cap into one mail after that hour. Nothing is
 * lost: the digest is stored before a mail counts as gathered, and a digest that is about to be sent takes no
 * more mails.
 */
@Injectable()
export class DigestsService {
  constructor(
    private readonly digests: DigestsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Tells whether `cap` mails to the recipient came before this one in its hour. */
  isOver(delivery: Delivery, cap: number): Promise<boolean> {
    return this.digests.reachedBefore(delivery, cap);
  }

  /**
   * Makes sure that a digest will cover this mail.
   * @returns false when it cannot now, since that digest is about to be sent
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

  /** Returns the mails that a digest covers, oldest first. */
  covered(digest: Delivery, most: number): Promise<Delivery[]> {
    return this.digests.covered(digest, most);
  }
}

/**
 * Returns the same id in all workers: one digest for each account, recipient and hour. It is a UUID version 7
 * of that hour.
 */
function digestId(accountId: number, { recipientKey, createdAt }: Delivery): Buffer {
  const hour = hourOf(createdAt);
  const hash = createHash('sha256').update(`${accountId}\0${recipientKey}\0${hour.getTime()}`);
  const id = Buffer.concat([firstUuidAt(hour).subarray(0, 6), hash.digest().subarray(0, 10)]);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  return id;
}
