import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { parseMailbox, type Mailbox } from './mailbox.js';
import { parseNetworks, type Network } from './networks.js';
import { Setting, WholeNumber } from './setting.decorator.js';
import { SubmissionSettings } from './submission-settings.js';

/** Holds the settings of deliveries. */
export abstract class DeliverySettings extends SubmissionSettings {
  abstract get baseUrl(): string;

  /**
   * Which process sends deliveries and does the upkeep: `on` this process beside its requests, `off` others,
   * `only` this process, which then listens to no requests.
   */
  @Setting('WORKERS')
  @IsIn(['on', 'off', 'only'], { message: 'must be on, off or only' })
  readonly workers: 'on' | 'off' | 'only' = 'on';

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
  private readonly givenMailFrom?: string;

  @Setting('MAIL_FROM_DOMAINS')
  @Matches(/^\s*[\w.-]+(\s*,\s*[\w.-]+)*\s*$|^$/, {
    message: 'must be domains separated by commas, such as example.com,example.org',
  })
  private readonly givenMailFromDomains: string = '';

  /** Most mails a day to one visitor's address, over all forms. */
  @Setting('MAIL_CAP_PER_RECIPIENT_DAY')
  @WholeNumber(1, 100_000, 'mails', 5)
  readonly mailCapPerRecipientDay: number = 5;

  /** Most mails an hour to one recipient; further owner mails come in one digest. */
  @Setting('MAIL_CAP_PER_RECIPIENT_HOUR')
  @WholeNumber(1, 100_000, 'mails', 60)
  readonly mailCapPerRecipientHour: number = 60;

  /** Most mails an hour to visitors of one form. */
  @Setting('MAIL_CAP_PER_FORM_HOUR')
  @WholeNumber(1, 1_000_000, 'mails', 100)
  readonly mailCapPerFormHour: number = 100;

  /** Which recipients of owner mails must confirm first: those that clients enter, all, or none. */
  @Setting('CONFIRM_RECIPIENTS')
  @IsIn(['clients', 'all', 'off'], { message: 'must be clients, all or off' })
  readonly confirmRecipients: 'clients' | 'all' | 'off' = 'clients';

  @Setting('WEBHOOK_ALLOWED_NETWORKS')
  @ValidateBy({
    name: 'networks',
    validator: {
      validate: (value) => typeof value === 'string' && parseNetworks(value) !== null,
      defaultMessage: () => 'must be CIDR blocks separated by commas, such as 10.0.0.0/8,fd00::/8',
    },
  })
  private readonly givenWebhookAllowedNetworks: string = '';

  /** How long delivered deliveries and their attempts are kept, in days. */
  @Setting('DELIVERY_LOG_DAYS')
  @WholeNumber(1, 3_650, 'days', 30)
  readonly deliveryLogDays: number = 30;

  /** Returns the sender of all mails: MAIL_FROM, else an address on the host of BASE_URL. */
  get mailFrom(): Mailbox {
    const given = this.givenMailFrom === undefined ? null : parseMailbox(this.givenMailFrom);
    const { hostname } = new URL(this.baseUrl);
    return given ?? { name: 'Form Collection Service', address: `no-reply@${hostname}` };
  }

  /** Returns further domains that the From header may have, in lower case. */
  get mailFromDomains(): string[] {
    const domains = this.givenMailFromDomains.split(',').map((domain) => domain.trim());
    return domains.filter((domain) => domain !== '').map((domain) => domain.toLowerCase());
  }

  /** Returns networks that webhooks may call although they are not public. */
  get webhookAllowedNetworks(): Network[] {
    return parseNetworks(this.givenWebhookAllowedNetworks) ?? [];
  }
}

function isSmtpUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
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
