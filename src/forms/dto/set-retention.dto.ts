import { IsInt, Max, Min, ValidateIf } from 'class-validator';

const DAYS_MAX = 36_500;
const MESSAGE = { message: `must be a whole number of days from 1 to ${DAYS_MAX}, or null` };

export class SetRetentionDto {
  /** Submissions older than this many days are removed, with their files; null keeps them. */
  @Max(DAYS_MAX, MESSAGE)
  @Min(1, MESSAGE)
  @IsInt(MESSAGE)
  @ValidateIf((_, value: unknown) => value !== null)
  days: number | null;
}
