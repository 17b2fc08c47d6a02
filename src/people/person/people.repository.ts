import { Inject, Injectable, Optional } from '@nestjs/common';
import argon2 from '@node-rs/argon2';
import { IsNull, LessThan } from 'typeorm';
import { Turns } from '../../platform/kernel/counters.js';
import { assertGoodPassword, normalisePassword } from './password-policy.js';
import { PasswordsBusy, PersonEmailTaken, PersonNotFound } from './person.errors.js';
import { isDuplicate, TransactionalRepository } from '../../platform/database/sql.js';
import { selectEntities, forUpdate } from '../../platform/database/select-rows.js';
import { Person } from './person.entity.js';

/** Argon2id with 19 MiB, 2 passes and 1 lane: the first choice of OWASP's cheat sheet. */
const COST = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Stands for another cost, which tests provide: most are not about passwords. No setting does. */
export const PASSWORD_COST = Symbol('PASSWORD_COST');

/** Passwords hashed at a time, of the four threads that files and the names of hosts need, too. */
const HASHED_AT_ONCE = 2;

/** Passwords that wait for their turn: some seconds of work. */
const WAITING_MAX = 64;

/** Hashes passwords and compares them with their hashes. */
@Injectable()
export class Passwords {
  private readonly turns = new Turns(HASHED_AT_ONCE);
  private asked = 0;
  /** Compared with where there is no password, so that an unknown address takes as long as a known one. */
  private readonly dummy: Promise<string>;

  constructor(@Optional() @Inject(PASSWORD_COST) private readonly cost = COST) {
    this.dummy = argon2.hash('nobody has this password', cost);
  }

  /**
   * Checks a new password, and hashes it.
   * @param ownWords what is known of the person, and guessed first
   * @throws PasswordRefused, PasswordsBusy
   */
  async choose(
    password: string,
    ownWords: readonly string[],
    hasSecondFactor: boolean,
  ): Promise<string> {
    assertGoodPassword(password, ownWords, hasSecondFactor);
    return this.hash(password);
  }

  /**
   * @returns the hash with its salt and parameters, about 97 characters
   * @throws PasswordsBusy
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => argon2.hash(normalisePassword(password), this.cost));
  }

  /**
   * Tells whether the password has this hash. Without a hash it never has, after the same work.
   * @throws PasswordsBusy
   */
  async fits(password: string, kept: string | null): Promise<boolean> {
    const known = kept ?? (await this.dummy);
    const fits = await this.inTurn(() => argon2.verify(known, normalisePassword(password)));
    return fits && kept !== null;
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.asked >= HASHED_AT_ONCE + WAITING_MAX) throw new PasswordsBusy();
    this.asked++;
    try {
      return await this.turns.run(work);
    } finally {
      this.asked--;
    }
  }
}

/** Columns that are changed by themselves, so that two changes at once do not undo each other. */
type PersonChanges = Partial<
  Pick<
    Person,
    | 'email'
    | 'name'
    | 'passwordHash'
    | 'totpSecret'
    | 'totpStep'
    | 'verifiedAt'
    | 'isOperator'
    | 'disabledAt'
    | 'keysOff'
    | 'timeZone'
  >
>;

/** Reads and writes people. */
@Injectable()
export class PeopleRepository extends TransactionalRepository {
  private readonly people = this.rowsOf(Person);

  isEmpty(): Promise<boolean> {
    return this.people.exists().then((exists) => !exists);
  }

  async find(id: number): Promise<Person | null> {
    const [found = null] = await selectEntities(this.source, Person, { id });
    return found;
  }

  /** Finds a person by address, in any case of letters. */
  findByEmail(email: string): Promise<Person | null> {
    const emailKey = Person.keyOf(email);
    return this.people.createQueryBuilder('person').where({ emailKey }).getOne();
  }

  /** @throws PersonNotFound */
  async getByEmail(email: string): Promise<Person> {
    const person = await this.findByEmail(email);
    if (!person) throw new PersonNotFound();
    return person;
  }

  /** @throws PersonNotFound */
  async get(id: number): Promise<Person> {
    const person = await this.find(id);
    if (!person) throw new PersonNotFound();
    return person;
  }

  /**
   * Returns a person and locks their row until the transaction ends.
   * @throws PersonNotFound
   */
  async getForUpdate(id: number): Promise<Person> {
    const query = this.people.createQueryBuilder('person').where({ id });
    const person = await forUpdate(query).getOne();
    if (!person) throw new PersonNotFound();
    return person;
  }

  async byIds(ids: number[]): Promise<Map<number, Person>> {
    const people = await selectEntities(this.source, Person, { id: ids });
    return new Map(people.map((person) => [person.id, person]));
  }

  /** Returns everybody, oldest first. */
  list(): Promise<Person[]> {
    return this.people.find({ order: { id: 'ASC' } });
  }

  /**
   * Stores that a code of this period was used, unless it or a later one was. Of two calls at once, one
   * gets true.
   */
  async claimTotpStep(id: number, totpStep: number): Promise<boolean> {
    const { affected } = await this.people.update(
      [
        { id, totpStep: IsNull() },
        { id, totpStep: LessThan(totpStep) },
      ],
      { totpStep },
    );
    return affected === 1;
  }

  /** Stores these columns alone, in the row and in what was read of it. */
  async update(person: Person, changes: PersonChanges): Promise<Person> {
    await this.people.update({ id: person.id }, changes);
    return Object.assign(person, changes);
  }

  /** @throws PersonEmailTaken */
  async save(person: Person): Promise<Person> {
    try {
      return await this.people.save(person);
    } catch (error) {
      if (isDuplicate(error, 'uq_people_email', 'people.email_key')) throw new PersonEmailTaken();
      throw error;
    }
  }
}
