import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Stands in once for a code of the authenticator app. Only a digest is kept; who uses it removes it. */
@Entity('recovery_codes')
@Index('ix_recovery_codes_person', ['personId'])
export class RecoveryCode {
  /** SHA-256 of person and code. */
  @PrimaryColumn('binary', { name: 'digest', length: 32 })
  digest: Buffer;

  @Column('int', { name: 'person_id' })
  personId: number;
}
