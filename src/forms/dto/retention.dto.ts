/** How long a form keeps its submissions. */
export class RetentionDto {
  /** Submissions older than this are removed; null keeps them. */
  days: number | null;
}
