import { Injectable } from '@nestjs/common';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import type { Scope } from '../accounts/access/principal.js';
import { BrandsService, type Brand } from '../clients/brands/brands.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Config } from '../platform/config/config.js';
import { type SentBy, sentBy } from './parts/message.js';
import type { Form } from '../forms/model/form.entity.js';

/** Asks whether somebody with this address is a member of an account itself, not of one of its clients. */
export const IsMember = hook<(accountId: number, email: string) => Promise<boolean>>();

/**
 * Knows whose look mails have. People of an account read under its own address, since they would sign in there: a
 * client's host may lead elsewhere one day. What is the account's alone does not go through a client's server either.
 */
@Injectable()
export class Readers {
  constructor(
    private readonly brands: BrandsService,
    private readonly forms: FormQueries,
    private readonly hooks: Hooks,
    private readonly config: Config,
  ) {}

  /**
   * Returns how a mail about forms of one account looks to who gets it: like the client whose forms all of them are, or
   * else like the account.
   * @param isOfAccount whether clients are not to know of it
   */
  async brandFor(
    [first, ...others]: readonly [Form, ...Form[]],
    email: string,
    isOfAccount = false,
  ): Promise<Brand> {
    const { accountId } = first;
    const isOwn = isOfAccount || (await this.hooks.ask(IsMember, accountId, email));
    const [clientId = null, ...more] = new Set(
      await Promise.all([first, ...others].map((form) => this.brands.clientOf(form))),
    );
    const isOneClients = !isOwn && more.length === 0;
    return this.brands.ofCached({ accountId, clientId: isOneClients ? clientId : null });
  }

  /** Returns the form of a mail to somebody of an account, and who it is from; null where the form is gone. */
  async addressed({ formId, recipient }: Delivery): Promise<{ form: Form; by: SentBy } | null> {
    const form = await this.forms.find(formId);
    return form && { form, by: sentBy(await this.brandFor([form], recipient, true), this.config) };
  }

  /** Returns how a mail about a client looks to who gets it. */
  async brandOfClient({ accountId, clientId }: Scope, email: string): Promise<Brand> {
    const isOwn = await this.hooks.ask(IsMember, accountId, email);
    return this.brands.ofCached({ accountId, clientId: isOwn ? null : clientId });
  }
}
