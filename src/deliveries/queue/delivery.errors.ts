import { ConflictError, NotFoundError, fact } from '../../platform/kernel/errors.js';

export class DeliveryNotFound extends fact(
  NotFoundError,
  'delivery_not_found',
  'Delivery not found.',
) {}

/** A worker has claimed the delivery and is attempting it now. */
export class DeliveryUnderWay extends fact(
  ConflictError,
  'delivery_under_way',
  'This delivery is being sent right now. Try again in a moment.',
) {}

/** The visitor of the submission has not confirmed it yet. */
export class DeliveryWaits extends fact(
  ConflictError,
  'not_confirmed',
  'The visitor has not confirmed this submission. Confirm it yourself to send everything.',
) {}
