import { InvalidInputError } from '../kernel/errors.js';

/** An address that is set leads where no call goes. */
export class PrivateAddress extends InvalidInputError {
  /** @param field that has the address */
  constructor(field: string, url: string) {
    const { hostname } = new URL(url);
    const message = `${field} leads to ${hostname}, which is not a public address. Ask the operator to add it to WEBHOOK_ALLOWED_NETWORKS.`;
    super('private_address', message, [{ field, code: 'private_address', message }]);
  }
}
