import type { Scope } from '../../accounts/access/index.js';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { Config, formatUuid, makeUuid } from '../../platform/index.js';
import {
  changeMail,
  browserMail,
  newAddressMail,
  type SignInChange,
  invitationMail,
  signInMail,
  type SignInByMail,
} from '../../mail/messages/person-mails.js';
import { type Message, sentBy } from '../../mail/parts/message.js';
import { Mailer } from '../../mail/mailer.js';
import { MembershipsRepository } from '../members/memberships.repository.js';
import type { Person } from '../person/person.entity.js';
import { MailNotSent } from '../person/person.errors.js';
import type { SignInLink } from './sign-in-link.entity.js';

export type { SignInChange } from '../../mail/messages/person-mails.js';

/** An id that no person has, so that an unknown address takes the same queries as a known one. */
const NOBODY = 0;

/** Whom a mail is for. */
export interface Recipient {
  /** Id of the person, whose client may have a sender of its own. */
  id?: number;
  email: string;
  name: string;
}

/** Sends mails about signing in: invitations, links, and what people should know of their sign-in. */
@Injectable()
export class PeopleMailService implements OnModuleDestroy {
  private readonly logger = new Logger(PeopleMailService.name);
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly mailer: Mailer,
    private readonly memberships: MembershipsRepository,
    private readonly brands: BrandsService,
    private readonly config: Config,
  ) {}

  /** Tells whether mails are sent at all. */
  get isOn() {
    return this.mailer.isConfigured;
  }

  /** @throws MailNotSent */
  async invite(
    invitation: SignInLink,
    { accountId, name }: { accountId: number; name: string },
    inviterName: string,
    link: string,
  ) {
    const brand = await this.brands.of({ accountId, clientId: invitation.clientId });
    const by = sentBy(brand, this.config);
    const mail = invitationMail(by, invitation, brand.name ?? name, inviterName, link);
    try {
      await this.mailer.send(formatUuid(invitation.id), mail);
    } catch (error) {
      this.logger.warn('An invitation could not be mailed', { error });
      throw new MailNotSent();
    }
  }

  /** Returns the path of the page that opens invitations, which looks like the place that they lead to. */
  async invitationPath(place: Scope) {
    return `/invitation?at=${await this.brands.signInKey(place)}`;
  }

  /** Mails a person that how they sign in has changed, in the background; a failure is logged. */
  mailAboutChange(to: Recipient, change: SignInChange, at: Date, address: string) {
    const mail = changeMail(this.config.mailFrom, to, change, { at, address });
    this.sendInBackground(makeUuid(), to.id, mail, 'A mail about a change of sign-in could not be sent');
  }

  /**
   * Mails a person about a sign-in from a browser that they did not use before, in the background.
   * @param browser such as `Firefox on Windows`
   */
  mailAboutBrowser(to: Recipient, browser: string, at: Date, address: string) {
    const mail = browserMail(this.config.mailFrom, to, browser, { at, address });
    this.sendInBackground(makeUuid(), to.id, mail, 'A mail about a new browser could not be sent');
  }

  /** Mails an address the question whether a person is to sign in with it, in the background. */
  mailNewAddress(to: Recipient & { isKnown: boolean }, link: string, until: Date) {
    const mail = newAddressMail(this.config.mailFrom, to, link, until);
    this.sendInBackground(makeUuid(), to.id, mail, 'A mail to a new address could not be sent');
  }

  /**
   * Mails a person a link and a code to sign in with, in the background; a failure is logged.
   * @param person null: the mail is composed all the same and not sent, so that both take as long
   */
  mailSignIn(person: Person | null, { id }: SignInLink, content: SignInByMail) {
    const mail = signInMail(this.config.mailFrom, content);
    if (person) this.sendInBackground(id, person.id, mail, 'A sign-in mail could not be sent');
    else void this.senderFor(NOBODY).catch(() => undefined);
  }

  async onModuleDestroy() {
    await Promise.all(this.sending);
  }

  /**
   * Sends a mail without making the request wait; a failure is logged with this warning.
   * @param personId whose mail it is; undefined where nobody knows
   */
  private sendInBackground(id: Buffer, personId: number | undefined, mail: Message, warning: string) {
    const done = this.senderFor(personId)
      .then((from) => this.mailer.send(formatUuid(id), from ? { ...mail, from } : mail))
      .catch((error: unknown) => {
        this.logger.warn(warning, { error });
      })
      .then(() => {
        this.sending.delete(done);
      });
    this.sending.add(done);
  }

  /**
   * Returns under whose name we mail a person that belongs to one client alone; null for everybody else. It goes through
   * our server: who runs that of the client is not to read how its people sign in.
   */
  private async senderFor(personId: number | undefined) {
    if (personId === undefined) return null;
    const [first, ...others] = await this.memberships.listOf(personId);
    if (first?.clientId == null || others.length > 0) return null;
    const brand = await this.brands.of(first);
    return sentBy({ ...brand, sender: null }, this.config).from;
  }
}
