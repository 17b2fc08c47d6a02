import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GoesWith, Time } from '../../platform/database/index.js';
import { momentOf, type WatchLevel, type Rhythm } from './rhythm.js';
import type { Sign, WatchState } from './signs.js';

/** Stores how a form is watched, what is known of its rhythm, and how it fared at the last look. */
@Entity('form_watches')
@GoesWith<FormWatch>('formId')
@Index('ix_form_watches_state', ['state', 'silentFrom'])
@Index('ix_form_watches_due', ['nextAt'])
export class FormWatch {
  @PrimaryColumn('int') formId: number;
  @Column('int') accountId: number;
  @Column('varchar', { length: 8, default: 'normal' }) level: WatchLevel;
  @Column('varchar', { length: 16, default: 'learning' }) state: WatchState;
  /** When it is looked at next. */
  @Time() nextAt: Date;
  /** The hour of the last submission, from 1970 on; null before the first. */
  @Column('int', { nullable: true }) lastHour: number | null;
  /** When its silence becomes improbable, unless something comes before; null where that cannot be told. */
  @Time({ nullable: true }) silentFrom: Date | null;
  /** Since when it is watched after it was not; silence counts from then. Null for ever since. */
  @Time({ nullable: true }) watchedFrom: Date | null;
  @Time({ nullable: true }) learntAt: Date | null;
  /** JSON of a `Rhythm`; null until there is enough history. */
  @Column('text', { name: 'rhythm', nullable: true }) rhythmText: string | null;
  /** JSON of what else is unusual; null for nothing. */
  @Column('text', { name: 'signs', nullable: true }) signsText: string | null;

  static create({ formId, accountId }: Pick<FormWatch, 'formId' | 'accountId'>, now: Date) {
    return Object.assign(new FormWatch(), {
      ...{ formId, accountId, level: 'normal', state: 'learning', nextAt: now },
      ...{ lastHour: null, silentFrom: null, watchedFrom: null, learntAt: null },
      ...{ rhythmText: null, signsText: null },
    } satisfies Partial<FormWatch>);
  }

  get rhythm(): Rhythm | null {
    return this.rhythmText === null ? null : (JSON.parse(this.rhythmText) as Rhythm);
  }

  get signs(): Sign[] {
    return this.signsText === null ? [] : (JSON.parse(this.signsText) as Sign[]);
  }

  /** Begin of the hour of the last submission; null before the first. */
  get lastAt(): Date | null {
    return this.lastHour === null ? null : momentOf(this.lastHour);
  }
}
