import type { Schemas } from '../../build/api.js';

export type DeliveryBody = Schemas['DeliveryDto'];

/** Returns the path of a submission's deliveries. */
export function deliveriesPath({ identifier }: { identifier: string }, id: string): string {
  return `/api/v1/forms/${identifier}/submissions/${id}/deliveries` as const;
}
