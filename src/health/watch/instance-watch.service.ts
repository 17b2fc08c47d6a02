import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ageAt, DAY_MS, inSlices } from '../../platform/index.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { hourOf, momentOf, WEEK_HOURS, RhythmLearner, silentFrom, type Rhythm } from './rhythm.js';
import { WatchService } from './watcher.js';

/** Hours of history that the rhythm of the whole service is learnt from, and how often, in milliseconds. */
const HISTORY_HOURS = 26 * WEEK_HOURS;
const LEARN_EVERY_MS = DAY_MS;
/** Accounts whose hours are read at once. */
const ACCOUNTS_AT_ONCE = 50;

/** Forms that must be known before their common silence says more than that of each. */
const FORMS_MIN = 3;
/** How long operators alone know of it, in milliseconds. */
const HELD_BACK_MS = DAY_MS;

/** How the whole service fares: when anything came last, and when the silence since becomes improbable. */
export interface InstanceFares {
  /** Begin of the hour of the last submission to any form; null before the first. */
  lastAt: Date | null;
  /** Null while there is too little history. */
  silentFrom: Date | null;
}

/** Watches all forms together: where no form hears anything, the service or its network is the cause. */
@Injectable()
export class InstanceWatch {
  private learnt: { at: Date; rhythm: Rhythm | null } | null = null;

  constructor(
    private readonly accounts: AccountsService,
    private readonly watches: WatchService,
    private readonly statistics: StatisticsService,
  ) {}

  /**
   * Tells whether owners are not told yet that their forms are silent: all are, so operators hear of it first. With
   * only a few forms, owners are told at once.
   */
  async holdsBack(now: Date) {
    const states = await this.watches.countByState();
    if ((states.get('alive') ?? 0) + (states.get('silent') ?? 0) < FORMS_MIN) return false;
    const { silentFrom } = await this.look(now);
    return silentFrom !== null && silentFrom <= now && ageAt(now, silentFrom) < HELD_BACK_MS;
  }

  async look(now: Date): Promise<InstanceFares> {
    const ids = (await this.accounts.list()).map(({ id }) => id);
    const rhythm = await this.rhythm(ids, now);
    const from = rhythm ? rhythm.learntTo : hourOf(now) - HISTORY_HOURS;
    const last = (await this.hoursSince(ids, from)).at(-1) ?? null;
    if (last === null) return { lastAt: null, silentFrom: null };
    const hour = rhythm && silentFrom(rhythm, last, 'normal');
    return { lastAt: momentOf(last), silentFrom: hour === null ? null : momentOf(hour) };
  }

  private async rhythm(accountIds: readonly number[], now: Date) {
    const { learnt } = this;
    if (learnt && Math.abs(ageAt(now, learnt.at)) < LEARN_EVERY_MS) return learnt.rhythm;
    const hours = await this.hoursSince(accountIds, hourOf(now) - HISTORY_HOURS);
    const learner = new RhythmLearner(hours[0] ?? 0);
    for (const hour of hours) learner.receive(hour);
    const rhythm = learner.learn();
    this.learnt = { at: now, rhythm };
    return rhythm;
  }

  /** Returns the hours from one on in which anything came, in order. */
  private async hoursSince(accountIds: readonly number[], from: number) {
    const found = new Set<number>();
    for (const some of inSlices(accountIds, ACCOUNTS_AT_ONCE)) {
      for (const hour of await this.statistics.activeHoursOfAll(some, from)) found.add(hour);
    }
    return [...found].sort((one, other) => one - other);
  }
}
