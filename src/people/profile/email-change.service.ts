import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/time/clock.js';
import { hashSecret } from '../../platform/kernel/token-secret.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SigningService } from '../../platform/signed-links/signing.service.js';
import { PeopleMailService } from '../links/people-mail.service.js';
import { PeopleRepository } from '../person/people.repository.js';
import { AddressLinkOver } from '../person/person.errors.js';
import { Person } from '../person/person.entity.js';
import { OwnChanges } from '../sign-in/own-changes.service.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';
import { DAY_MS } from '../../platform/kernel/time/durations.js';

const PURPOSE = 'new address';
/** How long the link works: mails are slow at times, and some people read theirs once a day. */
const TTL_MS = DAY_MS;
const ID_BYTES = 4;
/** Bytes of the SHA-256 of the former address in a link: once the address changes, the link is over. */
const DIGEST_BYTES = 16;

/** Changes the address that a person signs in with, once mail to the new one was read. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly changes: OwnChanges,
    private readonly signing: SigningService,
    private readonly mails: PeopleMailService,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Mails a link to the new address, which changes nothing yet. An address that somebody signs in with
   * gets none, and nobody is told; but one's own does while it is not known to be one's own.
   * @throws RateLimited when too many mails were asked for lately
   */
  async ask({ person }: SignedIn, email: string, address: string, baseUrl: string): Promise<void> {
    this.limits.admitSignInLink(address, Person.keyOf(email), false);
    const known = await this.people.findByEmail(email);
    if (known && (known.id !== person.id || known.verifiedAt !== null)) return;
    const expiresAt = new Date(this.clock.now().getTime() + TTL_MS);
    const payload = Buffer.concat([headOf(person), Buffer.from(email)]);
    const token = await this.signing.sign(PURPOSE, payload, expiresAt);
    const link = `${baseUrl}/account/email/confirm#${token}`;
    this.mails.mailNewAddress(
      { id: person.id, email, name: person.name, isKnown: known !== null },
      link,
      expiresAt,
    );
  }

  /**
   * Changes the address of who is signed in to the one that the link went to, or stores that it is theirs, and
   * ends all other sessions. A change is told to both addresses.
   * @param token what is behind the `#` of the link
   * @returns whether the address is another one now
   * @throws AddressLinkOver when it is used, too old, or another person's
   * @throws PersonEmailTaken when somebody was faster
   */
  async confirm(signedIn: SignedIn, token: string, address: string): Promise<boolean> {
    const now = this.clock.now();
    const payload = await this.signing.verify(PURPOSE, token.trim(), now);
    const made = await this.changes.make(signedIn, address, null, async (tx, person) => {
      const head = headOf(person);
      if (!payload?.subarray(0, head.length).equals(head)) throw new AddressLinkOver();
      const { email: before } = person;
      const email = payload.subarray(head.length).toString();
      const isOther = Person.keyOf(email) !== Person.keyOf(before);
      if (!isOther && person.verifiedAt !== null) throw new AddressLinkOver();
      person.change({ email });
      await this.people.in(tx).save(Object.assign(person, { verifiedAt: now }));
      const action = isOther ? 'person.email_changed' : 'person.email_proved';
      return { action, person, before, isOther };
    });
    const { person, before, isOther } = made;
    if (!isOther) return false;
    for (const email of [before, person.email]) {
      const to = { id: person.id, email, name: person.name };
      this.mails.mailAboutChange(to, 'email-changed', now, address);
    }
    return true;
  }
}

/** Returns what a link is bound to: the person, and the address that they have now. */
function headOf({ id, email }: Person): Buffer {
  const head = Buffer.alloc(ID_BYTES + DIGEST_BYTES);
  head.writeUInt32BE(id);
  hashSecret(Person.keyOf(email)).copy(head, ID_BYTES, 0, DIGEST_BYTES);
  return head;
}
