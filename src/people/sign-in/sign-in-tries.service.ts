import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { actorOf, personTarget, type PersonEvent } from '../members/person-audit.service.js';
import { Person } from '../person/person.entity.js';

/** An id that no person has, so that an unknown address takes the same queries as a known one. */
const NOBODY = 0;

/** Limits and records what people try who are not signed in yet. An unknown person takes as long as a known one. */
@Injectable()
export class SignInTries {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Admits a try to sign in.
   * @param tried the email address, or what else stands for the person
   * @throws RateLimited when there were too many tries lately
   */
  async admit(person: Person | null, tried: string, address: string): Promise<void> {
    const isKnown = await this.sessions.isKnownAddress(person?.id ?? NOBODY, address);
    this.limits.admitSignIn(address, Person.keyOf(tried), isKnown);
  }

  /**
   * Admits a request for a mail to sign in with.
   * @throws RateLimited when there were too many of them lately
   */
  async admitLink(person: Person | null, email: string, address: string): Promise<void> {
    const isKnown = await this.sessions.isKnownAddress(person?.id ?? NOBODY, address);
    this.limits.admitSignInLink(address, Person.keyOf(email), isKnown);
  }

  /** Admits a code for a request. @throws RateLimited after too many tries for it */
  admitCode(requestId: Buffer): void {
    this.limits.admitSignInCode(formatUuid(requestId));
  }

  /** Admits a departure to the provider. @throws RateLimited when there were too many from the network */
  admitDeparture(address: string): void {
    this.limits.admitDeparture(address);
  }

  /** Records a try. @param store what is stored with it, in the same transaction */
  async record(
    person: Person | null,
    address: string,
    event: PersonEvent,
    store?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    const [membership] = await this.memberships.listOf(person?.id ?? NOBODY);
    const actor = person
      ? actorOf(person, address)
      : ({ kind: 'person', id: null, name: 'Unknown', address } as const);
    const target = person ? personTarget(person) : { kind: 'person', id: null, name: null };
    await this.unitOfWork.run(async (tx) => {
      await store?.(tx);
      const accountId = membership?.accountId ?? null;
      await this.audit.record(tx, actor, { ...event, accountId, target });
    });
  }
}
