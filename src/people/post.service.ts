import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { invitationMail } from '../mail/invitation-mail.js';
import { Mailer } from '../mail/mailer.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { MailNotSent } from './person.errors.js';
import type { SignInLink } from './sign-in-link.entity.js';

/** Sends the mails that people sign in by. */
@Injectable()
export class PostService {
  private readonly logger = new Logger(PostService.name);

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
}
