export class HealthDto {
  /** `degraded` when requests are served but for some; what cannot be served answers with an error. */
  status: 'ok' | 'degraded';
  /** What is not as it should be, when `degraded`. */
  detail?: string;
}
