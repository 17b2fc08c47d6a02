import { Injectable } from '@nestjs/common';
import {
  RecentCountsRepository,
  type CountedForm,
  type CountedTime,
  type RecentSums,
} from './recent-counts.repository.js';

/** Tells when forms received submissions, by the hours of UTC, numbered from 1970 on. */
@Injectable()
export class RecentCounts {
  constructor(private readonly counts: RecentCountsRepository) {}

  /** Returns the newest hours, up to `limit`, from `from` on in which a form received submissions, oldest first. */
  activeHours(form: CountedForm, from: number, limit: number): Promise<number[]> {
    return this.counts.activeHours(form, from, limit);
  }

  /** Returns the newest hour in which each of these forms received a submission; without forms that have none. */
  newestHours(formIds: readonly number[]): Promise<Map<number, number>> {
    return this.counts.newestHours(formIds);
  }

  /** Returns what these forms received within a time; without those that got nothing. */
  async sums(forms: readonly CountedForm[], time: CountedTime): Promise<Map<number, RecentSums>> {
    const byAccount = new Map<number, number[]>();
    for (const { accountId, formId } of forms) {
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), formId]);
    }
    const found = new Map<number, RecentSums>();
    for (const [accountId, formIds] of byAccount) {
      for (const [id, sums] of await this.counts.sums(accountId, formIds, time)) {
        found.set(id, sums);
      }
    }
    return found;
  }

  /** Returns the hours from one on in which any form of these accounts received a submission, in no order. */
  hoursOfAccounts(accountIds: readonly number[], from: number): Promise<number[]> {
    return this.counts.hoursOfAccounts(accountIds, from);
  }
}
