import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { factorsMail } from '../mail/factors-mail.js';
import { invitationMail } from '../mail/invitation-mail.js';
import { Mailer } from '../mail/mailer.js';
import type { Person } from './person.entity.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import { MailNotSent } from './person.errors.js';
import type { SignInLink } from './sign-in-link.entity.js';

/** Sends the mails that people sign in by. */
@Injectable()
export class PostService implements OnModuleDestroy {
  private readonly logger = new Logger(PostService.name);
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** @throws MailNotSent */
  async invite(
    invitation: SignInLink,
    accountName: string,
    inviterName: string,
    link: string,
  ): Promise<void> {
    const mail = invitationMail(this.config.mailFrom, invitation, accountName, inviterName, link);
    try {
      await this.mailer.send(formatUuid(invitation.id), mail);
    } catch (error) {
      this.logger.warn('An invitation could not be mailed', { error });
      throw new MailNotSent();
    }
  }

  /** Tells a person that the ways to sign in have changed. Nobody waits for it or is refused by it. */
  tellOfChange(person: Person, at: Date, address: string): void {
    const mail = factorsMail(this.config.mailFrom, person, at, address);
    const done = this.mailer
      .send(formatUuid(makeUuid()), mail)
      .catch((error: unknown) => {
        this.logger.warn('A change of factors could not be told by mail', { error });
      })
      .then(() => {
        this.sending.delete(done);
      });
    this.sending.add(done);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.sending);
  }
}
