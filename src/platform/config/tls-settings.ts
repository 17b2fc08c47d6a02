import {
  IsEmail,
  IsNotEmpty,
  IsOptional,
  Matches,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { Setting, WholeNumber } from './setting.decorator.js';
import { parseSecureUrl } from '../kernel/text/parse-url.js';

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';
/** Port on which an authority looks for its challenges (RFC 8555, section 8.3). */
const CHALLENGE_PORT = 80;
/** A name of at least two labels, of which the last is no number. */
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Holds whether the service serves TLS itself, and with which certificate. */
export class TlsSettings {
  /** PEM file of the certificate with its chain. */
  @Setting('TLS_CERT')
  @IsOptional()
  @Needs('keyFile', 'TLS_KEY, the PEM file of its private key')
  @NamesFile()
  readonly certFile?: string;

  /** PEM file of the certificate's private key. */
  @Setting('TLS_KEY')
  @IsOptional()
  @Needs('certFile', 'TLS_CERT, the PEM file of its certificate')
  @NamesFile()
  readonly keyFile?: string;

  @Setting('ACME_DOMAIN')
  @IsOptional()
  @ValidateBy({
    name: 'acme_domain',
    validator: {
      validate: (value) =>
        typeof value === 'string' && listed(value).every((name) => DOMAIN.test(name)),
      defaultMessage: () =>
        'must be public host names separated by commas, such as forms.example.com; an IP address, localhost or a wildcard gets no certificate this way',
    },
  })
  @ValidateBy({
    name: 'one_certificate',
    validator: {
      validate: (_, args) => (args?.object as TlsSettings).certFile === undefined,
      defaultMessage: () =>
        'orders a certificate, and TLS_CERT names another. Remove one of the two',
    },
  })
  private readonly givenDomain?: string;

  /** Where the authority writes about the certificates. */
  @Setting('ACME_EMAIL')
  @IsOptional()
  @IsEmail({}, { message: 'must be an email address, such as owner@example.com' })
  readonly acmeEmail?: string;

  /** Directory of the authority that certificates are ordered from. */
  @Setting('ACME_DIRECTORY_URL')
  @IsNotEmpty({ message: 'must be the https address of an ACME directory' })
  @ValidateBy({
    name: 'acme_directory',
    validator: {
      validate: isDirectory,
      defaultMessage: () =>
        `must be the https address of an ACME directory, such as ${LETS_ENCRYPT}`,
    },
  })
  readonly acmeDirectoryUrl: string = LETS_ENCRYPT;

  @Setting('HTTP_PORT')
  @IsOptional()
  @WholeNumber(1, 65_535, '', CHALLENGE_PORT)
  @ValidateBy({
    name: 'beside_tls',
    validator: {
      validate: (_, args) => (args?.object as TlsSettings).isOn,
      defaultMessage: () =>
        'needs TLS_CERT or ACME_DOMAIN. Without them PORT serves plain HTTP: set PORT instead',
    },
  })
  private readonly givenHttpPort?: number;

  get isOn(): boolean {
    return this.certFile !== undefined || this.givenDomain !== undefined;
  }

  /** Names to order a certificate for, in lower case; none when it comes from files, or TLS is off. */
  get acmeDomains(): string[] {
    return this.givenDomain === undefined ? [] : listed(this.givenDomain);
  }

  /** TCP port that leads visitors from http to https, and answers the challenges of an authority. */
  get httpPort(): number | undefined {
    return this.givenHttpPort ?? (this.givenDomain === undefined ? undefined : CHALLENGE_PORT);
  }

  /** Returns a sentence for each contradiction to other settings. */
  problemsWith(port: number, baseUrl: string): string[] {
    if (!this.isOn) return [];
    const problems: string[] = [];
    if (this.httpPort === port)
      problems.push(`HTTP_PORT and PORT are both ${port}. Set PORT to 443 or another port.`);
    if (baseUrl.startsWith('http:'))
      problems.push(
        'BASE_URL must begin with https://, because PORT serves TLS with TLS_CERT or ACME_DOMAIN.',
      );
    return problems;
  }
}

/** Refuses what is in a file in place of its name: as TLS_KEY it would be in the log. */
function NamesFile(): PropertyDecorator {
  return Matches(/^(?!-----)/, { message: 'must be the path of a PEM file, and not its contents' });
}

/** Requires another setting beside this one. */
function Needs(other: keyof TlsSettings, what: string): PropertyDecorator {
  return ValidateBy({
    name: `needs_${other}`,
    validator: {
      validate: (_: unknown, args?: ValidationArguments) =>
        (args?.object as TlsSettings)[other] !== undefined,
      defaultMessage: () => `needs ${what}`,
    },
  });
}

function listed(names: string): string[] {
  return names.split(',').map((name) => name.trim().toLowerCase());
}

/** Tells whether an address may be a directory: https, or http on the same machine. */
function isDirectory(value: unknown): boolean {
  return parseSecureUrl(value) !== null;
}
