import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Replaces a code of the authenticator app, once. Only a hash is stored; using the code removes the row. */
@Entity('recovery_codes')
@Index('ix_recovery_codes_person', ['personId'])
export class RecoveryCode {
  /** SHA-256 of person and code. */
  @PrimaryColumn('binary', { name: 'digest', length: 32 })
  digest: Buffer;

  @Column('int', { name: 'person_id' })
  personId: number;
}
