import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Notes a check that fails, so that one process tells operators once. */
@Entity('operator_alarms')
export class OperatorAlarm {
  @PrimaryColumn('varchar', { name: 'check_name', length: 64 })
  check: string;

  /** When it failed first, without a look in between that found it well, or a process last began to tell of it. */
  @Column('datetime', { name: 'found_at', precision: 3 })
  foundAt: Date;

  /** When a process last found it failed, or began to tell that it is well. */
  @Column('datetime', { name: 'seen_at', precision: 3 })
  seenAt: Date;

  /** When operators were told; null for not yet. */
  @Column('datetime', { name: 'told_at', precision: 3, nullable: true })
  toldAt: Date | null;
}
