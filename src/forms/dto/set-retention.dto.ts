import { IsInt, Max, Min, ValidateIf } from 'class-validator';

/** How long a form keeps its submissions. */
export class RetentionDto {
  /** Submissions older than this are removed; null keeps them. */
  days: number | null;
}

/** Longest retention, in days. */
export const RETENTION_DAYS_MAX = 36_500;
/** Says which retentions there are. */
export const RETENTION_DAYS = {
  message: `must be a whole number of days from 1 to ${RETENTION_DAYS_MAX}, or null`,
};

export class SetRetentionDto {
  /** Submissions older than this many days are removed, with their files; null keeps them. */
  @Max(RETENTION_DAYS_MAX, RETENTION_DAYS)
  @Min(1, RETENTION_DAYS)
  @IsInt(RETENTION_DAYS)
  @ValidateIf((_, value: unknown) => value !== null)
  days: number | null;
}
