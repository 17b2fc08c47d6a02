import { IsOptional, ValidateBy } from 'class-validator';
import { isAcceptableSecret } from '../kernel/token-secret.js';
import { Setting } from './setting.decorator.js';
import { parseUrl } from '../kernel/text/parse-url.js';

/** Holds the ways in which bounces come in. */
export class BounceSettings {
  /** Password with which mail providers report bounces; unset: none can. */
  @Setting('BOUNCE_TOKEN')
  @IsOptional()
  @ValidateBy({
    name: 'bounce_token',
    validator: {
      validate: (value) => typeof value === 'string' && isAcceptableSecret(value),
      defaultMessage: () =>
        'must have 24 to 255 characters from A-Z a-z 0-9 - . _ ~ + / with = only at the end',
    },
  })
  readonly token?: string;

  /** Mailbox that bounces go to; unset: none is read. */
  @Setting('BOUNCE_IMAP_URL')
  @IsOptional()
  @ValidateBy({
    name: 'bounce_imap_url',
    validator: {
      validate: (value) => typeof value === 'string' && parseImapUrl(value) !== null,
      defaultMessage: () =>
        'must look like imaps://user:password@host:993/INBOX, user and password percent-encoded; imap:// uses STARTTLS',
    },
  })
  private readonly imapUrl?: string;

  /** Returns the mailbox that bounces go to; null when none is read. */
  get mailbox(): ImapMailbox | null {
    return this.imapUrl === undefined ? null : parseImapUrl(this.imapUrl);
  }
}

/** A mailbox on a server. */
export interface ImapMailbox {
  host: string;
  port: number;
  /** TLS from the first byte; else STARTTLS. */
  secure: boolean;
  user: string;
  password: string;
  folder: string;
}

function parseImapUrl(text: string): ImapMailbox | null {
  const url = parseUrl(text);
  if (!url) return null;
  const { protocol, hostname, port, username, password, pathname } = url;
  if (!/^imaps?:$/.test(protocol) || hostname === '' || username === '') return null;
  const secure = protocol === 'imaps:';
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 993 : 143) : Number(port),
      secure,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
    };
  } catch {
    return null;
  }
}
