import { IsIn } from 'class-validator';
import { Optional } from '../../platform/kernel/validation.js';
import { SEPARATORS, type Separator } from '../export/csv.js';
import { SubmissionFilterDto } from './submission-query.dto.js';

/** Asks for an export as CSV. */
export class CsvQueryDto extends SubmissionFilterDto {
  /** The separator of cells: `comma`, the default, `semicolon` or `tab`. */
  @IsIn(Object.keys(SEPARATORS), { message: 'must be comma, semicolon or tab' })
  @Optional()
  separator?: Separator;
}
