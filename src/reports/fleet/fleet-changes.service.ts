import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { ClientsService } from '../../clients/clients.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormNotFound } from '../../forms/model/form.errors.js';
import { columnsFor } from '../../forms/model/setting-groups.js';
import { DomainError } from '../../platform/index.js';
import { differencesOf, refusalOf, type FleetChange, type FormFate } from './fleet-change.js';

/** A form that a change would change, with what it has. */
type Planned = Omit<FormFate, 'form'> & { form: Form };

/** Changes many forms in the same way. */
@Injectable()
export class FleetChanges {
  constructor(
    private readonly forms: FormsService,
    private readonly lists: FormQueries,
    private readonly clients: ClientsService,
  ) {}

  /**
   * Tells what a change would make of each of these forms, in their order.
   * @throws MissingRight, ClientNotFound
   */
  async preview(principal: Principal, identifiers: readonly string[], change: FleetChange): Promise<FormFate[]> {
    const planned = await this.plan(principal, identifiers, change);
    return inOrder(identifiers, planned);
  }

  /**
   * Makes a change, form by form, by the services that change one; a form that is refused holds no other up.
   * @returns what became of each of these forms, in their order
   * @throws MissingRight, ClientNotFound
   */
  async apply(principal: Principal, identifiers: readonly string[], change: FleetChange): Promise<FormFate[]> {
    const planned = await this.plan(principal, identifiers, change);
    const done: Planned[] = [];
    for (const fate of planned) {
      const isChanging = fate.state === 'changed';
      const error = isChanging ? await this.applyTo(principal, fate, change) : null;
      done.push(error ? refused(fate.form, error) : fate);
    }
    // Last, so that nobody is granted a form whose change was refused.
    await this.grant(principal, done, change);
    return inOrder(identifiers, done);
  }

  private async plan(principal: Principal, identifiers: readonly string[], change: FleetChange): Promise<Planned[]> {
    await this.assertClients(principal, change);
    const found = await this.lists.identified(principal, identifiers);
    const ids = found.map(({ id }) => id);
    const forms = await this.lists.inFull(principal, ids);
    const clients = await this.lists.clientsOfEach(ids);
    const webhookError = await this.errorOfWebhook(forms, change);
    return forms.map((form) => {
      const differences = differencesOf(form, clients.get(form.id) ?? [], change);
      const isCalled = differences.some(({ setting }) => setting === 'webhook_url');
      const error = refusalOf(principal, form, change) ?? (isCalled ? webhookError : null);
      if (error) return refused(form, error);
      const state = differences.length > 0 ? 'changed' : 'unchanged';
      return { form, state, differences, error: null };
    });
  }

  /** Refuses to grant and to withdraw forms without the right to change clients. @throws MissingRight, ClientNotFound */
  private async assertClients(principal: Principal, { grantTo, withdrawFrom }: FleetChange) {
    for (const id of [grantTo, withdrawFrom]) {
      if (id === undefined) continue;
      principal.assertHas('clients:write');
      await this.clients.assertHas(principal, id);
    }
  }

  /** Looks up once where the webhook of all forms would lead. @returns why it is refused; null if it is not */
  private async errorOfWebhook(forms: readonly Form[], { settings }: FleetChange) {
    const webhookUrl = settings.webhook_url as string | null | undefined;
    if (!webhookUrl || forms.every((form) => form.webhookUrl === webhookUrl)) return null;
    return errorIn(() => this.forms.checkNewAddress({ webhookUrl }));
  }

  private async grant(principal: Principal, planned: readonly Planned[], { grantTo, withdrawFrom }: FleetChange) {
    const idsWith = (setting: string) =>
      planned
        .filter(({ differences }) => differences.some((each) => each.setting === setting))
        .map(({ form }) => form.id);
    const granted = idsWith('grant_to');
    const withdrawn = idsWith('withdraw_from');
    if (grantTo !== undefined && granted.length > 0) {
      await this.clients.changeForms(principal, grantTo, granted, []);
    }
    if (withdrawFrom !== undefined && withdrawn.length > 0) {
      await this.clients.changeForms(principal, withdrawFrom, [], withdrawn);
    }
  }

  private applyTo(principal: Principal, { form: { identifier } }: Planned, { settings }: FleetChange) {
    // A function, since the address of the webhook was checked for all forms together.
    return errorIn(() => this.forms.change(principal, identifier, (form) => columnsFor(form, settings)));
  }
}

/** Runs something, and returns what it refuses. */
async function errorIn(run: () => Promise<unknown>) {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function refused(form: Form, error: DomainError): Planned {
  return { form, state: 'refused', differences: [], error };
}

/** Returns what becomes of forms in the order of their identifiers; unknown ones are refused. */
function inOrder(identifiers: readonly string[], fates: readonly FormFate[]): FormFate[] {
  const byIdentifier = new Map(fates.map((fate) => [fate.form.identifier, fate]));
  return [...new Set(identifiers)].map(
    (identifier) =>
      byIdentifier.get(identifier) ?? {
        form: { id: 0, name: '', identifier },
        ...{ state: 'refused', differences: [], error: new FormNotFound() },
      },
  );
}
