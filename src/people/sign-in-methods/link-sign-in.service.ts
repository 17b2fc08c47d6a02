import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { HostAdmission, SignInTries, SignInService } from '../sign-in/sign-in.service.js';
import type { HostHolder } from '../../clients/hosts/hosts.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { hashSecret, mintSecret, SigningService } from '../../platform/index.js';
import type { Device } from '../sessions/session.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { FirstProofs } from './proofs.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { LinkCodeWrong, LinkOver, MailMissing } from '../person/person.errors.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import { SignInLink } from '../links/sign-in-link.entity.js';
import { SignInLinksRepository } from '../links/sign-in-links.repository.js';
import { readTicket, writeTicket, type Ticket } from './first-ways.js';

const PREFIX = 'fcs_link_';

/** Life of link and code in milliseconds (OWASP ASVS 5, 6.5.5). */
const TTL_MINUTES = 10;

const LINK_TTL_MS = TTL_MINUTES * 60 * 1_000;

/** 32 digits and capitals that look different: five bits each. */
const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const CODE_LENGTH = 6;

const NOBODY = 0;

/** Purposes of signatures and derived bytes. */
const TICKET = 'sign-in ticket';

const CODE = 'sign-in code';

/** A request to sign in by mail that is still open, and the browser's ticket for it. */
export interface OpenLink {
  link: SignInLink;
  ticket: Ticket;
}

/**
 * Signs people in who read the mail to their address. A mail has a link and a code; both work once, and
 * only together with the ticket that the browser got which asked. Opening the link changes nothing, so
 * that programs which look into mails use nothing up.
 */
@Injectable()
export class LinkSignInService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly proofs: FirstProofs,
    private readonly people: PeopleRepository,
    private readonly signIns: SignInService,
    private readonly signing: SigningService,
    private readonly mails: PeopleMailService,
    private readonly admission: HostAdmission,
    private readonly tries: SignInTries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether mails are sent at all. */
  get isOffered() {
    return this.mails.isOn;
  }

  /**
   * Mails a link and a code to a person. An unknown address and a disabled person get the same answer
   * after the same work, and no mail.
   * @param next path of this service to continue at
   * @param at the client under whose host it was asked for
   * @returns the ticket for the browser that asked, and how long it is good for in milliseconds
   * @throws MailMissing without a mail server
   * @throws RateLimited when there were too many such requests lately
   */
  async ask(
    email: string,
    device: Device,
    next: string,
    at: HostHolder | null,
  ): Promise<{ ticket: string; maxAgeMs: number }> {
    if (!this.isOffered) throw new MailMissing();
    const found = await this.people.findByEmail(email);
    await this.tries.admit('sign-in-link', found, email, device.address);
    const person = found?.isDisabled === false ? found : null;
    const now = this.unitOfWork.now();
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS);
    const secret = mintSecret(PREFIX);
    const request = SignInLink.forSignIn(email, secret, now, expiresAt);
    const code = await this.codeOf(request);
    await this.tries.record(found, device.address, { action: 'person.link_asked' }, (tx) =>
      this.links.in(tx).insert(request),
    );
    const link = `${await this.admission.addressFor(found?.id ?? NOBODY, at)}/sign-in/link#${secret}`;
    const { address, isShared } = device;
    this.mails.mailSignIn(person, request, { email, link, code, minutes: TTL_MINUTES, address });
    const payload = writeTicket({ requestId: request.id, isShared, next });
    return { ticket: await this.signing.sign(TICKET, payload, expiresAt), maxAgeMs: LINK_TTL_MS };
  }

  /** Returns the open request of a ticket; null when it is used, expired, or no ticket of ours. */
  async open(text: string | null): Promise<OpenLink | null> {
    if (text === null) return null;
    const now = this.unitOfWork.now();
    const payload = await this.signing.verify(TICKET, text, now);
    const ticket = payload && readTicket(payload);
    const link = ticket && (await this.links.findForSignIn(ticket.requestId));
    return link && link.expiresAt > now ? { link, ticket } : null;
  }

  /**
   * Signs in by the code of a mail, or by what its link has behind the `#`. The first time ends what signed in
   * as the person before.
   * @returns a session that opens nothing yet when the person has a second factor to show
   * @throws LinkOver without the ticket of an open request
   * @throws LinkCodeWrong
   * @throws RateLimited after too many tries for one request
   */
  async use(text: string | null, typed: string, device: Device): Promise<BegunSession> {
    const open = await this.open(text);
    if (!open) throw new LinkOver();
    const { link, ticket } = open;
    this.tries.admitCode(link.id);
    const person = await this.people.findByEmail(link.email);
    const fits = await this.fits(link, typed.trim());
    if (!person || !fits || person.isDisabled) {
      await this.tries.record(person, device.address, { action: 'person.link_refused' });
      throw new LinkCodeWrong();
    }
    const { proved, begun } = await this.unitOfWork.run(async (tx) => {
      if (!(await this.links.in(tx).claim(link.id))) throw new LinkOver();
      const proved = await this.proofs.take(tx, person.id, device.address);
      if (proved.person.isDisabled) throw new LinkCodeWrong();
      const from = { ...device, isShared: ticket.isShared };
      return { proved, begun: await this.signIns.admit(tx, proved.person, 'link', from) };
    });
    if (proved.isBegunAnew) this.proofs.tell(proved.person, device.address);
    return begun;
  }

  private async fits(link: SignInLink, typed: string) {
    if (typed.startsWith(PREFIX)) return timingSafeEqual(hashSecret(typed), link.digest);
    const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '');
    return timingSafeEqual(hashSecret(plain), hashSecret(await this.codeOf(link)));
  }

  /** Derives the code of a request from its id and the signing key; it is stored nowhere. */
  private async codeOf({ id }: SignInLink) {
    const bytes = await this.signing.derive(CODE, id);
    const digits = Array.from(bytes.subarray(0, CODE_LENGTH));
    return digits.map((byte) => CODE_ALPHABET.charAt(byte % CODE_ALPHABET.length)).join('');
  }
}
