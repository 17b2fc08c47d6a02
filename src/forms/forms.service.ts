import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FormGrantsRepository, type SeenForm } from './form-grants.repository.js';
import { Form, type FormSettings } from './form.entity.js';
import { UnknownForms } from './form.errors.js';
import { FormsRepository, type FormSummary, type Page } from './forms.repository.js';

export type { SeenForm };

/** Creates, shows, changes and deletes forms, and keeps who may see them. */
@Injectable()
export class FormsService {
  constructor(
    private readonly forms: FormsRepository,
    private readonly grants: FormGrantsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** All forms in the scope, or one page of them, oldest first. */
  list(scope: Scope, page: Page | null): Promise<FormSummary[]> {
    return this.forms.list(scope, page);
  }

  count(scope: Scope): Promise<number> {
    return this.forms.count(scope);
  }

  /** @throws FormNotFound */
  get(scope: Scope, identifier: string): Promise<Form> {
    return this.forms.get(scope, identifier);
  }

  /**
   * Creates a form; one that a client creates is the client's to see.
   * @throws FormCreationForbidden
   */
  create(
    principal: Principal,
    settings: Pick<FormSettings, 'name'> & Partial<FormSettings>,
  ): Promise<Form> {
    principal.assertCanCreateForms();
    return this.unitOfWork.run(async (tx) => {
      const form = Form.create(principal.accountId, settings, new Date());
      await this.forms.in(tx).save(form);
      if (principal.clientId !== null) await this.grants.in(tx).add(principal.clientId, form.id);
      return form;
    });
  }

  /** @throws FormNotFound */
  change(scope: Scope, identifier: string, settings: Partial<FormSettings>): Promise<Form> {
    return this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).hold(scope, identifier);
      form.change(settings, new Date());
      return this.forms.in(tx).save(form);
    });
  }

  /** @throws FormNotFound */
  delete(scope: Scope, identifier: string): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const form = await this.forms.in(tx).hold(scope, identifier);
      form.delete(new Date());
      await this.forms.in(tx).save(form);
      await this.grants.in(tx).removeForm(form.id);
    });
  }

  /** Which client sees which form, oldest form first: for all clients of the account, or one. */
  seenBy(accountId: number, clientId: number | null): Promise<SeenForm[]> {
    return this.grants.listSeen(accountId, clientId);
  }

  /**
   * Lets a client see exactly these forms, within a transaction.
   * @param field how the caller's input names the ids, for the error
   * @throws UnknownForms naming each id that is not a form of the account
   */
  async letSee(
    tx: EntityManager,
    client: { accountId: number; id: number },
    formIds: number[],
    field: string,
  ): Promise<void> {
    const wanted = [...new Set(formIds)];
    const known = new Set(
      (await this.forms.in(tx).findAmong(client.accountId, wanted)).map(({ id }) => id),
    );
    const unknown = wanted.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new UnknownForms(field, unknown);
    await this.grants.in(tx).replace(client.id, wanted);
  }
}
