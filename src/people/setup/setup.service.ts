import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { COMMAND_LINE } from '../../accounts/access/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { Account } from '../../accounts/account.entity.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { Device } from '../sessions/session.entity.js';
import { SessionsService, type BegunSession } from '../sessions/sessions.service.js';
import { hashSecret, mintSecret } from '../../platform/index.js';
import { FirstProofs } from '../sign-in-methods/proofs.service.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { Membership } from '../members/membership.entity.js';
import { FirstWays, type CheckedFirstWay, type FirstWay } from '../sign-in-methods/first-ways.js';
import { PeopleRepository } from '../person/people.repository.js';
import { actorOf, personTarget } from '../members/members.service.js';
import { SetupCodeUnknown } from '../person/person.errors.js';
import { Person, type PersonDetails } from '../person/person.entity.js';
import { SetupCodesRepository } from './setup-codes.repository.js';

const PREFIX = 'fcs_setup_';
/** Life in milliseconds of a code that the operator asked for; the one of a first start does not expire. */
const ASKED_FOR_TTL_MS = 60 * 60 * 1000;

/** Issues the setup code, and makes whoever claims it an owner. */
@Injectable()
export class SetupService {
  constructor(
    private readonly codes: SetupCodesRepository,
    private readonly people: PeopleRepository,
    private readonly memberships: MembershipsRepository,
    private readonly firstWays: FirstWays,
    private readonly proofs: FirstProofs,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Issues a code for the first owner, which replaces the former one.
   * @returns null when there are people, or no account, already
   */
  async issueFirst(): Promise<string | null> {
    if (!(await this.people.isEmpty())) return null;
    const [account] = await this.accounts.list();
    return account ? this.issue(account.id, null) : null;
  }

  /**
   * Issues a code that works for an hour: for an instance that is older than its people, and for an owner
   * who cannot sign in any more.
   * @throws AccountNotFound
   */
  async issueFor(accountId: number) {
    const account = await this.accounts.get(accountId);
    const code = await this.issue(account.id, new Date(this.unitOfWork.now().getTime() + ASKED_FOR_TTL_MS));
    await this.audit.recordAlone(COMMAND_LINE, {
      accountId,
      action: 'setup.issued',
      target: { kind: 'account', id: accountId, name: account.name },
    });
    return code;
  }

  /**
   * Creates an owner with these details, and signs them in. A person who has the address already becomes
   * the owner, gets the new password or passkey, and loses all former ways to sign in. An account without
   * an address gets theirs, so that its forms tell somebody from the first submission on.
   * @throws SetupCodeUnknown, PasswordRefused, PasskeyRefused
   */
  async claim(code: string, details: PersonDetails, way: FirstWay, device: Device): Promise<BegunSession> {
    const digest = hashSecret(code.trim());
    const account = await this.accountOf(digest);
    const checked = await this.firstWays.check(way, [details.name, details.email, account.name]);
    const isKnown = (await this.people.findByEmail(details.email)) !== null;
    const begun = await this.unitOfWork.run(async (tx) => {
      if (!(await this.codes.in(tx).claim(digest))) throw new SetupCodeUnknown();
      const person = await this.savePerson(tx, details, checked);
      const membership = await this.saveOwner(tx, person, account);
      await this.accounts.setMissingEmail(tx, account.id, person.email);
      await this.audit.record(tx, actorOf(person, device.address), {
        accountId: account.id,
        action: 'setup.claimed',
        target: personTarget(person),
      });
      return this.sessions.begin(tx, person.id, membership.id, 'setup', device);
    });
    if (isKnown) this.proofs.tell(details, device.address, 'set-up-anew');
    return begun;
  }

  private async issue(accountId: number, expiresAt: Date | null) {
    const secret = mintSecret(PREFIX);
    const createdAt = this.unitOfWork.now();
    const code = { digest: hashSecret(secret), accountId, createdAt, expiresAt };
    await this.unitOfWork.run((tx) => this.codes.in(tx).put(code));
    return secret;
  }

  /** @throws SetupCodeUnknown */
  private async accountOf(digest: Buffer) {
    const code = await this.codes.findByDigest(digest);
    if (!code || (code.expiresAt !== null && code.expiresAt <= this.unitOfWork.now())) {
      throw new SetupCodeUnknown();
    }
    return this.accounts.get(code.accountId);
  }

  private async savePerson(tx: EntityManager, details: PersonDetails, checked: CheckedFirstWay) {
    const known = await this.people.in(tx).findByEmail(details.email);
    const person = known ?? (await this.people.in(tx).save(Person.create(details, this.unitOfWork.now())));
    await this.proofs.endWays(tx, person);
    // Whoever has the code has a shell where the service runs, and vouches for the address.
    const verifiedAt = person.verifiedAt ?? this.unitOfWork.now();
    const { passwordHash } = checked;
    const owner = { ...details, passwordHash, verifiedAt, isOperator: true, disabledAt: null };
    await this.people.in(tx).update(person, owner);
    await this.firstWays.keep(tx, person, checked);
    return person;
  }

  private async saveOwner(tx: EntityManager, person: Person, { id }: Account) {
    const known = await this.memberships.in(tx).listOf(person.id);
    const here = known.find(({ accountId, clientId }) => accountId === id && clientId === null);
    const owner = { clientId: null, role: 'owner' } as const;
    const membership = here ?? Membership.create(person.id, id, owner, this.unitOfWork.now());
    membership.become(owner);
    membership.disabledAt = null;
    return this.memberships.in(tx).save(membership);
  }
}
