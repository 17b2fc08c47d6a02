import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, LessThanOrEqual } from 'typeorm';
import { TransactionalRepository, insertMissing } from '../../platform/database/sql.js';
import { OperatorAlarm } from './operator-alarm.entity.js';

/** Reads and writes which checks fail. Of several processes, one gets the claim to tell of a change. */
@Injectable()
export class OperatorAlarmsRepository extends TransactionalRepository {
  private readonly rows = this.rowsOf(OperatorAlarm);

  list(): Promise<OperatorAlarm[]> {
    return this.rows.find();
  }

  /** Notes that a check fails. @param gap what was seen before it began anew */
  async see(check: string, now: Date, gap: Date): Promise<void> {
    await this.rows.update({ check, toldAt: IsNull(), seenAt: LessThan(gap) }, { foundAt: now });
    const row = { check, foundAt: now, seenAt: now, toldAt: null };
    await insertMissing(this.rows, [row]);
    await this.rows.update({ check }, { seenAt: now });
  }

  /**
   * Claims to tell of a check that failed before a moment. The claim ends as a failure becomes old: who could not tell, or
   * was killed, leaves it to a later look.
   */
  async claimFailed(check: string, found: Date, now: Date): Promise<boolean> {
    const where = { check, toldAt: IsNull(), foundAt: LessThan(found) };
    return (await this.rows.update(where, { foundAt: now })).affected === 1;
  }

  /** Notes that operators were told that a check fails. */
  async tell(check: string, now: Date): Promise<void> {
    await this.rows.update({ check, toldAt: IsNull() }, { toldAt: now });
  }

  /** Claims to tell of a check that no process has found failed since a moment; the claim ends likewise. */
  async claimWell(check: string, seen: Date, now: Date): Promise<boolean> {
    return (
      (await this.rows.update({ check, seenAt: LessThan(seen) }, { seenAt: now })).affected === 1
    );
  }

  /** Removes a check that is well, unless it was found failed after a moment. */
  async end(check: string, now: Date): Promise<void> {
    await this.rows.delete({ check, seenAt: LessThanOrEqual(now) });
  }
}
