import { commaList } from '../../platform/kernel/text/comma-list.js';
import type { KindSettings } from '../kinds/kind.js';
import { routesIn } from '../kinds/email.js';
import { firstIs, type Facts } from './condition.js';

/** Returns everybody whom the settings of a mail name, each address once. */
export function recipientsIn({ to, cc, bcc, routes }: KindSettings): string[] {
  const named = [to, cc, bcc].flatMap((list) => commaList(list ?? ''));
  return [...new Set([...named, ...routesIn(routes).flatMap((route) => route.to)])];
}

/**
 * Returns who gets the mail about a submission: those of the first line that fits it, or else `to`; with `cc` and `bcc`.
 * Where that is nobody, no copies go out either.
 */
export function recipientsOf(settings: KindSettings, about: Pick<Facts, 'values'>): string[] {
  const to = directOf(settings, about);
  return to.length === 0 ? [] : recipientsIn({ to: to.join(), cc: settings.cc, bcc: settings.bcc });
}

/** Returns whom the mail about a submission is to, without those who get a copy. */
export function directOf(
  { to, routes, route_field: field }: KindSettings,
  about: Pick<Facts, 'values'>,
): string[] {
  const route = field === undefined ? undefined : firstIs(field, routesIn(routes), about);
  return route?.to ?? commaList(to ?? '');
}
