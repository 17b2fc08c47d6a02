import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readers } from '../../mail/readers.js';
import { PeopleRepository } from '../person/people.repository.js';
import { MembershipsRepository } from './memberships.repository.js';

/** Tells mails which of their readers are members of the account itself. */
@Injectable()
export class AccountReaders implements OnModuleInit {
  constructor(
    private readonly readers: Readers,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  onModuleInit(): void {
    this.readers.register((accountId, email) => this.isMember(accountId, email));
  }

  private async isMember(accountId: number, email: string): Promise<boolean> {
    const person = await this.people.findByEmail(email);
    const found = person ? await this.memberships.listOf(person.id) : [];
    return found.some((each) => each.accountId === accountId && each.clientId === null);
  }
}
