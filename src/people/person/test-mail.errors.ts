import { ConflictError } from '../../platform/kernel/errors.js';

/** A mail would go to an address that nobody has shown to be theirs. */
export class AddressNotVerified extends ConflictError {
  constructor(email: string) {
    super(
      'address_not_verified',
      `It is not known yet that ${email} is yours. Ask for a link to it under "Account and sign-in" or sign in once by one, then try again.`,
    );
  }
}
