import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import { DestinationNotFound } from './destination.errors.js';
import { DestinationsRepository } from './destinations.repository.js';
import { DestinationsService } from './destinations.service.js';

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
    const all = principal.clientId === null ? await this.destinations.listFor(form) : [];
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
