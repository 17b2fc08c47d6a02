import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FormsService } from '../forms/forms.service.js';
import { FormOwners } from '../notifications/form-owners.js';
import { runStatements } from '../platform/database/statement.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DestinationsRepository } from './destinations.repository.js';

/** Pauses destinations whose calls have failed for days, and tells their owners. */
@Injectable()
export class DestinationFailures {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormsService,
    private readonly owners: FormOwners,
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Records how a call ended. When that pauses the destination, the owners of its form get a notice, once; of one of all forms, the account. */
  async note(formId: number, id: Buffer, succeeded: boolean, now: Date): Promise<void> {
    const form = await this.forms.find(formId);
    const destination = form && (await this.destinations.findIn(form.accountId, id));
    if (!destination || (succeeded && destination.failingSince === null)) return;
    destination.note(succeeded, now);
    const emails =
      destination.formId === null
        ? [await this.accounts.emailOf(form.accountId)].filter((email) => email !== null)
        : await this.owners.of(form);
    const planned = emails.map(
      (recipient) => ({ kind: 'owner_notice', recipient, destinationId: id }) as const,
    );
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      if (succeeded) return destinations.recover(id);
      if (!(await destinations.fail(destination))) return;
      await runStatements(
        tx,
        this.deliveries.outboxInserts([{ formId, submissionId: null, planned }]),
      );
    });
    this.deliveries.wakeWorker();
  }
}
