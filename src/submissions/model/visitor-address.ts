import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { isAddressField } from './preview.js';
import type { SubmittedValues } from './submitted-values.js';

/**
 * Returns the email addresses that a submission was sent under, in lower case: those in fields named for
 * one, else the only address in any field.
 */
export function visitorAddressesOf(values: SubmittedValues): string[] {
  const all = new Set<string>();
  const named = new Set<string>();
  for (const { name, text } of values.scalars()) {
    const address = parseEmailAddress(text)?.toLowerCase();
    if (address === undefined) continue;
    all.add(address);
    if (isAddressField(name)) named.add(address);
  }
  if (named.size > 0) return [...named];
  return all.size === 1 ? [...all] : [];
}
