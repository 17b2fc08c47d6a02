import { Injectable } from '@nestjs/common';
import { DefaultsOfClient, FormsService, type NewFormSettings } from '../../forms/forms.service.js';
import { NotAllowedHere, type Principal } from '../../accounts/access/index.js';
import { ClientsService } from '../clients.service.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import type { Form } from '../../forms/model/form.entity.js';
import { ClientBrandsRepository } from './brands.repository.js';
import { BrandsService, type CheckedChanges } from './brands.service.js';

/** Creates forms for clients, and keeps what new forms of a client begin with. */
@Injectable()
export class ClientForms {
  constructor(
    private readonly brands: BrandsService,
    private readonly rows: ClientBrandsRepository,
    private readonly clients: ClientsService,
    private readonly forms: FormsService,
  ) {}

  @DefaultsOfClient()
  async defaultsOf(clientId: number): Promise<Partial<FormSettings>> {
    return (await this.rows.get(clientId)).formDefaults;
  }

  /** @throws ClientNotFound */
  async show(principal: Principal, clientId: number): Promise<Partial<FormSettings>> {
    return (await this.brands.showOfClient(principal, clientId)).formDefaults;
  }

  /** Checks what new forms are to begin with. Forms that exist stay as they are. @throws PrivateAddress, TooManyRecipients */
  async check(principal: Principal, defaults: Partial<FormSettings>): Promise<CheckedChanges> {
    await this.forms.checkDefaults(principal, defaults);
    const encodedDefaults = Object.keys(defaults).length > 0 ? JSON.stringify(defaults) : null;
    return { settings: ['form_defaults'], changes: { encodedDefaults } };
  }

  /** Replaces the defaults. @throws ClientNotFound, PrivateAddress, TooManyRecipients */
  async replace(
    principal: Principal,
    clientId: number,
    defaults: Partial<FormSettings>,
  ): Promise<Partial<FormSettings>> {
    const checked = await this.check(principal, defaults);
    return (await this.brands.storeOfClient(principal, clientId, checked)).formDefaults;
  }

  /**
   * Creates a form that the client sees, with its defaults where `settings` says nothing.
   * @throws NotAllowedHere without the right to change clients
   * @throws ClientNotFound, and what creating a form throws
   */
  async create(principal: Principal, clientId: number, settings: NewFormSettings): Promise<Form> {
    if (!principal.has('clients:write')) throw new NotAllowedHere();
    await this.clients.assertHas(principal, clientId);
    return this.forms.create(principal, settings, clientId);
  }
}
