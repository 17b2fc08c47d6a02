import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { parseMailbox, type Mailbox } from './mailbox.js';
import { Setting, WholeNumber } from './setting.decorator.js';
import { parseUrl } from '../kernel/text/parse-url.js';

/** Holds how mails are sent, in whose name, and how many. */
export class MailSettings {
  /** The mail server; unset: mails are written to files. */
  @Setting('SMTP_URL')
  @IsOptional()
  @ValidateBy({
    name: 'smtp_url',
    validator: {
      validate: isSmtpUrl,
      defaultMessage: () =>
        'must look like smtp://user:password@host:587 or smtps://user:password@host:465, user and password percent-encoded',
    },
  })
  readonly smtpUrl?: string;

  @Setting('MAIL_FROM')
  @IsOptional()
  @ValidateBy({
    name: 'mail_from',
    validator: {
      validate: (value) => typeof value === 'string' && parseMailbox(value) !== null,
      defaultMessage: () =>
        'must be an address, such as forms@example.com or Forms <forms@example.com>',
    },
  })
  private readonly givenFrom?: string;

  @Setting('MAIL_FROM_DOMAINS')
  @Matches(/^\s*[\w.-]+(\s*,\s*[\w.-]+)*\s*$|^$/, {
    message: 'must be domains separated by commas, such as example.com,example.org',
  })
  private readonly givenFromDomains: string = '';

  /** Name of the DKIM key that mails are signed with; unset: doctor tries the usual ones. */
  @Setting('DKIM_SELECTOR')
  @IsOptional()
  @Matches(/^[a-z\d](?:[\w.-]{0,62}[a-z\d])?$/i, {
    message: 'must be the selector of the DKIM key, such as s1',
  })
  readonly dkimSelector?: string;

  /** Most mails a day to one visitor's address, over all forms. */
  @Setting('MAIL_CAP_PER_RECIPIENT_DAY')
  @WholeNumber(1, 100_000, 'mails', 5)
  readonly capPerRecipientDay: number = 5;

  /** Most mails an hour to one recipient; further owner mails come in one digest. */
  @Setting('MAIL_CAP_PER_RECIPIENT_HOUR')
  @WholeNumber(1, 100_000, 'mails', 60)
  readonly capPerRecipientHour: number = 60;

  /** Most mails an hour to visitors of one form. */
  @Setting('MAIL_CAP_PER_FORM_HOUR')
  @WholeNumber(1, 1_000_000, 'mails', 100)
  readonly capPerFormHour: number = 100;

  /** Which recipients of owner mails must confirm first: those that clients enter, all, or none. */
  @Setting('CONFIRM_RECIPIENTS')
  @IsIn(['clients', 'all', 'off'], { message: 'must be clients, all or off' })
  readonly confirmRecipients: 'clients' | 'all' | 'off' = 'clients';

  /** Returns the sender of all mails, if MAIL_FROM names one. */
  get from(): Mailbox | null {
    return this.givenFrom === undefined ? null : parseMailbox(this.givenFrom);
  }

  /** Returns further domains that the From header may have, in lower case. */
  get fromDomains(): string[] {
    const domains = this.givenFromDomains.split(',').map((domain) => domain.trim());
    return domains.filter((domain) => domain !== '').map((domain) => domain.toLowerCase());
  }
}

function isSmtpUrl(value: unknown): boolean {
  const url = parseUrl(value);
  if (!url) return false;
  const { protocol, hostname, username, password } = url;
  const readable = isPercentEncoded(username) && isPercentEncoded(password);
  return /^smtps?:$/.test(protocol) && hostname !== '' && readable;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
