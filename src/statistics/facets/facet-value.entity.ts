import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DIGEST_BYTES } from '../../submissions/model/submitted-values.js';

/**
 * Names one page, origin, country or value that counts of a form, or of all forms of an account, know. What is not
 * among them is counted together.
 */
@Entity('facet_values')
@Index('ix_facet_values_going', ['going'])
export class FacetValue {
  @PrimaryColumn('int') accountId: number;
  /** ALL_FORMS for the account. */
  @PrimaryColumn('int') formId: number;
  /** PAGE, ORIGIN, COUNTRY, FIELD, or STOPPED for a field that was found to have too many values. */
  @PrimaryColumn('int') facet: number;
  /** Written by `facetDigest()`. */
  @PrimaryColumn('binary', { length: DIGEST_BYTES }) digest: Buffer;
  /** Name of the field; else empty. */
  @Column('varchar', { length: 64 }) name: string;
  /** Text of the value; null for OTHER, and for a value that too few have sent to be named. */
  @Column('varchar', { length: 255, nullable: true }) text: string | null;
  /** Submissions that had it before it got its text; of STOPPED, the hour of which that was, in hours since 1970. */
  @Column('int') seen: number;
  /** Always 0; the version before needs it. */
  @Column('int') going: number;
}

/** Counts the submissions with one page, origin, country or value within some hours of UTC that are not spam. */
@Entity('facet_counts')
export class FacetCount {
  @PrimaryColumn('int') accountId: number;
  /** ALL_FORMS for the account. */
  @PrimaryColumn('int') formId: number;
  @PrimaryColumn('int') facet: number;
  @PrimaryColumn('binary', { length: DIGEST_BYTES }) digest: Buffer;
  /** One of LENGTHS, in hours. */
  @PrimaryColumn('int') length: number;
  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int') begins: number;
  @Column('int') submissions: number;
}
