import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not, type Repository } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { OperatorAlarm } from './operator-alarm.entity.js';

/** Reads and writes which checks fail. Of several processes, one gets true for each change. */
@Injectable()
export class OperatorAlarmsRepository extends TransactionalRepository {
  private get rows(): Repository<OperatorAlarm> {
    return this.source.manager.getRepository(OperatorAlarm);
  }

  list(): Promise<OperatorAlarm[]> {
    return this.rows.find();
  }

  /** Notes that a check fails. @param gap what was seen before it began anew */
  async see(check: string, now: Date, gap: Date): Promise<void> {
    await this.rows.update({ check, toldAt: IsNull(), seenAt: LessThan(gap) }, { foundAt: now });
    const row = { check, foundAt: now, seenAt: now, toldAt: null };
    await this.rows.createQueryBuilder().insert().values(row).orIgnore().execute();
    await this.rows.update({ check }, { seenAt: now });
  }

  /** Notes that operators are told of a check that failed before a moment. @returns whether they are to be told */
  async tell(check: string, found: Date, now: Date): Promise<boolean> {
    const where = { check, toldAt: IsNull(), foundAt: LessThan(found) };
    return (await this.rows.update(where, { toldAt: now })).affected === 1;
  }

  /** Notes that nobody could be told. */
  async untell(check: string): Promise<void> {
    await this.rows.update({ check, toldAt: Not(IsNull()) }, { toldAt: null });
  }

  /** Removes a check that no process has found failed since a moment. @returns whether it is gone by this call */
  async end(check: string, seen: Date): Promise<boolean> {
    return (await this.rows.delete({ check, seenAt: LessThan(seen) })).affected === 1;
  }
}
