import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormsRepository, type AccountTotals } from './forms.repository.js';

/** Sums what the forms of accounts have. */
@Injectable()
export class FormTotals {
  constructor(private readonly forms: FormsRepository) {}

  /** Counts the forms of every account, their submissions and the bytes of their files, for operators. */
  byAccount(): Promise<Map<number, AccountTotals>> {
    return this.forms.totals();
  }

  /** Returns what the files of an account take, in bytes. */
  filesBytes(accountId: number): Promise<number> {
    return this.forms.filesBytes(accountId);
  }

  /** Changes the bytes that the files of a form take, in the transaction that changes its submissions. */
  addToFilesBytes(tx: EntityManager, id: number, by: number): Promise<void> {
    return this.forms.in(tx).addToFilesBytes(id, by);
  }
}
