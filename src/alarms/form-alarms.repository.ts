import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { TransactionalRepository, insertMissing } from '../platform/database/sql.js';
import { selectRows } from '../platform/database/select-rows.js';
import { firstUuidAt } from '../platform/kernel/uuid.js';
import { AlarmNotice, FormAlarm } from './model/form-alarm.entity.js';

/** A form, and whose it is. */
export interface OwnedForm {
  id: number;
  accountId: number;
}

/** The part of an alarm that changes while it is known. */
type Standing = Pick<FormAlarm, 'foundAt' | 'toldAt' | 'overAt' | 'endedAt'>;

/** Reads and writes the alarms of forms, and what mails tell of them. */
@Injectable()
export class FormAlarmsRepository extends TransactionalRepository {
  private readonly alarms = this.rowsOf(FormAlarm);
  private readonly notices = this.rowsOf(AlarmNotice);

  /** Returns the first forms of all accounts after an id. */
  formsAfter(id: number, limit: number): Promise<OwnedForm[]> {
    return selectRows(
      this.source,
      `SELECT id, account_id AS accountId FROM \`forms\`
        WHERE deleted_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
      [id, limit],
    );
  }

  /** Returns the alarms of these forms. */
  async among(formIds: readonly number[]): Promise<FormAlarm[]> {
    return formIds.length === 0 ? [] : this.alarms.findBy({ formId: In([...formIds]) });
  }

  /** Returns when an account was last told of an alarm, or that one is over; null for not lately. */
  async lastToldAt(accountId: number): Promise<Date | null> {
    const last = async (column: 'toldAt' | 'endedAt') => {
      const where = { accountId, [column]: Not(IsNull()) };
      const [alarm] = await this.alarms.find({ where, order: { [column]: 'DESC' }, take: 1 });
      return alarm?.[column]?.getTime() ?? 0;
    };
    const at = Math.max(await last('toldAt'), await last('endedAt'));
    return at === 0 ? null : new Date(at);
  }

  /** Adds alarms, unless others did. */
  async add(alarms: readonly FormAlarm[]): Promise<void> {
    await insertMissing(this.alarms, alarms);
  }

  /** Stores how a warning stands, unless the form is gone. */
  async set({ formId, code }: FormAlarm, to: Partial<Standing>): Promise<void> {
    await this.alarms.update({ formId, code }, to);
  }

  /** Marks an alarm as told, or as told to be over. @returns false when another instance was faster */
  async mark({ formId, code }: FormAlarm, as: 'toldAt' | 'endedAt', now: Date): Promise<boolean> {
    const { affected } = await this.alarms.update({ formId, code, [as]: IsNull() }, { [as]: now });
    return affected !== 0;
  }

  async remove({ formId, code }: FormAlarm): Promise<void> {
    await this.alarms.delete({ formId, code });
  }

  async addNotice(notice: Omit<AlarmNotice, 'told'>): Promise<void> {
    await this.notices.insert(notice);
  }

  findNotice(deliveryId: Buffer): Promise<AlarmNotice | null> {
    return this.notices.findOneBy({ deliveryId });
  }

  /** Removes what mails told that were planned before a moment. */
  async forgetNotices(before: Date): Promise<void> {
    await this.notices.delete({ deliveryId: LessThan(firstUuidAt(before)) });
  }

  async removeOf(formId: number): Promise<void> {
    await this.alarms.delete({ formId });
    await this.notices.delete({ formId });
  }
}
