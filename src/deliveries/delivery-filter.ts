import type { DeliveryKind, DeliveryState } from './delivery.entity.js';

/** The kinds that are told of with a submission, to whoever may see it. */
export const ABOUT_SUBMISSIONS = [
  'owner_email',
  'submitter_email',
  'webhook',
] as const satisfies DeliveryKind[];

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

/** Asks for the newest deliveries of a form. */
export interface NewestDeliveries {
  formId: number;
  kind: DeliveryKind;
  states: readonly DeliveryState[];
  /** Only what was created before this delivery, by its id; null for all. */
  before: Buffer | null;
  limit: number;
}

/** Failed deliveries that are counted: counting all would read all. */
export const FAILED_COUNT_MAX = 10_000;

/** How many deliveries failed, up to FAILED_COUNT_MAX, and when the first and the last of them were created; null for none. */
export interface FailedCount {
  count: number;
  oldestAt: Date | null;
  newestAt: Date | null;
}
