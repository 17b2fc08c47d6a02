import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../access/principal.js';
import type { Right } from '../access/rights.js';
import { rightsOfActions, rightsOfRole } from '../access/roles.js';
import { AuditService } from '../audit/audit.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Clock } from '../platform/kernel/clock.js';
import type { Membership, LimitState } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { detailsOf, personTarget, type Member } from './people.service.js';
import { PeopleRepository } from './people.repository.js';
import { LastOwner, OwnRole, PersonNotFound, RoleExceeded } from './person.errors.js';

/**
 * Says what people may do in an account, or for one of its clients. To a client itself there are no
 * people. Nobody gives or takes what they do not have, nobody changes their own role, and an account
 * keeps an owner.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly people: PeopleRepository,
    private readonly clients: ClientsService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param clientId null: the members of the account
   * @throws ClientNotFound
   */
  async list(scope: Scope, clientId: number | null): Promise<Member[]> {
    if (clientId !== null) await this.clients.show(scope, clientId);
    if (scope.clientId !== null) return [];
    const memberships = await this.memberships.listFor(scope.accountId, clientId);
    const people = await this.people.byIds(memberships.map(({ personId }) => personId));
    return memberships.flatMap((membership) => {
      const person = people.get(membership.personId);
      return person ? [{ person, membership }] : [];
    });
  }

  /**
   * Gives a person another role, or other actions for a client; keeps them from acting here, at once,
   * or lets them again. What is null stays as it is.
   * @throws PersonNotFound, OwnRole, RoleExceeded, LastOwner
   */
  change(
    principal: Principal,
    personId: number,
    clientId: number | null,
    { standing, isDisabled }: { standing: LimitState | null; isDisabled: boolean | null },
  ): Promise<Member> {
    return this.alter(principal, personId, clientId, async (tx, { membership }) => {
      if (standing) assertMayGive(principal, standing);
      if (standing) membership.become(standing);
      if (isDisabled !== null) membership.disabledAt = isDisabled ? this.clock.now() : null;
      await this.memberships.in(tx).save(membership);
      return {
        action: 'person.changed',
        details: {
          ...(standing && detailsOf(standing)),
          ...(isDisabled !== null && { disabled: isDisabled }),
        },
      };
    });
  }

  /**
   * Takes a person out of the account, or away from the client, at once.
   * @throws PersonNotFound, OwnRole, RoleExceeded, LastOwner
   */
  remove(principal: Principal, personId: number, clientId: number | null): Promise<Member> {
    return this.alter(principal, personId, clientId, async (tx, { membership }) => {
      await this.memberships.in(tx).remove(membership);
      return { action: 'person.removed' };
    });
  }

  /** Changes what a person is here, under the rules that hold for each such change. */
  private alter(
    principal: Principal,
    personId: number,
    clientId: number | null,
    change: (
      tx: EntityManager,
      member: Member,
    ) => Promise<{ action: string; details?: Record<string, string | number | boolean> }>,
  ): Promise<Member> {
    const { accountId, actor } = principal;
    if (principal.clientId !== null) throw new PersonNotFound();
    if (actor.kind === 'person' && actor.id === personId) throw new OwnRole();
    return this.unitOfWork.run(async (tx) => {
      // All owners first and in one order: two who act on each other wait, and do not block each other.
      const before = clientId === null ? await this.memberships.in(tx).holdOwners(accountId) : [];
      const membership = await this.memberships.in(tx).getForUpdate(accountId, clientId, personId);
      const person = await this.people.in(tx).get(personId);
      assertMayGive(principal, standingOf(membership));
      const { action, details } = await change(tx, { person, membership });
      if (before.some(({ id }) => id === membership.id)) await this.assertOwned(tx, accountId);
      await this.audit.record(tx, actor, {
        accountId,
        action,
        target: personTarget(person),
        details: { ...(clientId !== null && { client_id: clientId }), ...details },
      });
      return { person, membership };
    });
  }

  /** @throws LastOwner */
  private async assertOwned(tx: EntityManager, accountId: number): Promise<void> {
    const owners = await this.memberships.in(tx).holdOwners(accountId);
    const people = await this.people.in(tx).byIds(owners.map(({ personId }) => personId));
    const isOwned = owners.some(
      ({ personId, disabledAt }) =>
        disabledAt === null && people.get(personId)?.disabledAt === null,
    );
    if (!isOwned) throw new LastOwner();
  }
}

/** @throws RoleExceeded when the principal may not do all that it would give or take */
export function assertMayGive(principal: Principal, standing: LimitState): void {
  const given: readonly Right[] =
    standing.clientId === null
      ? rightsOfRole(standing.role)
      : rightsOfActions(standing.actions, false);
  const lacking = given.filter((right) => !principal.has(right));
  if (lacking.length > 0) throw new RoleExceeded(lacking);
}

function standingOf({ clientId, role, actions }: Membership): LimitState {
  return clientId === null ? { clientId, role: role ?? 'viewer' } : { clientId, actions };
}
