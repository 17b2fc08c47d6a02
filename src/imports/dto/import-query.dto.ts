import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { jsonMembers } from '../../platform/kernel/text/json-text.js';
import { Optional, Parsed, Required, Text } from '../../platform/kernel/validation.js';
import { PROVIDER_NAMES, type ProviderName } from '../formats/index.js';
import {
  parseEncoding,
  DAY_ORDERS,
  FILES,
  plainOptions,
  UNDATED,
  type ImportOptions,
} from '../model/import-options.js';
import { COLUMNS_MAX } from '../reading/csv-scanner.js';

/** Longest name of a column, in characters. */
const NAME_MAX = 4_096;
/** Longest choice of columns, in characters: the page sends one for each. */
const COLUMNS_TEXT_MAX = 512 * 1024;

type Columns = ImportOptions['columns'];

/** Reads a JSON object of texts and nulls, its names in order; null for anything else. */
function parseColumns(value: unknown): Columns | null {
  if (Array.isArray(value)) return value as Columns;
  if (typeof value !== 'string' || value.length > COLUMNS_TEXT_MAX) return null;
  try {
    const parsed = JSON.parse(value) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  } catch {
    return null;
  }
  const members = jsonMembers(value).map(
    ({ name, json }) => [name, JSON.parse(json) as unknown] as const,
  );
  return members.length <= COLUMNS_MAX && members.every(isColumn) ? members : null;
}

function isColumn(member: readonly [string, unknown]): member is readonly [string, string | null] {
  const [, to] = member;
  return to === null || (typeof to === 'string' && to.trim() !== '' && to.length <= NAME_MAX);
}

/** Says whose export a file is, and how it is read. */
export class ImportQueryDto {
  /** The provider whose export it is; `ndjson` for one of this service, `csv` for any other CSV. */
  @ApiProperty({ enum: PROVIDER_NAMES })
  @IsIn(PROVIDER_NAMES, { message: `must be one of ${PROVIDER_NAMES.join(', ')}` })
  @Required()
  provider: ProviderName;

  /** Name of the column that says when a submission was sent, when it is none that we know or find out. */
  @Text({ min: 1, max: NAME_MAX })
  @Optional()
  time?: string;

  /**
   * A JSON object of columns with their new names, null to leave one out, such as `{"Your name":"name","IP":null}`.
   * Others keep their names.
   */
  @ApiProperty({ type: String, required: false })
  @Parsed(
    'not_columns',
    parseColumns,
    'must be a JSON object such as {"Your name":"name","IP":null}',
  )
  @Optional()
  columns?: Columns;

  /** `now` gives rows without a time the time of the import; else they are broken. */
  @ApiProperty({ enum: UNDATED, required: false })
  @IsIn(UNDATED, { message: `must be one of ${UNDATED.join(', ')}` })
  @Optional()
  undated?: ImportOptions['undated'];

  /** `true` takes the apostrophe away that some exports put before a formula. */
  @ApiProperty({ enum: ['true', 'false'], required: false })
  @IsIn(['true', 'false'], { message: 'must be true or false' })
  @Optional()
  unprefix?: 'true' | 'false';

  /**
   * `fetch` downloads the files that values link to, and stores them as if they had been sent; else the links stay text.
   * One that leads to no file stays text too.
   */
  @ApiProperty({ enum: FILES, required: false })
  @IsIn(FILES, { message: `must be one of ${FILES.join(', ')}` })
  @Optional()
  files?: ImportOptions['files'];

  /**
   * The encoding of the file, by any label of the Encoding Standard, such as `windows-1251` or `shift_jis`. Without it UTF-8 and
   * UTF-16 are found out, and else windows-1252 is guessed.
   */
  @ApiProperty({ type: String, required: false })
  @Parsed(
    'not_an_encoding',
    parseEncoding,
    'must be an encoding such as utf-8, windows-1251 or shift_jis',
  )
  @Optional()
  encoding?: string;

  /**
   * The order of days and months in dates that can be read in two ways, such as `3/4/2023`. Without it other rows of the file
   * have to prove one.
   */
  @ApiProperty({ enum: DAY_ORDERS, required: false })
  @IsIn(DAY_ORDERS, { message: `must be ${DAY_ORDERS.join(' or ')}` })
  @Optional()
  dates?: NonNullable<ImportOptions['dates']>;

  static options(query: ImportQueryDto): ImportOptions {
    const plain = plainOptions(query.provider);
    const { time, columns, undated, unprefix, files, encoding, dates } = query;
    return {
      ...plain,
      time: time ?? plain.time,
      columns: columns ?? plain.columns,
      undated: undated ?? plain.undated,
      unprefix: unprefix === 'true',
      files: files ?? plain.files,
      encoding: encoding ?? plain.encoding,
      dates: dates ?? plain.dates,
    };
  }
}
