import { Injectable } from '@nestjs/common';
import { PublicAddresses, type HostHolder } from '../../hosts/public-addresses.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SessionsService, type BegunSession } from '../../sessions/sessions.service.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import { SignInRefused } from '../person/person.errors.js';

/**
 * Says who may be signed in under the host of a client: people who belong to that client alone. The host may lead
 * elsewhere one day, with the cookies that browsers send to it.
 */
@Injectable()
export class HostAdmission {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly sessions: SessionsService,
    private readonly addresses: PublicAddresses,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the address that a link for a person leads to: the client's host where it was asked for, if the person
   * belongs to that client alone. Who has a host can read what links to it carry.
   */
  async addressFor(personId: number, at: HostHolder | null): Promise<string> {
    const isTheirs = at !== null && (await this.admits(personId, at.clientId));
    return this.addresses.ofClient(isTheirs ? at.clientId : null);
  }

  async admits(personId: number, clientId: number): Promise<boolean> {
    const memberships = await this.memberships.listOf(personId);
    return memberships.length > 0 && memberships.every((each) => each.clientId === clientId);
  }

  /** Ends a session that has just begun where its person may not be signed in. @throws SignInRefused */
  async admit(clientId: number, { session: { personId, id } }: BegunSession): Promise<void> {
    if (await this.admits(personId, clientId)) return;
    await this.unitOfWork.run((tx) => this.sessions.end(tx, personId, id));
    throw new SignInRefused();
  }
}
