import { Injectable } from '@nestjs/common';
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
    private readonly unitOfWork: UnitOfWork,
  ) {}

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
