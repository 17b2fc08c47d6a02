import type { Principal } from '../../access/principal.js';
import type { Config } from '../../platform/config/config.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { parseFilterLine, withMoments } from '../../submissions/filter/filter-line.js';
import { ROWS } from '../rows/rows.js';

/**
 * Returns the address of the page of the API that has the same submissions; null for a line that is too long for it,
 * or that says `me`, which no token is.
 * @param max what the API takes of a filter, in characters
 */
export function apiUrlOf(
  { baseUrl }: Config,
  { timeZone }: Principal,
  shown: string,
  before: Buffer | null,
  max: number,
): string | null {
  const line = withMoments(shown, new Date(), timeZone);
  const isOwn = parseFilterLine(line, new Date()).assigned.includes('me');
  if (line.length > max || isOwn) return null;
  const query = new URLSearchParams({
    q: line,
    per_page: String(ROWS),
    ...(before && { before: formatUuid(before) }),
  });
  return `${baseUrl}/api/v1/submissions?${query.toString()}`;
}
