import { plainToInstance } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsOptional,
  Matches,
  MaxLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { join, resolve } from 'node:path';
import { isAcceptableSecret } from '../shared/token-secret.js';
import { parseDatabaseUrl, type DatabaseAddress } from './database-address.js';
import { Setting, settingNames, variableOf, WholeNumber } from './setting.decorator.js';
import { parseTrustProxy, type TrustedProxies } from './trust-proxy.js';

const MIB = 1024 * 1024;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** A setting is wrong. `problems` holds one sentence for each, naming the variable and the fix. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Every setting of the service, read once from the environment and checked at start. The only
 * reader of `process.env`; the README's table and `.env.example` list the same variables.
 */
export class Config {
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
        'must be the absolute http or https address visitors use, such as https://forms.example.com',
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

  /** How many connections to a database server are kept at most. */
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

  /** The token the first account gets instead of a random one; ignored once an account exists. */
  @Setting('BOOTSTRAP_TOKEN')
  @IsOptional()
  @ValidateBy({
    name: 'bootstrap_token',
    validator: {
      validate: (value) => typeof value === 'string' && isAcceptableSecret(value),
      defaultMessage: () =>
        'must be 24 to 255 characters out of A-Z a-z 0-9 - . _ ~ + / with = only at the end; one that starts with fcs_ must be a complete token of this service',
    },
  })
  readonly bootstrapToken?: string;

  /** Name of the first account. */
  @Setting('ACCOUNT_NAME')
  @MaxLength(255, { message: 'must not be longer than 255 characters' })
  readonly accountName: string = 'My account';

  /** E-mail address of the first account: where owner notifications go when a form names nobody. */
  @Setting('ACCOUNT_EMAIL')
  @IsOptional()
  @IsEmail({}, { message: 'must be an e-mail address, such as owner@example.com' })
  readonly accountEmail?: string;

  /**
   * Which proxies in front may tell a visitor's address by X-Forwarded-For: `off`, how many there
   * are, or their addresses as comma-separated CIDR blocks.
   */
  @Setting('TRUST_PROXY')
  @ValidateBy({
    name: 'trust_proxy',
    validator: {
      validate: (value) => typeof value === 'string' && parseTrustProxy(value) !== null,
      defaultMessage: () =>
        'must be off, the number of proxies in front (1 to 10), or their addresses such as 10.0.0.0/8,127.0.0.1',
    },
  })
  readonly trustProxy: string = 'off';

  /** How much of a visitor's address is kept with a submission. */
  @Setting('STORE_IP')
  @IsIn(['full', 'truncated', 'none'], { message: 'must be full, truncated or none' })
  readonly storeIp: 'full' | 'truncated' | 'none' = 'truncated';

  /** Largest submission, not counting files. */
  @Setting('MAX_BODY_BYTES')
  @WholeNumber(1_024, 8 * MIB, 'bytes', MIB)
  readonly maxBodyBytes: number = MIB;

  /** Most fields of a submission. */
  @Setting('MAX_FIELDS')
  @WholeNumber(1, 10_000, 'fields', 500)
  readonly maxFields: number = 500;

  /** Longest name of a field. */
  @Setting('MAX_FIELD_NAME_BYTES')
  @WholeNumber(16, 4_096, 'bytes', 256)
  readonly maxFieldNameBytes: number = 256;

  /** Longest value of a field. */
  @Setting('MAX_FIELD_VALUE_BYTES')
  @WholeNumber(256, 8 * MIB, 'bytes', 256 * 1024)
  readonly maxFieldValueBytes: number = 256 * 1024;

  /** Deepest nesting of a JSON submission. */
  @Setting('MAX_JSON_DEPTH')
  @WholeNumber(1, 100, 'levels', 16)
  readonly maxJsonDepth: number = 16;

  /** Most files of a submission. */
  @Setting('MAX_FILES')
  @WholeNumber(0, 100, 'files', 10)
  readonly maxFiles: number = 10;

  /** Largest file. */
  @Setting('MAX_FILE_BYTES')
  @WholeNumber(1_024, 1_024 * MIB, 'bytes', 10 * MIB)
  readonly maxFileBytes: number = 10 * MIB;

  /** All files of a submission together. */
  @Setting('MAX_UPLOAD_BYTES')
  @WholeNumber(1_024, 4_096 * MIB, 'bytes', 25 * MIB)
  readonly maxUploadBytes: number = 25 * MIB;

  /** How long a client may take to send the headers of a request. */
  @Setting('HEADER_TIMEOUT_MS')
  @WholeNumber(100, 600_000, 'milliseconds', 15_000)
  readonly headerTimeoutMs: number = 15_000;

  /** How long a client may take to send a whole request. */
  @Setting('BODY_TIMEOUT_MS')
  @WholeNumber(100, 3_600_000, 'milliseconds', 60_000)
  readonly bodyTimeoutMs: number = 60_000;

  /** Submissions that one address may have under way at once. */
  @Setting('MAX_CONCURRENT_PER_ADDRESS')
  @WholeNumber(1, 100_000, 'requests', 256)
  readonly maxConcurrentPerAddress: number = 256;

  /** How much is logged. */
  @Setting('LOG_LEVEL')
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  readonly logLevel: string = 'info';

  /** The address of the service as visitors and API users know it, without a trailing slash. */
  get baseUrl(): string {
    return (this.givenBaseUrl ?? `http://localhost:${this.port}`).replace(/\/+$/, '');
  }

  /** Tells of each hop of a request, from the nearest, whether its word is trusted. */
  get trustedProxies(): TrustedProxies {
    return parseTrustProxy(this.trustProxy) ?? (() => false);
  }

  /** Folder for everything that is kept on disk, absolute. */
  get dataDir(): string {
    return resolve(this.givenDataDir);
  }

  /** The database of record: the server of DATABASE_URL, else a file in DATA_DIR. */
  get database(): DatabaseAddress {
    const server = this.databaseUrl === undefined ? null : parseDatabaseUrl(this.databaseUrl);
    return server ?? { kind: 'embedded', file: join(this.dataDir, 'database.sqlite') };
  }

  /**
   * Reads and checks the settings.
   * @throws ConfigError with all problems at once
   */
  static from(environment: Record<string, string | undefined>): Config {
    const given = Object.fromEntries(
      settingNames()
        .map((name) => [name, environment[name]])
        .filter(([, value]) => value !== undefined && value !== ''),
    ) as Record<string, string>;
    const config = plainToInstance(Config, given, { exposeDefaultValues: true });
    const problems = validateSync(config).map(({ property, constraints }) => {
      const name = variableOf(property);
      return `${name} ${Object.values(constraints ?? {})[0] ?? 'is not valid'}.`;
    });
    if (problems.length > 0) throw new ConfigError(problems);
    return config;
  }
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const url = new URL(value);
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return plain && /^https?:$/.test(url.protocol);
}
