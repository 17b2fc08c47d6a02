import { IsNotEmpty, IsOptional, Matches, MaxLength, ValidateBy } from 'class-validator';
import { Setting } from './setting.decorator.js';
import { parseSecureUrl } from '../kernel/text/parse-url.js';

/** Holds the settings of signing in through an OpenID Connect provider. Without an issuer there is none. */
export class OidcSettings {
  /** The provider's issuer identifier, under which it publishes its configuration. */
  @Setting('OIDC_ISSUER')
  @IsOptional()
  @ValidateBy({
    name: 'oidc_issuer',
    validator: {
      validate: isIssuer,
      defaultMessage: () =>
        'must be the https issuer address of the provider, such as https://accounts.example.com',
    },
  })
  @ValidateBy({
    name: 'oidc_client',
    validator: {
      validate: (_, args) => (args?.object as OidcSettings).clientId !== undefined,
      defaultMessage: () => 'needs OIDC_CLIENT_ID, which the provider gives to each service',
    },
  })
  readonly issuer?: string;

  /** Client id at the provider. */
  @Setting('OIDC_CLIENT_ID')
  @IsOptional()
  @IsNotEmpty({ message: 'must be the client id from the provider' })
  readonly clientId?: string;

  /** Client secret at the provider; none for a public client, which PKCE protects alone. */
  @Setting('OIDC_CLIENT_SECRET')
  @IsOptional()
  readonly clientSecret?: string;

  @Setting('OIDC_ALLOWED_DOMAINS')
  @Matches(/^\s*[\w.-]+(\s*,\s*[\w.-]+)*\s*$|^$/, {
    message: 'must be domains separated by commas, such as example.com,example.org',
  })
  private readonly givenAllowedDomains: string = '';

  /** Name of the provider on the sign-in button. */
  @Setting('OIDC_NAME')
  @MaxLength(50, { message: 'must not be longer than 50 characters' })
  readonly name: string = 'single sign-on';

  /** Domains of the addresses that may come in through the provider, in lower case; none: all. */
  get allowedDomains(): string[] {
    const domains = this.givenAllowedDomains.split(',').map((domain) => domain.trim());
    return domains.filter((domain) => domain !== '').map((domain) => domain.toLowerCase());
  }
}

/** Tells whether an address may be an issuer: https, or http on the same machine, where secrets cross no network. */
function isIssuer(value: unknown): boolean {
  const url = parseSecureUrl(value);
  return url !== null && url.search + url.hash + url.username + url.password === '';
}
