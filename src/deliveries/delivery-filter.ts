import type { DeliveryKind } from './delivery.entity.js';

/** Selects failed deliveries of a form; null does not filter. */
export interface DeliveryFilter {
  kind: DeliveryKind | null;
  /** Created at this time or later. */
  from: Date | null;
  /** Created before this time. */
  to: Date | null;
  /** Failed at this time or later. */
  givenUpFrom?: Date;
}
