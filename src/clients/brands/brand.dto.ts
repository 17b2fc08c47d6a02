import { asked, given, wrapped } from '../../platform/http/index.js';
import {
  parseColour,
  parseEmailAddress,
  Optional,
  Parsed,
  Text,
  parseMailbox,
  type Mailbox,
} from '../../platform/index.js';
import type { Brand, BrandChanges, ClientBrandChanges, SenderChanges } from './brands.service.js';
import { CLIENT_BRAND_NAME_MAX, type ClientSender } from './model/brand.entity.js';
import { parseSmtpUrl } from './model/smtp-address.js';

const COLOUR_RULE = 'must be a color such as #0a7d6b or teal';

/** Returns base64 without blanks, or null for what is none. */
function parseBase64(value: unknown) {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  return value.length % 4 === 0 ? value : null;
}

/** Changes to the branding of the account. Absent fields stay as they are. */
class BrandChangesDto {
  /** Colour of buttons and links, made readable where it is not; null takes ours. */
  @Parsed('not_a_colour', parseColour, COLOUR_RULE)
  @Optional({ nullable: true })
  colour?: string | null;

  /** Where answers to mails to visitors go, unless a form says so itself; null clears it. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as hello@example.com')
  @Optional({ nullable: true })
  reply_to?: string | null;

  /** A PNG, JPEG or WebP of at most 100 kB, in base64; null removes it. */
  @Parsed('not_base64', parseBase64, 'must be the bytes of a picture in base64')
  @Optional({ nullable: true })
  logo?: string | null;
}

export class ChangeBrandDto extends asked('brand', BrandChangesDto) {
  static changes({ brand }: ChangeBrandDto): BrandChanges {
    return changesIn(brand);
  }
}

/** Changes to the branding of a client. Absent fields stay as they are; null takes what the account has. */
class ClientBrandChangesDto extends BrandChangesDto {
  /** Name that visitors and the people of the client see, at most 255 characters. */
  @Text({ min: 1, max: CLIENT_BRAND_NAME_MAX, trim: true })
  @Optional({ nullable: true })
  name?: string | null;
}

export class ChangeClientBrandDto extends asked('brand', ClientBrandChangesDto) {
  static changes({ brand }: ChangeClientBrandDto): ClientBrandChanges {
    return changesIn(brand);
  }
}

function changesIn({ name, logo, ...rest }: ClientBrandChangesDto): ClientBrandChanges {
  return {
    ...given({ name, ...rest }),
    ...(logo !== undefined && { logo: logo === null ? null : Buffer.from(logo, 'base64') }),
  };
}

export class BrandDto {
  /** Name for visitors and clients; null while the account or the client has none of its own. */
  name: string | null;
  colour: string | null;
  reply_to: string | null;
  /** Address of the logo, which changes with it; null without one. */
  logo_url: string | null;
  /** Address of the sign-in page that looks like this; for the people of your clients. */
  sign_in_url: string;

  static of(brand: Omit<Brand, 'isOfClient' | 'sender' | 'baseUrl'>, signInPath: string, baseUrl: string): BrandDto {
    const { name, colour, replyTo, logoPath } = brand;
    const logoUrl = logoPath === null ? null : `${baseUrl}${logoPath}`;
    const signInUrl = `${baseUrl}${signInPath}`;
    return { name, colour, reply_to: replyTo, logo_url: logoUrl, sign_in_url: signInUrl };
  }
}

/** How the account, or a client, looks to its people and to visitors. */
export class BrandAnswerDto extends wrapped('brand', BrandDto) {}

/** Longest name of a sender, in characters. */
const NAME_MAX = 255;

/** Returns a sender as it is shown, or null for what is none. */
function parseSender(value: unknown) {
  const mailbox = typeof value === 'string' ? parseMailbox(value) : null;
  return mailbox && Array.from(mailbox.name).length <= NAME_MAX ? textOf(mailbox) : null;
}

function textOf({ name, address }: Mailbox) {
  return name === '' ? address : `${name} <${address}>`;
}

/** Changes to the sender of a client. Absent fields stay as they are. */
class SenderChangesDto {
  /** Sender of mails to visitors, owners and people of the client; null takes ours, and removes the mail server. */
  @Parsed('not_a_sender', parseSender, 'must be a sender such as Forms of Acme <forms@acme.example>')
  @Optional({ nullable: true })
  from?: string | null;

  /** Mail server that these mails go through, with user and password: stored sealed, and never shown again. Null removes it. */
  @Parsed(
    'not_an_smtp_url',
    parseSmtpUrl,
    'must be the address of a mail server on port 25, 465, 587 or 2525, such as smtps://user:password@mail.example.com:465',
  )
  @Optional({ nullable: true })
  smtp_url?: string | null;
}

export class ChangeSenderDto extends asked('sender', SenderChangesDto) {
  static changes({ sender: { from, smtp_url: smtpUrl } }: ChangeSenderDto): SenderChanges {
    return {
      ...(from !== undefined && { from: from === null ? null : parseMailbox(from) }),
      ...(smtpUrl !== undefined && { smtpUrl }),
    };
  }
}

export class SenderDto {
  /** Null while mails come from the service. */
  from: string | null;
  /** Whether a mail server of the client is set. */
  has_smtp: boolean;
  /** Its host; null without one. */
  smtp_host: string | null;

  static of(sender: ClientSender | null): SenderDto {
    const host = sender?.server?.host ?? null;
    return { from: sender && textOf(sender.from), has_smtp: host !== null, smtp_host: host };
  }
}

/** Whom the mails for a client come from. */
export class SenderAnswerDto extends wrapped('sender', SenderDto) {}
