import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { DeliveryWithAttempts } from '../deliveries/model/delivery-with-attempts.js';
import { DestinationDeliveries } from '../deliveries/destination-deliveries.service.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { CALL_STATES, type CallState } from '../webhooks/webhooks.service.js';
import { DestinationsService } from './destinations.service.js';
import type { Place } from './model/place.js';

/** Deliveries on a page of the log. */
const LISTED = 25;

/** Deliveries of a destination, newest first. */
export interface SentFound {
  sent: DeliveryWithAttempts[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

/** Shows what destinations were sent, and sends again what failed. */
@Injectable()
export class DestinationLog {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly deliveries: DestinationDeliveries,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the newest deliveries of a destination.
   * @param state null for all
   * @param before only what was planned before this delivery; null for all
   * @throws DestinationNotFound
   */
  async list(
    place: Place,
    id: Buffer | null,
    state: CallState | null,
    before: Buffer | null,
  ): Promise<SentFound> {
    const { destination } = await this.destinations.show(place, id);
    const states = state === null ? Object.values(CALL_STATES).flat() : CALL_STATES[state];
    const asked = { destinationId: destination.id, states, before, limit: LISTED + 1 };
    const found = await this.deliveries.newest(asked);
    return { sent: found.slice(0, LISTED), hasMore: found.length > LISTED };
  }

  /**
   * Schedules what failed again, from the start of the schedule.
   * @returns how many
   * @throws DestinationNotFound
   */
  async retry(principal: Principal, place: Place, id: Buffer | null): Promise<number> {
    const { destination } = await this.destinations.show(place, id);
    const target = {
      ...{ kind: 'destination', id: formatUuid(destination.id) },
      name: destination.name,
    };
    return this.deliveries.retry(destination.id, (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'deliveries.retried',
        target,
        details: { count },
      }),
    );
  }
}
