import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { formChanged } from '../../forms/model/form-changes.js';
import { FormsService } from '../../forms/forms.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { soughtIn } from './entry-list.js';
import { parseEntry } from './list-entry.js';
import { ACCOUNT_LISTS_MAX_BYTES, normalList, SpamListsFull, withEntry } from './list-text.js';
import { LookUps } from './look-ups.service.js';
import { SpamList, type ListTexts } from './spam-list.entity.js';
import { SpamListsRepository } from './spam-lists.repository.js';
import { Projected, type Projection } from '../../projections/projection.js';

const BLOCK = 'lists.block';
const ALLOW = 'lists.allow';
/** Anybody has an address there, so it says nothing of who writes. */
const EVERYBODYS = new Set([
  ...['aol.com', 'gmail.com', 'gmx.de', 'gmx.net', 'hotmail.com', 'icloud.com', 'live.com'],
  ...['mail.ru', 'outlook.com', 'proton.me', 'qq.com', 'web.de', 'yahoo.com', 'yandex.ru'],
]);

/** Shows and changes what forms block and allow. */
@Injectable()
@Projected({ tables: ['spam_lists'] })
export class SpamLists implements Projection {
  constructor(
    private readonly lists: SpamListsRepository,
    private readonly lookUps: LookUps,
    private readonly forms: FormsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws FormNotFound */
  async get(scope: Scope, identifier: string): Promise<ListTexts> {
    const { id } = await this.forms.get(scope, identifier);
    return textsOf(await this.lists.find(id));
  }

  /**
   * Replaces the lists that are named.
   * @throws FormNotFound, ListUnclear, ListTooLong, SpamListsFull
   */
  async change(
    principal: Principal,
    identifier: string,
    { block, allow }: Partial<ListTexts>,
  ): Promise<ListTexts> {
    return this.write(principal, identifier, {
      ...(block !== undefined && { block: await normalList(block, BLOCK) }),
      ...(allow !== undefined && { allow: await normalList(allow, ALLOW) }),
    });
  }

  /**
   * Adds an entry to what a form allows.
   * @throws FormNotFound, ListUnclear, ListTooLong, SpamListsFull
   */
  async allow(principal: Principal, identifier: string, entry: string): Promise<void> {
    const [added = ''] = (await normalList(entry, ALLOW)).split('\n');
    await this.write(principal, identifier, ({ allow }) => ({
      allow: withEntry(allow, added, ALLOW),
    }));
  }

  /** Returns what would let the sender of a submission through: their address and its domain, unless it does. */
  async offers(formId: number, fields: readonly { text: string }[]): Promise<string[]> {
    const { addresses, domains } = soughtIn(fields, '').bySender;
    const [address] = addresses;
    const [domain = ''] = domains;
    if (address === undefined) return [];
    const lookUp = await this.lookUps.of(formId);
    const sought = { words: [], network: '', addresses: [address], domains: [domain] };
    if (lookUp?.allow.find(sought)) return [];
    return [address, ...(EVERYBODYS.has(domain) ? [] : [domain])].filter(
      (entry) => parseEntry(entry) !== null,
    );
  }

  /** Removes the lists of a deleted form. */
  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.lists.in(tx).remove(formId));
  }

  private async write(
    principal: Principal,
    identifier: string,
    change: Partial<ListTexts> | ((before: ListTexts) => Partial<ListTexts>),
  ): Promise<ListTexts> {
    const form = await this.forms.get(principal, identifier);
    const texts = await this.unitOfWork.run(async (tx) => {
      await this.forms.lockCount(tx, form.id);
      const before = textsOf(await this.lists.in(tx).find(form.id));
      const after = { ...before, ...(typeof change === 'function' ? change(before) : change) };
      await this.lists.in(tx).save(SpamList.of(form.id, after));
      await this.assertRoom(tx, form.accountId);
      await this.audit.recordBy(tx, principal, formChanged(form, { settings: 'spam_lists' }));
      return after;
    });
    this.lookUps.forget(form.id);
    return texts;
  }

  private async assertRoom(tx: EntityManager, accountId: number): Promise<void> {
    const bytes = await this.lists.in(tx).bytesOf(accountId);
    if (bytes > ACCOUNT_LISTS_MAX_BYTES) throw new SpamListsFull();
  }
}

function textsOf(list: SpamList | null): ListTexts {
  return { block: list?.blocked ?? '', allow: list?.allowed ?? '' };
}
