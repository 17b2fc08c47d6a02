import { Injectable } from '@nestjs/common';
import { ReadCache } from '../../platform/kernel/read-cache.js';
import { EntryList } from './entry-list.js';
import { ACCOUNT_LISTS_MAX_BYTES, entriesOf } from './list-text.js';
import type { SpamList } from './spam-list.entity.js';
import { SpamListsRepository } from './spam-lists.repository.js';

/**
 * Text of lists that is kept ready for look-ups, in characters; of the account that has most, those used longest ago go
 * first. The lists of any one account fit.
 */
const READY_MAX_CHARS = 2 * ACCOUNT_LISTS_MAX_BYTES;

/** The lists of a form, ready for look-ups. */
export interface LookUp {
  block: EntryList;
  allow: EntryList;
}

/** Lists of a form as they were when their digest was this. */
interface Ready {
  digest: string;
  accountId: number;
  chars: number;
  lookUp: LookUp;
}

/** Keeps lists ready for look-ups. A change by another instance is seen after a second. */
@Injectable()
export class LookUps {
  private readonly current = new ReadCache<{ lookUp: LookUp | null }>((keys) => this.read(keys));
  private readonly ready = new Map<number, Ready>();

  constructor(private readonly lists: SpamListsRepository) {}

  /** Returns the lists of a form; null when it has none. */
  async of(formId: number): Promise<LookUp | null> {
    return (await this.current.get(String(formId)))?.lookUp ?? null;
  }

  /** Tells, without waiting, that a form has no lists; false when that is not known now. */
  hasNone(formId: number): boolean {
    return this.current.peek(String(formId))?.lookUp === null;
  }

  /** Drops a copy after a change. */
  forget(formId: number): void {
    this.current.forget(String(formId));
  }

  private async read(keys: string[]): Promise<Map<string, { lookUp: LookUp | null }>> {
    const found = new Map(keys.map((key) => [key, { lookUp: null as LookUp | null }]));
    for (const { formId, digest } of await this.lists.digestsOf(keys.map(Number))) {
      found.set(String(formId), { lookUp: await this.readyFor(formId, digest.toString('hex')) });
    }
    return found;
  }

  /** Reads the lists only when they are not those that are ready: they may be long. */
  private async readyFor(formId: number, digest: string): Promise<LookUp | null> {
    const known = this.ready.get(formId);
    this.ready.delete(formId);
    if (known?.digest === digest) {
      this.ready.set(formId, known);
      return known.lookUp;
    }
    const found = await this.lists.findWithAccount(formId);
    return found && this.makeReady(found.list, found.accountId);
  }

  private async makeReady(list: SpamList, accountId: number): Promise<LookUp> {
    const lookUp = {
      block: await EntryList.of(entriesOf(list.blocked)),
      allow: await EntryList.of(entriesOf(list.allowed)),
    };
    const chars = list.blocked.length + list.allowed.length;
    this.ready.set(list.formId, { digest: list.digest.toString('hex'), accountId, chars, lookUp });
    this.makeRoom();
    return lookUp;
  }

  /** Drops lists of the account that has most of them ready, so that nobody's are pushed out by those of others. */
  private makeRoom(): void {
    const held = new Map<number, number>();
    for (const { accountId, chars } of this.ready.values())
      held.set(accountId, (held.get(accountId) ?? 0) + chars);
    let over = [...held.values()].reduce((sum, chars) => sum + chars, -READY_MAX_CHARS);
    while (over > 0) {
      const [most] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one));
      const [formId, oldest] = [...this.ready].find(([, each]) => each.accountId === most) ?? [];
      if (formId === undefined || !oldest) return;
      this.ready.delete(formId);
      held.set(most, (held.get(most) ?? 0) - oldest.chars);
      over -= oldest.chars;
    }
  }
}
