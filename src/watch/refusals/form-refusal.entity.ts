import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Counts the submissions that a form refused within an hour of UTC for one reason. */
@Entity('form_refusals')
@Index('ix_form_refusals_hour', ['hour'])
export class FormRefusal {
  @PrimaryColumn('int') formId: number;
  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int') hour: number;
  /** Code of the error, such as `required`. */
  @PrimaryColumn('varchar', { length: 64 }) code: string;
  /** The first field at fault that a rule of the form names; empty for none. */
  @PrimaryColumn('varchar', { length: 255 }) field: string;
  @Column('int') accountId: number;
  @Column('int') amount: number;
}
