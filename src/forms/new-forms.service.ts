import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import { Form } from './model/form.entity.js';
import { VisitorAttachmentsRepository } from './visitor-attachments.repository.js';
import type { Principal, Scope } from '../access/principal.js';
import type { FormSettings } from './model/form-settings.js';
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

/** Keeps a client from being deleted until the transaction ends; throws where it is gone. */
type ClientLock = (tx: EntityManager, accountId: number, clientId: number) => Promise<void>;

/** Gives forms what they have from the beginning beside their row. */
@Injectable()
export class NewForms {
  private lockClient: ClientLock = () => Promise.resolve();

  constructor(
    private readonly grants: FormGrantsRepository,
    private readonly attachments: VisitorAttachmentsRepository,
  ) {}

  /** Registers who locks a client that is to see a form. */
  register(lock: ClientLock): void {
    this.lockClient = lock;
  }

  /**
   * Completes a form in the transaction that creates it.
   * @param clientId the client that sees it; null for none
   * @param copiedId id of the form that it is a copy of; null for none
   */
  async complete(
    tx: EntityManager,
    { id, accountId }: Pick<Form, 'id' | 'accountId'>,
    clientId: number | null,
    copiedId: number | null,
  ): Promise<void> {
    if (copiedId !== null) await this.attachments.in(tx).copy(copiedId, id);
    if (clientId === null) return;
    // A client that is being deleted would leave the grant behind.
    await this.lockClient(tx, accountId, clientId);
    await this.grants.in(tx).add(clientId, id);
  }
}
