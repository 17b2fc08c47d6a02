import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsString } from 'class-validator';
import { Optional, Zone } from '../../platform/index.js';
import { columnsOf } from './export-table.js';
import { SEPARATORS, type Separator, type ExportFormat, type ExportLayout } from './export-file.js';
import { SubmissionFilterDto } from '../../search/pages/submission-list.dto.js';

/** Most columns that are chosen. */
export const CHOSEN_MAX = 500;

/** Asks for an export. */
export class ExportQueryDto extends SubmissionFilterDto {
  /**
   * Columns in their order, once for each; all without it. A fixed one is meant by its name, any other name is that
   * of a field; see docs/api/submissions.md.
   */
  @Transform(({ value }: { value: unknown }) => (value === undefined ? value : [value].flat()))
  @IsString({ each: true, message: 'must be names of columns' })
  @ArrayMaxSize(CHOSEN_MAX, { message: `must not have more than ${CHOSEN_MAX} entries` })
  @Optional()
  columns?: string[];

  /** The time zone that times are written in, by its IANA name, such as `Europe/Berlin`; `UTC` by default. */
  @Zone()
  @Optional()
  zone?: string;

  static layout(query: CsvQueryDto, format: ExportFormat): ExportLayout {
    const { columns, separator = 'comma', zone } = query;
    return { format, columns: columns === undefined ? null : columnsOf(columns), separator, zone };
  }
}

/** Asks for an export as CSV. */
export class CsvQueryDto extends ExportQueryDto {
  /** The separator of cells: `comma`, the default, `semicolon` or `tab`. */
  @IsIn(Object.keys(SEPARATORS), { message: 'must be comma, semicolon or tab' })
  @Optional()
  separator?: Separator;
}
