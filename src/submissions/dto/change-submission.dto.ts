import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';

/** The marks of a submission. Absent: stays as it is. */
export class SubmissionMarksDto {
  /** Whether it is spam; the count follows. */
  @Flag()
  @Optional()
  spam?: boolean;

  /** Whether it is in the trash; the count follows. */
  @Flag()
  @Optional()
  trash?: boolean;
}

export class ChangeSubmissionDto {
  @ValidateNested()
  @Type(() => SubmissionMarksDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  submission: SubmissionMarksDto;
}
