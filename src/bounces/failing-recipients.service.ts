import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import type { Form } from '../forms/model/form.entity.js';
import { formTarget } from '../forms/model/form-changes.js';
import { FormsService } from '../forms/forms.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { Projected, type Erased, type Projection } from '../projections/projection.js';
import { FailingRecipientsRepository } from './failing-recipients.repository.js';
import type { FailingRecipient } from './model/failing-recipient.entity.js';

/** Most addresses of a form that are listed, the newest. */
const LISTED_MAX = 100;

/** Knows which addresses take no mails of an account, until somebody has them tried again. */
@Injectable()
@Projected({ tables: ['failing_recipients'] })
export class FailingRecipients implements Projection {
  constructor(
    private readonly rows: FailingRecipientsRepository,
    private readonly forms: FormsService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns why a mail is not sent; null when it is. */
  async stopping({ formId, kind, recipient }: Delivery): Promise<FailingRecipient | null> {
    const form = await this.forms.find(formId);
    const found = form ? await this.among(form.accountId, [recipient]) : [];
    return found.find((row) => row.stops(kind)) ?? null;
  }

  /** Returns those among some addresses, newest first. */
  among(accountId: number, emails: readonly string[]): Promise<FailingRecipient[]> {
    return this.rows.listAmong(accountId, emails);
  }

  /**
   * Lists those that get the owner mails of a form, and those that its own mails showed, newest first. Visitors are
   * only listed to who may read submissions, and others of the account to its members.
   * @throws FormNotFound
   */
  async list(principal: Principal, identifier: string): Promise<FailingRecipient[]> {
    return this.listFor(principal, await this.forms.get(principal, identifier));
  }

  /**
   * Has mails sent to an address again; one that is not listed stays as it is.
   * @throws FormNotFound
   */
  async tryAgain(
    principal: Principal,
    identifier: string,
    email: string,
  ): Promise<FailingRecipient[]> {
    const form = await this.forms.get(principal, identifier);
    const key = email.toLowerCase();
    const row = (await this.listFor(principal, form)).find((each) => each.email === key);
    if (row) {
      await this.unitOfWork.run(async (tx) => {
        await this.rows.in(tx).remove(form.accountId, key);
        const about = {
          target: formTarget(form),
          details: { delivery_id: formatUuid(row.deliveryId) },
        };
        await this.audit.recordBy(tx, principal, { action: 'recipient.tried_again', ...about });
      });
    }
    return this.listFor(principal, form);
  }

  async forget(tx: EntityManager, { ids }: Erased): Promise<void> {
    await this.rows.in(tx).removeOfSubmissions(ids);
  }

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.rows.in(tx).removeOfForm(formId));
  }

  private async listFor(principal: Principal, form: Form): Promise<FailingRecipient[]> {
    const { accountId, id, notifyOwnerEmails, ownerRecipients } = form;
    const accountEmail = notifyOwnerEmails === null ? await this.accounts.emailOf(accountId) : null;
    const owners = accountEmail === null ? ownerRecipients : [accountEmail];
    const ofOwners = await this.rows.listAmong(accountId, owners);
    const ofForm = (await this.rows.listOfForm(id, LISTED_MAX)).filter(
      (row) =>
        ofOwners.every(({ email }) => email !== row.email) &&
        (row.submissionId === null
          ? principal.clientId === null
          : principal.has('submissions:read')),
    );
    return [...ofOwners, ...ofForm].sort((a, b) => b.since.getTime() - a.since.getTime());
  }
}
