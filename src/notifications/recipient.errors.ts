import { NotFoundError } from '../platform/kernel/errors.js';

/** The link of a mail that asks for a confirmation was altered or is older than a week. */
export class RecipientLinkExpired extends NotFoundError {
  constructor() {
    super(
      'recipient_link_expired',
      'This link has expired or is incomplete. Ask the owner of the form to send you a new one.',
    );
  }
}
