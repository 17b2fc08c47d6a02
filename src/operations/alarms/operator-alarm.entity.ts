import { Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/columns.js';

/** Notes a check that fails, so that one process tells operators once. */
@Entity('operator_alarms')
export class OperatorAlarm {
  @PrimaryColumn('varchar', { name: 'check_name', length: 64 }) check: string;
  /** When it failed first, without a look in between that found it well, or a process last began to tell of it. */
  @Time() foundAt: Date;
  /** When a process last found it failed, or began to tell that it is well. */
  @Time() seenAt: Date;
  /** When operators were told; null for not yet. */
  @Time({ nullable: true }) toldAt: Date | null;
}
