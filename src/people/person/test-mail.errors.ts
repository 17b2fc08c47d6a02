import { ConflictError, InvalidInputError } from '../../platform/kernel/errors.js';

/** A mail would go to an address that nobody has shown to be theirs. */
export class AddressNotVerified extends ConflictError {
  constructor(email: string) {
    super(
      'address_not_verified',
      `Verify ${email} first: send a verification email under "Account and sign-in", or sign in once with an email link.`,
    );
  }
}

/** A test would go to an address of nobody in the account. */
export class TestRecipientUnknown extends InvalidInputError {
  constructor() {
    const message = 'to must be the email address of a person of the account.';
    super('test_recipient_unknown', message, [{ field: 'to', code: 'unknown_person', message }]);
  }
}
