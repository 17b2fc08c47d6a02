import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/index.js';
import { SignInLink } from './sign-in-link.entity.js';

/** Reads and writes links that sign in or invite. */
@Injectable()
export class SignInLinksRepository extends TransactionalRepository {
  private readonly links = this.rowsOf(SignInLink);

  async insert(link: SignInLink) {
    await this.links.save(link);
  }

  findByDigest(digest: Buffer): Promise<SignInLink | null> {
    return this.links.findOneBy({ digest });
  }

  findForSignIn(id: Buffer): Promise<SignInLink | null> {
    return this.links.findOneBy({ id, kind: 'sign_in' });
  }

  /** Invitations of an account, newest first. */
  listInvitations(accountId: number): Promise<SignInLink[]> {
    return this.links.find({ where: { accountId, kind: 'invitation' }, order: { id: 'DESC' } });
  }

  /** Returns the invitations for an address into any account, newest first. */
  listInvitationsFor(email: string): Promise<SignInLink[]> {
    return this.links
      .createQueryBuilder('link')
      .where('link.kind = :kind AND LOWER(link.email) = :email', { kind: 'invitation', email: email.toLowerCase() })
      .orderBy('link.id', 'DESC')
      .getMany();
  }

  /** Removes the link. Of two calls at once, one gets true. */
  async claim(id: Buffer) {
    const { affected } = await this.links.delete({ id });
    return affected === 1;
  }

  findInvitation(accountId: number, id: Buffer): Promise<SignInLink | null> {
    return this.links.findOneBy({ accountId, id, kind: 'invitation' });
  }
}
