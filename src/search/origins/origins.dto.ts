import { listOf } from '../../platform/http/index.js';
import { parseDomain } from '../../forms/model/form-values.js';
import { Parsed, Required } from '../../platform/index.js';
import type { Origin } from './origins.service.js';

/** Where submissions of a form came from lately. */
export class OriginDto {
  /** Origin of the pages, such as `https://example.com`; null when the browser did not say. */
  origin: string | null;
  /** The entry that `whitelisted_domains` would need for it, such as `example.com`; null when there can be none. */
  domain: string | null;
  /** Whether `whitelisted_domains` takes it now; otherwise what comes from there is filed as spam. */
  allowed: boolean;
  /** How many of the submissions that were looked at came from there, spam included. */
  submissions: number;
  /** When the newest of them came, ISO 8601 in UTC. */
  last_at: string;

  static of({ origin, domain, isAllowed: allowed, submissions, lastAt }: Origin): OriginDto {
    return { origin, domain, allowed, submissions, last_at: lastAt.toISOString() };
  }
}

export class OriginListDto extends listOf('origins', OriginDto, 'The latest first.') {}

/** The domain to allow. */
export class AllowDomainDto {
  /** A host (`example.com`), all hosts below one (`*.example.com`) or an origin (`https://www.example.com`). */
  @Parsed(
    'not_a_domain',
    parseDomain,
    'must be one host or origin, such as example.com, *.example.com or https://www.example.com',
  )
  @Required()
  domain: string;
}
