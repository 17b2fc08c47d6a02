import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Account } from '../accounts/account.entity.js';
import { AuditService } from '../audit/audit.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Device } from '../sessions/session.entity.js';
import { SessionsService, type BegunSession } from '../sessions/sessions.service.js';
import { Clock } from '../platform/kernel/clock.js';
import { hashSecret, mintSecret } from '../platform/kernel/token-secret.js';
import { FactorsService } from './factors.service.js';
import { MembershipsRepository } from './memberships.repository.js';
import { Membership } from './membership.entity.js';
import { assertGoodPassword } from './password-policy.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { personTarget } from './people.service.js';
import { SetupCodeUnknown } from './person.errors.js';
import { Person, type PersonDetails } from './person.entity.js';
import { SetupCodesRepository } from './setup-codes.repository.js';

const PREFIX = 'fcs_setup_';
/** How long a code lasts that the operator asked for; the one of a first start waits for its owner. */
const ASKED_FOR_TTL_MS = 60 * 60 * 1000;

/** Makes the code that makes an owner, and the owner. */
@Injectable()
export class SetupService {
  constructor(
    private readonly codes: SetupCodesRepository,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly passwords: Passwords,
    private readonly factors: FactorsService,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a code for the first owner; the former one is good for nothing any more.
   * @returns null when there are people, or no account, already
   */
  async issueFirst(): Promise<string | null> {
    if (!(await this.people.isEmpty())) return null;
    const [account] = await this.accounts.list();
    return account ? this.issue(account.id, null) : null;
  }

  /**
   * Makes a code that is good for an hour: for an instance from before there were people, and for an
   * owner who cannot sign in any more.
   * @throws AccountNotFound
   */
  async issueFor(accountId: number): Promise<string> {
    const account = await this.accounts.get(accountId);
    return this.issue(account.id, new Date(this.clock.now().getTime() + ASKED_FOR_TTL_MS));
  }

  /**
   * Makes the person of these details an owner, and signs them in. A person of that address gets the
   * new password, and loses all former ways to sign in.
   * @throws SetupCodeUnknown, PasswordRefused
   */
  async claim(
    code: string,
    details: PersonDetails,
    password: string,
    device: Device,
  ): Promise<BegunSession> {
    const digest = hashSecret(code.trim());
    const account = await this.accountOf(digest);
    assertGoodPassword(password, [details.name, details.email, account.name], false);
    const passwordHash = await this.passwords.hash(password);
    return this.unitOfWork.run(async (tx) => {
      if (!(await this.codes.in(tx).claim(digest))) throw new SetupCodeUnknown();
      const person = await this.savePerson(tx, details, passwordHash);
      const membership = await this.saveOwner(tx, person, account);
      const { id, name } = person;
      await this.audit.record(
        tx,
        { kind: 'person', id, name, address: device.address },
        { accountId: account.id, action: 'setup.claimed', target: personTarget(person) },
      );
      return this.sessions.begin(tx, id, membership.id, 'setup', device);
    });
  }

  private async issue(accountId: number, expiresAt: Date | null): Promise<string> {
    const secret = mintSecret(PREFIX);
    const createdAt = this.clock.now();
    const code = { digest: hashSecret(secret), accountId, createdAt, expiresAt };
    await this.unitOfWork.run((tx) => this.codes.in(tx).put(code));
    return secret;
  }

  /** @throws SetupCodeUnknown */
  private async accountOf(digest: Buffer): Promise<Account> {
    const code = await this.codes.findByDigest(digest);
    if (!code || (code.expiresAt !== null && code.expiresAt <= this.clock.now())) {
      throw new SetupCodeUnknown();
    }
    return this.accounts.get(code.accountId);
  }

  private async savePerson(
    tx: EntityManager,
    details: PersonDetails,
    passwordHash: string,
  ): Promise<Person> {
    const known = await this.people.in(tx).findByEmail(details.email);
    const person = known ?? Person.create(details, this.clock.now());
    person.change(details);
    // Whoever has the code has a shell where the service runs.
    Object.assign(person, { passwordHash, isOperator: true, disabledAt: null });
    await this.people.in(tx).save(person);
    await this.factors.removeWithin(tx, person);
    await this.sessions.endAllOf(tx, person.id);
    return person;
  }

  private async saveOwner(tx: EntityManager, person: Person, { id }: Account): Promise<Membership> {
    const known = await this.memberships.in(tx).listOf(person.id);
    const here = known.find(({ accountId, clientId }) => accountId === id && clientId === null);
    const owner = { clientId: null, role: 'owner' } as const;
    const membership = here ?? Membership.create(person.id, id, owner, this.clock.now());
    membership.become(owner);
    membership.disabledAt = null;
    return this.memberships.in(tx).save(membership);
  }
}
