import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/columns.js';
import { makeUuid } from '../../platform/kernel/uuid.js';

/** Ties a person to what an OpenID Connect provider knows them by. */
@Entity('identities')
@Index('uq_identities_subject', ['issuer', 'subject'], { unique: true })
@Index('ix_identities_person', ['personId', 'id'])
export class Identity {
  @UuidKey('id')
  id: Buffer;

  @Column('int', { name: 'person_id' })
  personId: number;

  @Column('varchar', { name: 'issuer', length: 255 })
  issuer: string;

  /** The provider's name for the person, at most 255 characters (OpenID Connect Core 1.0, section 2). */
  @Column('varchar', { name: 'subject', length: 255 })
  subject: string;

  /** The address that the provider named when the two were tied; for people to tell identities apart. */
  @Column('varchar', { name: 'email', length: 255, nullable: true })
  email: string | null;

  @Time('created_at')
  createdAt: Date;

  static link(
    personId: number,
    { issuer, subject, email }: { issuer: string; subject: string; email: string | null },
    now: Date,
  ): Identity {
    const id = makeUuid();
    return Object.assign(new Identity(), { id, personId, issuer, subject, email, createdAt: now });
  }
}
