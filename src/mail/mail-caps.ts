import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { TO_STRANGERS } from '../deliveries/model/delivery-kinds.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { DigestsService } from '../deliveries/digests/digests.service.js';
import { Config } from '../platform/config/config.js';
import { DAY_MS, HOUR_MS } from '../platform/kernel/time/durations.js';

/**
 * Limits how many mails one address gets. Anyone can type anyone's address into a form; the caps keep a form
 * from flooding a stranger. Mails count in the order of their ids, so that all workers agree.
 */
@Injectable()
export class MailCaps {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly digests: DigestsService,
    private readonly config: Config,
  ) {}

  /**
   * Tells whether a mail is dropped: too many went to its stranger in a day, of its form in an hour, or to a person who
   * signs in in an hour.
   */
  async suppresses(delivery: Delivery): Promise<boolean> {
    const { capPerRecipientDay, capPerRecipientHour, capPerFormHour } = this.config.mail;
    const created = delivery.createdAt.getTime();
    const hour = new Date(created - HOUR_MS);
    const { isToPerson } = delivery;
    if (!isToPerson && !TO_STRANGERS.includes(delivery.kind)) return false;
    return this.deliveries.isOverCap(delivery, {
      toRecipient: isToPerson
        ? { count: capPerRecipientHour, since: hour }
        : { count: capPerRecipientDay, since: new Date(created - DAY_MS) },
      ofForm: { count: capPerFormHour, since: hour },
    });
  }

  /** Tells whether an owner's mail goes into a digest: its recipient got too many in this hour. */
  async defersToDigest(delivery: Delivery): Promise<boolean> {
    if (delivery.kind !== 'owner_email') return false;
    return this.digests.isOver(delivery, this.config.mail.capPerRecipientHour);
  }
}
