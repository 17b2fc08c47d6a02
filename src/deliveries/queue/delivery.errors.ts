import { ConflictError, NotFoundError } from '../../platform/kernel/errors.js';

export class DeliveryNotFound extends NotFoundError {
  constructor() {
    super('delivery_not_found', 'There is no such delivery.');
  }
}

/** A worker has claimed the delivery and is attempting it now. */
export class DeliveryUnderWay extends ConflictError {
  constructor() {
    super('delivery_under_way', 'This delivery is being tried at this moment.');
  }
}
