import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString } from 'class-validator';
import { Optional, Required, Text, Zone } from '../../platform/kernel/validation.js';
import { CHOSEN_MAX } from '../../exports/dto/export-query.dto.js';
import { QUERY_MAX } from '../../search/pages/dto/submission-query.dto.js';
import { columnsOf } from '../../exports/columns.js';
import {
  SEPARATORS,
  type Separator,
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportLayout,
} from '../../exports/export-file.js';

/** Content and format of an export. */
export class NewExportDto {
  @ApiProperty({ enum: EXPORT_FORMATS })
  @IsIn(EXPORT_FORMATS, { message: `must be one of ${EXPORT_FORMATS.join(', ')}` })
  @Required()
  format: ExportFormat;

  /** A line such as `from:7d is:unread`, as lists take it; all but spam and the trash without one. */
  @Text({ max: QUERY_MAX })
  @Optional()
  q?: string;

  /** Columns in their order; all without it. */
  @IsString({ each: true, message: 'must be names of columns' })
  @ArrayMaxSize(CHOSEN_MAX, { message: `must not have more than ${CHOSEN_MAX} entries` })
  @IsArray({ message: 'must be a list of names' })
  @Optional()
  columns?: string[];

  /** Separator of CSV: `comma`, the default, `semicolon` or `tab`. */
  @IsIn(Object.keys(SEPARATORS), { message: 'must be comma, semicolon or tab' })
  @Optional()
  separator?: Separator;

  /** The time zone that times are written in, by its IANA name, such as `Europe/Berlin`; `UTC` by default. */
  @Zone()
  @Optional()
  zone?: string;

  static layout({ format, columns, separator = 'comma', zone }: NewExportDto): ExportLayout {
    return { format, columns: columns ? columnsOf(columns) : null, separator, zone };
  }
}
