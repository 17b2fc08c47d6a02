import { Injectable } from '@nestjs/common';
import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import { senderDomains } from '../evidence/sender-addresses.js';
import { emailDomain } from '../signals/email-domain.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import type { FormRules, FoundPart, SlowSignal } from '../evidence/spam-signal.js';
import { MailDomains } from './mail-domains.service.js';

/** Fields that hold the visitor's address. */
const ADDRESS_FIELD = /^(?:e-?mail|_replyto)$/i;

/** Says that what stands in the field of an address is none, or that its domain takes no mail. */
@Injectable()
export class EmailDomainSignal implements SlowSignal {
  readonly name = emailDomain.name;
  readonly points = emailDomain.points;
  readonly enabled = emailDomain.enabled;

  constructor(private readonly domains: MailDomains) {}

  readonly look = async (
    { fields }: SpamEvidence,
    settings: FormRules,
  ): Promise<FoundPart | null> => {
    const wrong = fields.find(
      ({ name, text }) =>
        ADDRESS_FIELD.test(name) && text.trim() !== '' && typedAddress(text) === null,
    );
    if (wrong) {
      return settings.part(
        this.name,
        `The field "${wrong.name}" does not contain a valid email address.`,
      );
    }
    for (const domain of senderDomains(fields)) {
      if ((await this.domains.takesMail(domain)) === false) {
        return settings.part(this.name, `${domain} does not accept email.`);
      }
    }
    return null;
  };
}
