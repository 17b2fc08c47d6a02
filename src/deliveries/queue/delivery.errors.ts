import { ConflictError, NotFoundError } from '../../platform/kernel/errors.js';

export class DeliveryNotFound extends NotFoundError {
  constructor() {
    super('delivery_not_found', 'Delivery not found.');
  }
}

/** A worker has claimed the delivery and is attempting it now. */
export class DeliveryUnderWay extends ConflictError {
  constructor() {
    super('delivery_under_way', 'This delivery is being sent right now. Try again in a moment.');
  }
}

/** The visitor of the submission has not confirmed it yet. */
export class DeliveryWaits extends ConflictError {
  constructor() {
    super(
      'not_confirmed',
      'The visitor has not confirmed this submission. Confirm it yourself to send everything.',
    );
  }
}
