import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What is known of a person. */
export interface PersonDetails {
  email: string;
  name: string;
  /** Such as `Europe/Berlin`. */
  timeZone: string;
}

/** Somebody who signs in. What they may do stands in their memberships. */
@Entity('people')
@Index('uq_people_email', ['emailKey'], { unique: true })
export class Person implements PersonDetails {
  @PrimaryGeneratedColumn()
  id: number;

  @Column('varchar', { name: 'email', length: 255 })
  email: string;

  /** The address in lower case: what is unique. */
  @Column('varchar', { name: 'email_key', length: 255 })
  private emailKey: string;

  @Column('varchar', { name: 'name', length: 255 })
  name: string;

  @Column('varchar', { name: 'time_zone', length: 64 })
  timeZone: string;

  /** What argon2id makes of the password, with its parameters; null without one. */
  @Column('varchar', { name: 'password_hash', length: 255, nullable: true })
  passwordHash: string | null;

  /** What the authenticator app makes its codes of, in base32; null while no codes are asked for. */
  @Column('varchar', { name: 'totp_secret', length: 32, nullable: true })
  totpSecret: string | null;

  /** The period of the last code that was used: it and those before are taken no more. */
  @Column('int', { name: 'totp_step', nullable: true })
  totpStep: number | null;

  /** Whether the person sees what concerns the whole instance. */
  @Column('boolean', { name: 'is_operator' })
  isOperator: boolean;

  /** When it was shown that mail to the address reaches the person; null when it never was. */
  @Column('datetime', { name: 'verified_at', precision: 3, nullable: true })
  verifiedAt: Date | null;

  @Column('datetime', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('datetime', { name: 'disabled_at', precision: 3, nullable: true })
  disabledAt: Date | null;

  static create(details: PersonDetails, now: Date): Person {
    const person = Object.assign(new Person(), {
      passwordHash: null,
      totpSecret: null,
      totpStep: null,
      isOperator: false,
      verifiedAt: null,
      createdAt: now,
      disabledAt: null,
    });
    person.change(details);
    return person;
  }

  /** What an address is found by. */
  static keyOf(email: string): string {
    return email.toLowerCase();
  }

  /** Takes over the details that are given; the others stay. */
  change(details: Partial<PersonDetails>): void {
    Object.assign(this, details);
    this.emailKey = Person.keyOf(this.email);
  }

  get hasSecondFactor(): boolean {
    return this.totpSecret !== null;
  }

  get isDisabled(): boolean {
    return this.disabledAt !== null;
  }
}
