import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { Setting } from './setting.decorator.js';
import { parseWebUrl } from '../kernel/text/parse-url.js';

/** Holds where other spam filters are that forms may ask. Without them there are none. */
export class SpamFilterSettings {
  /** The worker of an rspamd that takes messages to check. */
  @Setting('RSPAMD_URL')
  @IsOptional()
  @ValidateBy({
    name: 'rspamd_url',
    validator: {
      validate: isAddress,
      defaultMessage: () => 'must be an http or https address, such as http://127.0.0.1:11333',
    },
  })
  private readonly givenRspamdUrl?: string;

  /** The key that Akismet gave for this service. */
  @Setting('AKISMET_KEY')
  @IsOptional()
  @Matches(/^[A-Za-z0-9]{6,64}$/, {
    message: 'must be your Akismet API key, such as 12ab3456cd78',
  })
  readonly akismetKey?: string;

  /** Where Akismet is. */
  @Setting('AKISMET_URL')
  @ValidateBy({
    name: 'akismet_url',
    validator: {
      validate: isAddress,
      defaultMessage: () => 'must be an http or https address, such as https://rest.akismet.com',
    },
  })
  private readonly givenAkismetUrl: string = 'https://rest.akismet.com';

  /** Without a trailing slash. */
  get rspamdUrl(): string | undefined {
    return this.givenRspamdUrl?.replace(/\/$/, '');
  }

  /** Without a trailing slash. */
  get akismetUrl(): string {
    return this.givenAkismetUrl.replace(/\/$/, '');
  }
}

function isAddress(value: unknown): boolean {
  const url = parseWebUrl(value);
  return url !== null && url.search + url.hash + url.username + url.password === '';
}
