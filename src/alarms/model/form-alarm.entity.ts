import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/columns.js';
import type { WarningCode } from '../../warnings/warning.js';
import type { AlarmTold } from '../../mail/messages/form-mails.js';

/** Stores a warning that owners are told of, from when it was found until they were told that it is over. */
@Entity('form_alarms')
@Index('ix_form_alarms_account', ['accountId', 'toldAt'])
export class FormAlarm {
  @PrimaryColumn('int') formId: number;
  @PrimaryColumn('varchar', { length: 32 }) code: WarningCode;
  @Column('int') accountId: number;
  @Column('text') message: string;
  @Time() foundAt: Date;
  /** Null until owners are told. */
  @Time({ nullable: true }) toldAt: Date | null;
  /** Since when the warning is gone; null while it is there. */
  @Time({ nullable: true }) overAt: Date | null;
  /** When owners were told that it is over; it is remembered for a day, so that what comes and goes is told once. */
  @Time({ nullable: true }) endedAt: Date | null;
}

/** Stores what a mail about alarms tells, by its delivery. */
@Entity('alarm_notices')
@Index('ix_alarm_notices_form', ['formId'])
export class AlarmNotice {
  @UuidKey() deliveryId: Buffer;
  /** The form that the delivery belongs to. */
  @Column('int') formId: number;
  /** JSON of what is told of each form. */
  @Column('mediumtext') content: string;

  get told(): AlarmTold[] {
    return JSON.parse(this.content) as AlarmTold[];
  }
}
