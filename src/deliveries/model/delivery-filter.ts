import type { Scope } from '../../accounts/access/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import {
  KINDS,
  TO_PEOPLE,
  type DeliveryKind,
  type DeliveryState,
  type Attempt,
  type Delivery,
} from './delivery.entity.js';

/** The kinds that are told of with a submission, to whoever may see it. */
export const ABOUT_SUBMISSIONS = [
  'owner_email',
  'submitter_email',
  'webhook',
  'destination',
  'opt_in',
] as const satisfies DeliveryKind[];

/**
 * Returns the expression that has a value when a `form` of a query has a delivery of a kind, its parameter, in a state: by one
 * look into the index. Of several kinds at once servers read all of a form.
 */
export function anyOfKind(state: DeliveryState) {
  return `(SELECT 1 FROM deliveries /*! FORCE INDEX (ix_deliveries_form) */
    WHERE form_id = form.id AND kind = ? AND state = '${state}' LIMIT 1)`;
}

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

/** Whose deliveries are meant: a form's of these kinds, or only what names no destination, or a destination's. */
export type DeliveriesOf =
  | { formId: number; kinds: readonly DeliveryKind[]; destinationId?: null }
  | { destinationId: Buffer };

/** Selects their failed deliveries; what is absent or null does not filter. */
export type FailedOf = DeliveriesOf & {
  /** Created at this time or later, and before this one. */
  from?: Date | null;
  to?: Date | null;
  /** When a form's deliveries failed. */
  failed?: { from: Date; to: Date };
  /** Whether only deliveries count that clients of the form may know of. */
  forClient?: boolean;
};

/** Returns the failed deliveries of a form that fit a filter and that somebody may know of, by the rule of `Delivery.isShownTo`. */
export function failedOf(
  { clientId }: Pick<Scope, 'clientId'>,
  { id: formId }: Pick<Form, 'id'>,
  { kind, from, to }: DeliveryFilter,
) {
  const forClient = clientId !== null;
  const kinds = (kind ? [kind] : KINDS).filter((each) => !forClient || !TO_PEOPLE.includes(each));
  return { formId, kinds, from, to, forClient } satisfies FailedOf;
}

/** Asks for the newest deliveries of a form or a destination. */
export interface NewestDeliveries {
  of: DeliveriesOf;
  states: readonly DeliveryState[];
  /** Only what was created before this delivery, by its id; null for all. */
  before: Buffer | null;
  limit: number;
}

/** Filters of deliveries: one that is under way is pending too. */
export const CALL_STATES = {
  pending: ['pending', 'delivering'],
  delivered: ['delivered'],
  failed: ['failed'],
} as const satisfies Record<string, DeliveryState[]>;
export type CallState = keyof typeof CALL_STATES;

/** How many deliveries there may be since a time. */
export interface Cap {
  count: number;
  since: Date;
}

/** Failed deliveries that are counted: counting all would read all. */
export const FAILED_COUNT_MAX = 10_000;

/** How many deliveries failed, up to FAILED_COUNT_MAX, and when the first and the last of them were created; null for none. */
export interface FailedCount {
  count: number;
  oldestAt: Date | null;
  newestAt: Date | null;
}

/** A delivery with its attempts, oldest first. */
export interface DeliveryWithAttempts {
  delivery: Delivery;
  attempts: Attempt[];
  /** Name of its destination; null for none, and for one that is deleted. Absent where none has one. */
  destinationName?: string | null;
}

/**
 * State as it is told. `summarised`: it is part of a digest, which is a delivery of its own and may still wait or fail.
 * `written`: without a mail server it went to a file, and to nobody.
 */
export type ToldState = DeliveryState | 'summarised' | 'written';

/** Returns the state of a delivery as it is told: only what reached its receiver was delivered. */
export function toldState({ delivery: { state }, attempts }: DeliveryWithAttempts): ToldState {
  const last = attempts.at(-1)?.outcome;
  return state === 'delivered' && (last === 'summarised' || last === 'written') ? last : state;
}
