import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import type { FormSettings } from './model/form-settings.js';
import { Form } from './model/form.entity.js';
import { WebhookAddresses } from './webhook-addresses.js';

/** Settings of a form that comes yet. */
export type NewFormSettings = Pick<FormSettings, 'name'> & Partial<FormSettings>;

/** A form that is to be created. */
export interface WantedForm {
  settings: NewFormSettings;
  /** The client that sees it; null for none. */
  clientId: number | null;
  /** The scope that entered its recipients. */
  by: Scope;
}

type Lookup = (clientId: number) => Promise<Partial<FormSettings>>;

/** Knows what the new forms of a client begin with. */
@Injectable()
export class FormDefaults {
  private lookup: Lookup = () => Promise.resolve({});

  constructor(private readonly addresses: WebhookAddresses) {}

  /** Registers who keeps them. */
  register(lookup: Lookup): void {
    this.lookup = lookup;
  }

  /** Returns a form with the defaults of its client where `given` says nothing. Recipients among them are the account's own. @throws PrivateAddress */
  async applied(
    principal: Principal,
    clientId: number | null,
    given: NewFormSettings,
  ): Promise<WantedForm> {
    const { accountId } = principal;
    const defaults = clientId === null ? {} : await this.lookup(clientId);
    const by = given.notifyOwnerEmails === undefined ? { accountId, clientId: null } : principal;
    const settings = { ...defaults, ...given };
    await this.addresses.checkNew(settings);
    return { settings, clientId, by };
  }

  /** Refuses what no form can begin with. @throws TooManyRecipients, PrivateAddress */
  async check(scope: Scope, defaults: Partial<FormSettings>): Promise<void> {
    Form.create(scope, { name: '', ...defaults }, new Date());
    await this.addresses.checkNew(defaults, 'form_defaults.webhook_url');
  }
}
