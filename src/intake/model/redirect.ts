import type { Form } from '../../forms/model/form.entity.js';
import { allowsOrigin } from '../../spam/signals/origin.js';
import { siteAddressOf } from '../../platform/kernel/text/proxied-site.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { Roles, ParsedSubmission } from './special-fields.js';
import { parseUrl, parseWebUrl } from '../../platform/kernel/text/parse-url.js';

/** Longest address that is read, in characters. */
const TARGET_MAX = 2048;

/**
 * Returns the address that a page asks for; null unless it is of that page's own origin or of a site that the form
 * allows, since anybody can send a form.
 * @param page the page or its origin; null when it is not known
 * @param domains the sites of the form; null for no list, which allows no other site
 */
export function allowedTarget(
  text: string | null,
  page: string | null,
  domains: string | null,
): URL | null {
  if (text === null || text.length > TARGET_MAX) return null;
  const base = page !== null && parseUrl(page) ? siteAddressOf(page) : undefined;
  const target = parseWebUrl(text, base);
  if (target?.username !== '' || target.password !== '') return null;
  const isOfPage = base !== undefined && new URL(base).origin === siteAddressOf(target.origin);
  const isAllowed = domains !== null && allowsOrigin(domains, target.origin);
  return isOfPage || isAllowed ? target : null;
}

/**
 * Returns where a page sends its visitors after a submission, with what they sent where its dialect adds that; null
 * where the form decides.
 * @param page the page or its origin; null when it is not known
 */
export function nextOf(
  { next, appends, members }: ParsedSubmission,
  roles: Roles,
  page: string | null,
  { whitelistedDomains }: Pick<Form, 'whitelistedDomains'>,
): string | null {
  const target = allowedTarget(next, page, whitelistedDomains);
  if (!target) return null;
  const isLonger = appends ?? Object.values(roles).includes('append');
  return (isLonger ? withEntries(target, new SubmittedValues(members).toText()) : target).href;
}

/** Adds what was sent to the query of an address, as far as there is room. */
function withEntries(target: URL, entries: readonly { name: string; text: string }[]): URL {
  const longer = new URL(target);
  for (const { name, text } of entries) {
    const before = longer.href;
    longer.searchParams.append(name, text);
    if (longer.href.length > TARGET_MAX) return new URL(before);
  }
  return longer;
}
