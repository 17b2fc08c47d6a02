import { Injectable } from '@nestjs/common';
import { ReadCache } from '../../platform/kernel/read-cache.js';
import { EntryList } from './entry-list.js';
import { entriesOf } from './list-text.js';
import type { SpamList } from './spam-list.entity.js';
import { SpamListsRepository } from './spam-lists.repository.js';

/** Text of lists that is kept ready for look-ups, in characters; those used longest ago go first. */
const READY_MAX_CHARS = 16 * 1024 * 1024;

/** The lists of a form, ready for look-ups. */
export interface LookUp {
  block: EntryList;
  allow: EntryList;
}

/** Keeps lists ready for look-ups. A change by another instance is seen after a second. */
@Injectable()
export class LookUps {
  private readonly current = new ReadCache<{ lookUp: LookUp | null }>((keys) => this.read(keys));
  private readonly ready = new Map<number, { digest: string; chars: number; lookUp: LookUp }>();

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
    const list = await this.lists.find(formId);
    if (!list) return null;
    this.keep(list);
    return this.ready.get(formId)?.lookUp ?? null;
  }

  private keep({ formId, digest, blocked, allowed }: SpamList): void {
    const lookUp = {
      block: new EntryList(entriesOf(blocked)),
      allow: new EntryList(entriesOf(allowed)),
    };
    const chars = blocked.length + allowed.length;
    let left = READY_MAX_CHARS - chars;
    for (const each of this.ready.values()) left -= each.chars;
    for (const [other, { chars: freed }] of this.ready) {
      if (left >= 0) break;
      this.ready.delete(other);
      left += freed;
    }
    this.ready.set(formId, { digest: digest.toString('hex'), chars, lookUp });
  }
}
