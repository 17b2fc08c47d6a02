import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Parsed, Required, Text } from '../../platform/kernel/validation.js';

/** Longer than any link that the service makes. */
const LINK_MAX = 1_000;

export class NewEmailDto {
  /** What you want to sign in with. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;
}

export class EmailLinkDto {
  /** What is behind the `#` of the link in the mail. */
  @Text({ min: 1, max: LINK_MAX, trim: true })
  @Required()
  link: string;
}
