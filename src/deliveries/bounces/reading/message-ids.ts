import { parseUuid } from '../../../platform/kernel/uuid.js';

/** An id of a message whose left part is a UUID, as those of deliveries are. */
const OURS = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/i;

/** Returns the delivery that the first of these message ids names; null when none does. */
export function deliveryIdIn(...texts: (string | null | undefined)[]): Buffer | null {
  for (const text of texts) {
    const id = parseUuid(OURS.exec(text ?? '')?.[1]?.toLowerCase() ?? '');
    if (id) return id;
  }
  return null;
}
