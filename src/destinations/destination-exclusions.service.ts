import { Injectable } from '@nestjs/common';
import { DestinationsService } from './destinations.service.js';
import type { Principal } from '../accounts/access/principal.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import { DestinationNotFound } from './destination.errors.js';
import { DestinationsRepository } from './destinations.repository.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { DeliveriesOf } from '../deliveries/model/delivery-filter.js';
import type { DeliveryState } from '../deliveries/model/delivery.entity.js';
import type { Destination } from './model/destination.entity.js';
import { firstOf } from './model/kind-settings.js';
import type { SentFound } from './destination-planner.js';

/** Lets a form leave out destinations that its clients or the account set for all forms. */
@Injectable()
export class DestinationExclusions {
  constructor(
    private readonly service: DestinationsService,
    private readonly destinations: DestinationsRepository,
    private readonly opener: DestinationOpener,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the ids of the destinations that a form leaves out, in hex. */
  async of({ id }: Pick<Form, 'id'>): Promise<ReadonlySet<string>> {
    return new Set((await this.destinations.excludedFrom(id)).map((each) => each.toString('hex')));
  }

  /**
   * Leaves a destination out, or takes it in again; what was planned before still goes there.
   * @throws DestinationNotFound for one of the form itself too, and for a client
   */
  async set(
    principal: Principal,
    form: Form,
    id: Buffer | null,
    isExcluded: boolean,
  ): Promise<OpenedDestination> {
    const all = principal.clientId === null ? await this.destinations.rowsFor(form) : [];
    const destination = all.find((each) => each.formId === null && id?.equals(each.id));
    if (!destination) throw new DestinationNotFound();
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      await destinations[isExcluded ? 'exclude' : 'include'](form.id, destination.id);
      await this.audit.recordBy(tx, principal, {
        action: isExcluded ? 'destination.excluded' : 'destination.included',
        target: { kind: 'destination', id: formatUuid(destination.id), name: destination.name },
        details: { form: form.identifier },
      });
    });
    this.service.changed();
    return this.opener.open(destination);
  }
}

/** Deliveries on a page of the log. */
const LISTED = 25;

/** Filters of deliveries: one that is under way is pending too. */
export const CALL_STATES = {
  pending: ['pending', 'delivering'],
  delivered: ['delivered'],
  failed: ['failed'],
} as const satisfies Record<string, DeliveryState[]>;
export type CallState = keyof typeof CALL_STATES;

/** Shows what destinations were sent, and sends again what failed. */
@Injectable()
export class DestinationLog {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the newest deliveries of a destination.
   * @param state null for all
   * @param before only what was planned before this delivery; null for all
   */
  async list(
    destination: Destination,
    state: CallState | null,
    before: Buffer | null,
  ): Promise<SentFound> {
    const states = state === null ? Object.values(CALL_STATES).flat() : CALL_STATES[state];
    const asked = { of: deliveriesOf(destination), states, before, limit: LISTED + 1 };
    const found = await this.deliveries.newest(asked);
    const failed = await this.deliveries.countFailedOf(asked.of);
    return { sent: found.slice(0, LISTED), hasMore: found.length > LISTED, failed };
  }

  /**
   * Schedules what failed again, from the start of the schedule.
   * @returns how many
   */
  retry(principal: Principal, destination: Destination): Promise<number> {
    const { id, name } = destination;
    const target = { kind: 'destination', id: formatUuid(id), name };
    return this.deliveries.retry(deliveriesOf(destination), (tx, count) =>
      this.audit.recordBy(tx, principal, {
        action: 'deliveries.retried',
        target,
        details: { count },
      }),
    );
  }
}

/** Says which deliveries are those of a destination. */
function deliveriesOf({ id, role, formId }: Destination): DeliveriesOf {
  if (!role) return { destinationId: id };
  const kinds = [firstOf(role).delivery, ...(role === 'visitor' ? (['opt_in'] as const) : [])];
  return { formId: formId ?? 0, kinds, destinationId: null };
}
