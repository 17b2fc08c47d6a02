import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AlarmTold } from '../../mail/messages/alarm-mail.js';

/** Stores what a mail about alarms tells, by its delivery. */
@Entity('alarm_notices')
@Index('ix_alarm_notices_form', ['formId'])
export class AlarmNotice {
  @PrimaryColumn('binary', { name: 'delivery_id', length: 16 })
  deliveryId: Buffer;

  /** The form that the delivery belongs to. */
  @Column('int', { name: 'form_id' })
  formId: number;

  /** JSON of what is told of each form. */
  @Column('mediumtext', { name: 'content' })
  content: string;

  get told(): AlarmTold[] {
    return JSON.parse(this.content) as AlarmTold[];
  }
}
