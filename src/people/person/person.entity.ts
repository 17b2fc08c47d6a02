import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** The part of a person that they can change. */
export interface PersonDetails {
  email: string;
  name: string;
  /** Name of the IANA database, such as `Europe/Berlin`. */
  timeZone: string;
}

/** How the pages behave for a person. */
export interface PersonSettings {
  /** Whether the pages do without keys. */
  keysOff: boolean;
  /** Name of the IANA database, such as `Europe/Berlin`. */
  timeZone: string;
}

/** Signs in. What a person may do is in their memberships. */
@Entity('people')
@Index('uq_people_email', ['emailKey'], { unique: true })
export class Person implements PersonDetails, PersonSettings {
  @PrimaryGeneratedColumn() id: number;
  @Column('varchar', { length: 255 }) email: string;
  /** The address in lower case, which is unique. */
  @Column('varchar', { length: 255 }) private emailKey: string;
  @Column('varchar', { length: 255 }) name: string;
  @Column('varchar', { length: 64 }) timeZone: string;
  /** Argon2id hash with its salt and parameters; null without a password. */
  @Column('varchar', { length: 255, nullable: true }) passwordHash: string | null;
  /** Secret of the authenticator app in base32; null while no codes are asked for. */
  @Column('varchar', { length: 32, nullable: true }) totpSecret: string | null;
  /**
   * Number of the 30 seconds, counted from 1970, of the last code that was used; that code and earlier
   * ones are refused.
   */
  @Column('int', { nullable: true }) totpStep: number | null;
  /** Whether the person sees the state of the whole instance. */
  @Column('boolean') isOperator: boolean;
  @Column('boolean', { default: false }) keysOff: boolean;
  /**
   * When it was first proved that the person reads mail to the address, or whoever runs the service vouched
   * for it; null before.
   */
  @Time({ nullable: true }) verifiedAt: Date | null;
  @Time() createdAt: Date;
  @Time({ nullable: true }) disabledAt: Date | null;

  static create(details: PersonDetails, now: Date): Person {
    const person = Object.assign(new Person(), {
      passwordHash: null,
      totpSecret: null,
      totpStep: null,
      isOperator: false,
      keysOff: false,
      verifiedAt: null,
      createdAt: now,
      disabledAt: null,
    });
    person.change(details);
    return person;
  }

  /** Returns the key that an address is found by. */
  static keyOf(email: string) {
    return email.toLowerCase();
  }

  /** Applies the details that are given; the others stay. */
  change(details: Partial<PersonDetails>) {
    Object.assign(this, details);
    this.emailKey = Person.keyOf(this.email);
  }

  get hasSecondFactor() {
    return this.totpSecret !== null;
  }

  /** Whether anybody who invites people may have made this person, with an address that is not theirs. */
  get isUnproven() {
    return this.verifiedAt === null && !this.isOperator;
  }

  get isDisabled() {
    return this.disabledAt !== null;
  }
}
