import { Injectable } from '@nestjs/common';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import type { Scope } from '../access/principal.js';
import { BrandsService, type Brand } from '../brands/brands.service.js';
import type { Form } from '../forms/model/form.entity.js';

/** Tells whether somebody with this address is a member of an account itself, not of one of its clients. */
/** Asks whether somebody is a member of an account. */
export const IsMember = hook<(accountId: number, email: string) => Promise<boolean>>();

/**
 * Knows whose look mails have. People of an account read under its own address, since they would sign in there: a
 * client's host may lead elsewhere one day. What is the account's alone does not go through a client's server either.
 */
@Injectable()
export class Readers {
  constructor(
    private readonly brands: BrandsService,
    private readonly hooks: Hooks,
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

  /** Returns how a mail about a client looks to who gets it. */
  async brandOfClient({ accountId, clientId }: Scope, email: string): Promise<Brand> {
    const isOwn = await this.hooks.ask(IsMember, accountId, email);
    return this.brands.ofCached({ accountId, clientId: isOwn ? null : clientId });
  }
}
