import { Injectable } from '@nestjs/common';
import { NotAllowedHere } from '../../accounts/access/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MembersService, type Member, PersonAudit, personTarget, maySeeAs } from '../members/members.service.js';
import { NothingToSee } from '../person/person.errors.js';
import { SignInService, type SignedIn } from './sign-in.service.js';

/** Lets owners see the pages as people of their account or of one of its clients do, without changing anything. */
@Injectable()
export class ViewsService {
  constructor(
    private readonly members: MembersService,
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly audit: PersonAudit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Begins it, for this session of the owner.
   * @param clientId null for a member of the account
   * @throws NotAllowedHere to who is no owner
   * @throws PersonNotFound, ClientNotFound, NothingToSee
   */
  async begin(signedIn: SignedIn, personId: number, clientId: number | null, address: string): Promise<Member> {
    const { session, membership, principal } = signedIn;
    if (!principal || membership?.role !== 'owner') throw new NotAllowedHere();
    const seen = await this.members.show(principal, personId, clientId);
    if (!maySeeAs(membership, seen)) throw new NothingToSee();
    await this.unitOfWork.run(async (tx) => {
      await this.sessions.beginView(tx, session, seen.membership.id);
      await this.audit.record(tx, signedIn, address, {
        action: 'person.view_begun',
        target: personTarget(seen.person),
        details: { ...(clientId !== null && { client_id: clientId }) },
      });
    });
    return seen;
  }

  /** Ends it; does nothing when there is no view. */
  async end(signedIn: SignedIn, address: string) {
    const { view } = signedIn;
    if (view) await this.unitOfWork.run((tx) => this.signIns.endView(tx, signedIn, view, address));
  }
}
