import { Injectable } from '@nestjs/common';
import { In, LessThan, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { InvitationNotFound } from './person.errors.js';
import { SignInLink } from './sign-in-link.entity.js';

/** Rows that are removed in one transaction. */
const REMOVED_AT_ONCE = 500;

/** Reads and writes links that sign in or invite. */
@Injectable()
export class SignInLinksRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): SignInLinksRepository {
    return new SignInLinksRepository({ manager: tx });
  }

  private get links(): Repository<SignInLink> {
    return this.source.manager.getRepository(SignInLink);
  }

  async insert(link: SignInLink): Promise<void> {
    await this.links.save(link);
  }

  findByDigest(digest: Buffer): Promise<SignInLink | null> {
    return this.links.findOneBy({ digest });
  }

  /** Invitations of an account, newest first. */
  listInvitations(accountId: number): Promise<SignInLink[]> {
    return this.links.find({ where: { accountId, kind: 'invitation' }, order: { id: 'DESC' } });
  }

  /** Removes the link if it is still there: of two who use it at once, one gets true. */
  async claim(id: Buffer): Promise<boolean> {
    const { affected } = await this.links.delete({ id });
    return affected === 1;
  }

  /** @throws InvitationNotFound */
  async removeInvitation(accountId: number, id: Buffer): Promise<void> {
    const { affected } = await this.links.delete({ accountId, id, kind: 'invitation' });
    if (affected === 0) throw new InvitationNotFound();
  }

  /** @returns how many links from before this moment were removed, some at a time */
  async removeExpired(now: Date): Promise<number> {
    const old = await this.links.find({
      select: { id: true },
      where: { expiresAt: LessThan(now) },
      take: REMOVED_AT_ONCE,
    });
    if (old.length > 0) await this.links.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }
}
