import { Column, Entity, PrimaryColumn } from 'typeorm';
import { DIGEST_BYTES } from '../../submissions/model/value-digests.js';

/** Counts the submissions with one page, origin, country or value within some hours of UTC that are not spam. */
@Entity('facet_counts')
export class FacetCount {
  @PrimaryColumn('int', { name: 'account_id' })
  accountId: number;

  /** ALL_FORMS for the account. */
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('int', { name: 'facet' })
  facet: number;

  @PrimaryColumn('binary', { name: 'digest', length: DIGEST_BYTES })
  digest: Buffer;

  /** One of LENGTHS, in hours. */
  @PrimaryColumn('int', { name: 'length' })
  length: number;

  /** Whole hours from 1970 to its begin, in UTC. */
  @PrimaryColumn('int', { name: 'begins' })
  begins: number;

  @Column('int', { name: 'submissions' })
  submissions: number;
}
