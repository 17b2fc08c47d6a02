import { ConflictError } from '../../platform/kernel/errors.js';

/** A mail would go to an address that nobody has shown to be theirs. */
export class AddressNotVerified extends ConflictError {
  constructor(email: string) {
    super(
      'address_not_verified',
      `Verify ${email} first: send a verification email under "Account and sign-in", or sign in once with an email link.`,
    );
  }
}
