import { IsIn, IsOptional, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { parseClamdAddress, type ClamdAddress } from './clamd-address.js';
import { Setting, WholeNumber } from './setting.decorator.js';

const MIB = 1024 * 1024;

/** Holds what a submission may be, and what is kept of its visitor. */
export class IntakeSettings {
  /** How much of a visitor's address is kept with a submission. */
  @Setting('STORE_IP')
  @IsIn(['full', 'truncated', 'none'], { message: 'must be full, truncated or none' })
  readonly storeIp: 'full' | 'truncated' | 'none' = 'truncated';

  /**
   * The header in which a trusted proxy says from which country a request comes, such as `CF-IPCountry`; null for
   * none. Not read where STORE_IP keeps nothing of the address.
   */
  @Setting('COUNTRY_HEADER')
  @Matches(/^[A-Za-z0-9-]{1,64}$/, {
    message: 'must be the name of a header, such as CF-IPCountry',
  })
  @ValidateIf(({ countryHeader }: IntakeSettings) => countryHeader !== null)
  readonly countryHeader: string | null = null;

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

  /** Largest size of all files that the forms of an account keep, in bytes; 0 for no limit. */
  @Setting('MAX_ACCOUNT_FILES_BYTES')
  @WholeNumber(0, 1_048_576 * 1_024 * MIB, 'bytes', 1_024 * MIB)
  readonly maxAccountFilesBytes: number = 0;

  /** Largest size of all files that the exports of an account keep, in bytes. */
  @Setting('MAX_ACCOUNT_EXPORTS_BYTES')
  @WholeNumber(1_048_576, 1_048_576 * 1_024 * MIB, 'bytes', 4_096 * MIB)
  readonly maxAccountExportsBytes: number = 4_096 * MIB;

  /** Largest file of submissions from another service, in bytes. */
  @Setting('IMPORT_MAX_BYTES')
  @WholeNumber(1_024, 1_024 * 1_024 * MIB, 'bytes', 1_024 * MIB)
  readonly importMaxBytes: number = 1_024 * MIB;

  /** Submissions that one address may have under way at once. */
  @Setting('MAX_CONCURRENT_PER_ADDRESS')
  @WholeNumber(1, 100_000, 'requests', 256)
  readonly maxConcurrentPerAddress: number = 256;

  /** Largest size of all submissions that wait for the database, in bytes; further ones get 503. */
  @Setting('MAX_WAITING_BYTES')
  @WholeNumber(65_536, 4_096 * MIB, 'bytes', 64 * MIB)
  readonly maxWaitingBytes: number = 64 * MIB;

  /** The clamd that scans the files of visitors; unset: none are scanned. */
  @Setting('CLAMD')
  @IsOptional()
  @ValidateBy({
    name: 'clamd',
    validator: {
      validate: (value) => typeof value === 'string' && parseClamdAddress(value) !== null,
      defaultMessage: () =>
        'must be where clamd listens, such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
    },
  })
  private readonly givenClamd?: string;

  /** Largest file that clamd takes, in bytes: `StreamMaxLength` in its clamd.conf. */
  @Setting('CLAMD_MAX_BYTES')
  @WholeNumber(1_024, 4_095 * MIB, 'bytes', 25 * MIB)
  readonly clamdMaxBytes: number = 25 * MIB;

  /** Returns where clamd is; null for none. */
  get clamd(): ClamdAddress | null {
    return this.givenClamd === undefined ? null : parseClamdAddress(this.givenClamd);
  }

  /** Whether canaries test forms by their schedules; by hand they run always. */
  @Setting('CANARY')
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  readonly canary: 'on' | 'off' = 'on';
}
