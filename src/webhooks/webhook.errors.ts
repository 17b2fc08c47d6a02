import { InvalidInputError } from '../platform/kernel/errors.js';

export class WebhookNotSet extends InvalidInputError {
  constructor() {
    super('webhook_not_set', 'This form has no webhook_url. Set one first.');
  }
}
