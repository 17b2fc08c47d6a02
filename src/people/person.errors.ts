import type { Right } from '../access/rights.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from '../platform/kernel/errors.js';

export class PersonNotFound extends NotFoundError {
  constructor() {
    super('person_not_found', 'There is no such person.');
  }
}

/** Somebody signs in with that address already. */
export class PersonEmailTaken extends ConflictError {
  constructor() {
    super('person_email_taken', 'Somebody signs in with that e-mail address already.', [
      {
        field: 'person.email',
        code: 'taken',
        message: 'person.email belongs to somebody who signs in already.',
      },
    ]);
  }
}

/** The person belongs to the account, or to the client, already. */
export class MembershipExists extends ConflictError {
  constructor() {
    super('membership_exists', 'That person is here already; change what they may do instead.');
  }
}

/** Nobody gives or takes what they do not have themselves. */
export class RoleExceeded extends ForbiddenError {
  constructor(rights: readonly Right[]) {
    super(
      'role_exceeded',
      `Only who may do as much can give or take this role; missing: ${rights.join(', ')}.`,
    );
  }
}

/** Nobody changes their own role. */
export class OwnRole extends ForbiddenError {
  constructor() {
    super('own_role', 'You cannot change what you may do yourself; ask another owner.');
  }
}

/** An account without an owner could not be looked after. */
export class LastOwner extends ConflictError {
  constructor() {
    super(
      'last_owner',
      'This is the last owner of the account; make somebody else an owner first.',
    );
  }
}

/** The same answer whether the address, the password or the person is at fault. */
export class SignInRefused extends InvalidInputError {
  constructor() {
    super('sign_in_refused', 'That address and password do not fit together.', [
      {
        field: 'password',
        code: 'sign_in_refused',
        message: 'That address and password do not fit together.',
      },
    ]);
  }
}

export class CurrentPasswordWrong extends InvalidInputError {
  constructor() {
    super('current_password_wrong', 'That is not your current password.', [
      { field: 'current', code: 'wrong', message: 'current is not your current password.' },
    ]);
  }
}

/** The page that asks for proof got another password. */
export class ProofRefused extends InvalidInputError {
  constructor() {
    super('proof_refused', 'That is not your password.', [
      { field: 'proof_password', code: 'wrong', message: 'proof_password is not your password.' },
    ]);
  }
}

/** The code is wrong, used already, or of another minute. */
export class CodeWrong extends InvalidInputError {
  constructor() {
    super('code_wrong', 'That code does not fit, or was used already.', [
      { field: 'code', code: 'wrong', message: 'code does not fit, or was used already.' },
    ]);
  }
}

export class SetupCodeUnknown extends NotFoundError {
  constructor() {
    super(
      'setup_code_unknown',
      'This setup link was used already, or a later one took its place. The console prints a new one at each start until it is used; "people setup-link" makes one at any time.',
    );
  }
}

/** Clients have no people of their own to give rights to. */
export class InvitationForbidden extends ForbiddenError {
  constructor() {
    super('invitation_forbidden', 'A client cannot invite people.');
  }
}

export class InvitationNotFound extends NotFoundError {
  constructor() {
    super(
      'invitation_not_found',
      'This invitation was accepted already, taken back, or is too old; ask for a new one.',
    );
  }
}

/** The invitation is for an address that somebody signs in with already. */
export class PersonKnown extends ConflictError {
  constructor() {
    super('person_known', 'You sign in with that address already: sign in, then accept.');
  }
}

/** The invitation is for another address than that of the person who signed in. */
export class InvitationForOther extends ForbiddenError {
  constructor() {
    super('invitation_for_other', 'This invitation is for another address; sign in with that one.');
  }
}

/** The mail server takes no mail at the moment. */
export class MailNotSent extends UnavailableError {
  constructor() {
    super(
      'mail_not_sent',
      'The mail could not be sent. Try again in a moment, or ask for a link to pass on ("send": false).',
    );
  }
}

/** The password is one that others guess. */
export class PasswordRefused extends InvalidInputError {
  constructor(code: string, message: string) {
    super(code, message, [{ field: 'password', code, message }]);
  }
}
