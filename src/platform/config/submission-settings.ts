import { IsIn, ValidateBy } from 'class-validator';
import { OidcSettings } from './oidc-settings.js';
import { Setting, WholeNumber } from './setting.decorator.js';
import { parseTrustProxy, type TrustedProxies } from './trust-proxy.js';

const MIB = 1024 * 1024;

/** Holds the settings of the intake. */
export abstract class SubmissionSettings extends OidcSettings {
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

  /** Largest submission without files, in bytes. */
  @Setting('MAX_BODY_BYTES')
  @WholeNumber(1_024, 8 * MIB, 'bytes', MIB)
  readonly maxBodyBytes: number = MIB;

  /** Most fields of a submission. */
  @Setting('MAX_FIELDS')
  @WholeNumber(1, 10_000, 'fields', 500)
  readonly maxFields: number = 500;

  /** Longest name of a field, in bytes. */
  @Setting('MAX_FIELD_NAME_BYTES')
  @WholeNumber(16, 4_096, 'bytes', 256)
  readonly maxFieldNameBytes: number = 256;

  /** Longest value of a field, in bytes. */
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

  /** Largest file, in bytes. */
  @Setting('MAX_FILE_BYTES')
  @WholeNumber(1_024, 1_024 * MIB, 'bytes', 10 * MIB)
  readonly maxFileBytes: number = 10 * MIB;

  /** Largest size of all files of a submission, in bytes. */
  @Setting('MAX_UPLOAD_BYTES')
  @WholeNumber(1_024, 4_096 * MIB, 'bytes', 25 * MIB)
  readonly maxUploadBytes: number = 25 * MIB;

  /** Free space on the disk of DATA_DIR, in bytes, below which files are refused; 0 for no limit. */
  @Setting('MIN_FREE_DISK')
  @WholeNumber(0, 1_048_576 * MIB, 'bytes', 256 * MIB)
  readonly minFreeDisk: number = 256 * MIB;

  /** Longest time to send the headers of a request, in milliseconds. */
  @Setting('HEADER_TIMEOUT_MS')
  @WholeNumber(100, 600_000, 'milliseconds', 15_000)
  readonly headerTimeoutMs: number = 15_000;

  /** Longest time to send a whole request, in milliseconds. */
  @Setting('BODY_TIMEOUT_MS')
  @WholeNumber(100, 3_600_000, 'milliseconds', 60_000)
  readonly bodyTimeoutMs: number = 60_000;

  /** Submissions that one address may have under way at once. */
  @Setting('MAX_CONCURRENT_PER_ADDRESS')
  @WholeNumber(1, 100_000, 'requests', 256)
  readonly maxConcurrentPerAddress: number = 256;

  /** Connections that one address may have open at once; 0 stands for no limit. */
  @Setting('MAX_CONNECTIONS_PER_ADDRESS')
  @WholeNumber(0, 100_000, 'connections', 1_000)
  readonly maxConnectionsPerAddress: number = 1_000;

  /** Largest size of all submissions that wait for the database, in bytes; further ones get 503. */
  @Setting('MAX_WAITING_BYTES')
  @WholeNumber(65_536, 4_096 * MIB, 'bytes', 64 * MIB)
  readonly maxWaitingBytes: number = 64 * MIB;

  #trustedProxies?: TrustedProxies;

  /** Returns the function that tells which proxies of a request are trusted, from the nearest. */
  get trustedProxies(): TrustedProxies {
    this.#trustedProxies ??= parseTrustProxy(this.trustProxy) ?? (() => false);
    return this.#trustedProxies;
  }
}
