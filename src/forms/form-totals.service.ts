import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormTotalsRepository, type AccountTotals, type Erased } from './form-totals.repository.js';

/** Sums what the forms of accounts have. */
@Injectable()
export class FormTotals {
  constructor(private readonly totals: FormTotalsRepository) {}

  /** Counts the forms of every account, their submissions and the bytes of their files, for operators. */
  byAccount(): Promise<Map<number, AccountTotals>> {
    return this.totals.byAccount();
  }

  /** Returns what the files of an account take, in bytes. */
  filesBytes(accountId: number): Promise<number> {
    return this.totals.filesBytes(accountId);
  }

  /**
   * Takes what was erased off the sums of a form, in the transaction that removes it, and counts the erasure. Whoever
   * submits to the form waits until that is committed.
   */
  noteErasure(tx: EntityManager, id: number, erased: Erased): Promise<void> {
    return this.totals.in(tx).noteErasure(id, erased);
  }

  /** Returns how often something of a form was erased: what was read before the last time may be of what is gone. */
  erasuresOf(id: number): Promise<number> {
    return this.totals.erasuresOf(id);
  }

  /** Returns the same within a transaction, before which no erasure of the form is committed any more. */
  lockErasures(tx: EntityManager, id: number): Promise<number> {
    return this.totals.in(tx).lockErasures(id);
  }
}
