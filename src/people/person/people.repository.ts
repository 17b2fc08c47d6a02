import { Injectable } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { PersonEmailTaken, PersonNotFound } from './person.errors.js';
import { isDuplicate, TransactionalRepository, selectEntities, forUpdate } from '../../platform/database/index.js';
import { Person } from './person.entity.js';

/** Stands for another cost, which tests provide: most are not about passwords. No setting does. */
export const PASSWORD_COST = Symbol('PASSWORD_COST');

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

  isEmpty() {
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

  /** Stores that a code of this period was used, unless it or a later one was. Of two calls at once, one gets true. */
  async claimTotpStep(id: number, totpStep: number) {
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
