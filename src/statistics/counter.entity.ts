import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Counts one item that a form, or all forms of an account, had within some hours of UTC: what was received, by its verdict
 * now, what became of the emails and calls that it caused, where it came from, and what was refused. The trash, erasure and
 * retention change nothing; a form that is purged takes its counts along, and so does an import that is undone.
 */
@Entity('counters', { withoutRowid: true })
export class Counter {
  /** Or `allFormsOf()` an account. */
  @PrimaryColumn('int') formId: number;
  /** One of LENGTHS, in hours; 0 in rows that count nothing, and say what an item is called. */
  @PrimaryColumn('int') length: number;
  @PrimaryColumn('varchar', { length: 80 }) name: string;
  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int') begins: number;
  @PrimaryColumn('varchar', { length: 16 }) item: string;
  @Column('int') amount: number;
  /** Null for a value that too few have sent to be named, and where hours are counted. */
  @Column('varchar', { length: 320, nullable: true }) text: string | null;
}
