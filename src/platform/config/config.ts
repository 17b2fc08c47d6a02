import {
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsOptional,
  Matches,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { Resolver } from 'node:dns';
import { join, resolve } from 'node:path';
import { commaList } from '../kernel/text/comma-list.js';
import { BackupSettings } from './backup-settings.js';
import { isBaseUrl } from './base-url.js';
import { BounceSettings } from './bounce-settings.js';
import { CaptchaSettings } from './captcha-settings.js';
import { parseDatabaseUrl, type DatabaseAddress } from './database-address.js';
import { DeliverySettings } from './delivery-settings.js';
import { HttpSettings } from './http-settings.js';
import { IntakeSettings } from './intake-settings.js';
import { MailSettings } from './mail-settings.js';
import type { Mailbox } from './mailbox.js';
import { OidcSettings } from './oidc-settings.js';
import { RateLimitSettings } from './rate-limit-settings.js';
import { SecretSettings } from './secret-settings.js';
import { BearerSecret, readSettings, Setting, WholeNumber } from './setting.decorator.js';
import { SpamFilterSettings } from './spam-filter-settings.js';
import { TlsSettings } from './tls-settings.js';

/** Name of the first account until it has a name of its own. */
export const DEFAULT_ACCOUNT_NAME = 'My account';

/** When the embedded database is backed up by default, in UTC. */
const NIGHT = '03:00';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Settings are wrong. `problems` has a sentence for each, with the variable and the fix. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Holds every setting of the service, read once from the environment and checked at start.
 * docs/settings.md and `.env.example` list the same variables.
 */
export class Config {
  readonly http!: HttpSettings;
  readonly tls!: TlsSettings;
  readonly intake!: IntakeSettings;
  readonly limits!: RateLimitSettings;
  readonly mail!: MailSettings;
  readonly deliveries!: DeliverySettings;
  readonly oidc!: OidcSettings;
  readonly filters!: SpamFilterSettings;
  readonly captcha!: CaptchaSettings;
  readonly backups!: BackupSettings;
  readonly bounces!: BounceSettings;
  readonly secrets!: SecretSettings;

  /** TCP port to listen on; 0 takes a free one. */
  @Setting('PORT')
  @WholeNumber(0, 65_535, '', 3000)
  readonly port: number = 3000;

  /** Address to listen on. */
  @Setting('HOST')
  @Matches(/^[\w.:-]+$/, { message: 'must be an address such as 0.0.0.0, 127.0.0.1 or ::' })
  readonly host: string = '0.0.0.0';

  @Setting('BASE_URL')
  @IsOptional()
  @ValidateBy({
    name: 'base_url',
    validator: {
      validate: isBaseUrl,
      defaultMessage: () =>
        'must be the absolute http or https address visitors use, without a path, such as https://forms.example.com',
    },
  })
  private readonly givenBaseUrl?: string;

  @Setting('DATABASE_URL')
  @IsOptional()
  @ValidateBy({
    name: 'database_url',
    validator: {
      validate: (value) => typeof value === 'string' && parseDatabaseUrl(value) !== null,
      defaultMessage: () =>
        'must look like mysql://user:password@host:3306/name, with ?ssl=true for TLS; leave it out for the embedded database',
    },
  })
  private readonly databaseUrl?: string;

  /** Most connections to a database server. */
  @Setting('DATABASE_POOL_SIZE')
  @WholeNumber(2, 500, 'connections', 10)
  readonly databasePoolSize: number = 10;

  @Setting('DATA_DIR')
  @IsNotEmpty({ message: 'must name a folder, such as ./data' })
  private readonly givenDataDir: string = './data';

  /** Whether pending migrations are run at start. */
  @Setting('MIGRATE')
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  readonly migrate: 'on' | 'off' = 'on';

  /** Whether to start on tables that a newer version has migrated. */
  @Setting('NEWER_DATABASE')
  @IsIn(['refuse', 'allow'], { message: 'must be refuse or allow' })
  readonly newerDatabase: 'refuse' | 'allow' = 'refuse';

  /** The token the first account gets instead of a random one; ignored once an account exists. */
  @Setting('BOOTSTRAP_TOKEN')
  @IsOptional()
  @BearerSecret('; one that starts with fcs_ must be a complete token of this service')
  readonly bootstrapToken?: string;

  /** Name of the first account. */
  @Setting('ACCOUNT_NAME')
  @MaxLength(255, { message: 'must not be longer than 255 characters' })
  readonly accountName: string = DEFAULT_ACCOUNT_NAME;

  /** Where owner mails go by default: the address of the first account. */
  @Setting('ACCOUNT_EMAIL')
  @IsOptional()
  @IsEmail({}, { message: 'must be an email address, such as owner@example.com' })
  readonly accountEmail?: string;

  @Setting('DNS_SERVERS')
  @ValidateBy({
    name: 'dns_servers',
    validator: {
      validate: (value) => typeof value === 'string' && areDnsServers(value),
      defaultMessage: () =>
        'must be IP addresses of DNS servers separated by commas, such as 9.9.9.9,192.0.2.53:5353',
    },
  })
  private readonly givenDnsServers: string = '';

  /** How long entries of the audit log are kept, in days. */
  @Setting('AUDIT_LOG_DAYS')
  @WholeNumber(1, 3_650, 'days', 365)
  readonly auditLogDays: number = 365;

  /** How long submissions stay in the trash, in days; 0: until somebody erases them. */
  @Setting('TRASH_DAYS')
  @WholeNumber(0, 3_650, 'days', 30)
  readonly trashDays: number = 30;

  /** Lowest level that is logged. */
  @Setting('LOG_LEVEL')
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  readonly logLevel: string = 'info';

  /** TCP port that serves metrics and nothing else; unset: none. */
  @Setting('METRICS_PORT')
  @IsOptional()
  @WholeNumber(1, 65_535, '', 9464)
  readonly metricsPort?: number;

  /** Bearer token for reading metrics; without METRICS_PORT metrics need one. */
  @Setting('METRICS_TOKEN')
  @IsOptional()
  @BearerSecret()
  readonly metricsToken?: string;

  /** Returns the address that visitors and API users call, without a trailing slash. */
  get baseUrl(): string {
    const { isOn, acmeDomains } = this.tls;
    const own = acmeDomains[0] ?? `localhost:${this.port}`;
    return (this.givenBaseUrl ?? `http${isOn ? 's' : ''}://${own}`).replace(/(?<!\/)\/+$/, '');
  }

  /** Returns the sender of all mails: MAIL_FROM, else an address on the host of BASE_URL. */
  get mailFrom(): Mailbox {
    const { hostname } = new URL(this.baseUrl);
    return this.mail.from ?? { name: 'Form Collection Service', address: `no-reply@${hostname}` };
  }

  /** Returns the DNS servers that are asked about mail domains; none: those of this machine. */
  get dnsServers(): string[] {
    return commaList(this.givenDnsServers);
  }

  /** Returns the absolute path of the folder for everything on disk. */
  get dataDir(): string {
    return resolve(this.givenDataDir);
  }

  /** Returns where the database is: the server of DATABASE_URL, else a file in DATA_DIR. */
  get database(): DatabaseAddress {
    const server = this.databaseUrl === undefined ? null : parseDatabaseUrl(this.databaseUrl);
    return server ?? { kind: 'embedded', file: join(this.dataDir, 'database.sqlite') };
  }

  /** Returns the absolute path of the folder for backups. */
  get backupDir(): string {
    return resolve(this.backups.givenDir ?? join(this.dataDir, 'backups'));
  }

  /** Returns the times of the day of backups, as `HH:MM` in UTC; none if they are off. */
  get backupTimes(): string[] {
    const nightly = this.database.kind === 'embedded' ? NIGHT : 'off';
    const schedule = this.backups.schedule ?? nightly;
    return schedule === 'off' ? [] : schedule.split(',').map((time) => time.trim());
  }

  /**
   * Reads and checks the settings.
   * @throws ConfigError with all problems at once
   */
  static from(environment: Record<string, string | undefined>): Config {
    const problems: string[] = [];
    const config = readSettings(Config, environment, problems);
    Object.assign(config, {
      http: readSettings(HttpSettings, environment, problems),
      tls: readSettings(TlsSettings, environment, problems),
      intake: readSettings(IntakeSettings, environment, problems),
      limits: readSettings(RateLimitSettings, environment, problems),
      mail: readSettings(MailSettings, environment, problems),
      deliveries: readSettings(DeliverySettings, environment, problems),
      oidc: readSettings(OidcSettings, environment, problems),
      filters: readSettings(SpamFilterSettings, environment, problems),
      captcha: readSettings(CaptchaSettings, environment, problems),
      backups: readSettings(BackupSettings, environment, problems),
      bounces: readSettings(BounceSettings, environment, problems),
      secrets: readSettings(SecretSettings, environment, problems),
    });
    problems.push(...config.tls.problemsWith(config.port, config.baseUrl));
    if (problems.length > 0) throw new ConfigError(problems);
    return config;
  }
}

function areDnsServers(text: string): boolean {
  try {
    new Resolver().setServers(commaList(text));
    return true;
  } catch {
    return false;
  }
}
