import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Parsed, Required, Text } from '../../platform/kernel/validation.js';

/** Longer than any link that the service makes. */
const LINK_MAX = 1_000;

export class NewEmailDto {
  /** New address to sign in with. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;
}

export class EmailLinkDto {
  /** The part after `#` in the link from the email. */
  @Text({ min: 1, max: LINK_MAX, trim: true })
  @Required()
  link: string;
}
