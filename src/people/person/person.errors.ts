import type { Right } from '../../access/rights.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from '../../platform/kernel/errors.js';

export class PersonNotFound extends NotFoundError {
  constructor() {
    super('person_not_found', 'There is no such person.');
  }
}

/** Another person signs in with that address. */
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

/** The person has a membership of the account, or of the client, already. */
export class MembershipExists extends ConflictError {
  constructor() {
    super('membership_exists', 'That person is here already; change what they may do instead.', [
      {
        field: 'person.email',
        code: 'taken',
        message: 'person.email belongs to somebody who is here already.',
      },
    ]);
  }
}

/** Somebody tried to give or take a right that they lack. */
export class RoleExceeded extends ForbiddenError {
  constructor(rights: readonly Right[]) {
    super(
      'role_exceeded',
      `Only who may do as much can give or take this role; missing: ${rights.join(', ')}.`,
    );
  }
}

/** Somebody tried to change their own role. */
export class OwnRole extends ForbiddenError {
  constructor() {
    super('own_role', 'You cannot change what you may do yourself; ask another owner.');
  }
}

/** There is nothing to be seen as this person: they are kept out, or see what every owner sees. */
export class NothingToSee extends ConflictError {
  constructor() {
    super(
      'nothing_to_see',
      'There is nothing to be seen as this person: an owner sees what you see, and who is kept out sees nothing.',
    );
  }
}

/** The pages could be seen as somebody else until this request. */
export class ViewOver extends ConflictError {
  constructor() {
    super(
      'view_over',
      'You are no longer viewing as this person: they were removed, suspended or made an owner, or you are no longer an owner. Nothing changed.',
    );
  }
}

/** The change would leave the account without an owner who can sign in. */
export class LastOwner extends ConflictError {
  constructor() {
    super(
      'last_owner',
      'This is the last owner of the account; make somebody else an owner first.',
    );
  }
}

/** The address is unknown, the password wrong or the person disabled; the answer is the same for all. */
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

/** The password on the page that asks for a proof is wrong. */
export class ProofRefused extends InvalidInputError {
  constructor() {
    super('proof_refused', 'That is not your password.', [
      { field: 'proof_password', code: 'wrong', message: 'proof_password is not your password.' },
    ]);
  }
}

/** The link that a new address got is used, too old, or of another person. */
export class AddressLinkOver extends NotFoundError {
  constructor() {
    super(
      'address_link_over',
      'This link was used already, is too old, or is for somebody else. Ask for a new one under "Account and sign-in".',
    );
  }
}

/** The page that asks for proof got a code that does not fit. */
export class CodeRefused extends InvalidInputError {
  constructor() {
    super('code_refused', 'That code does not fit, or was used already.', [
      {
        field: 'proof_code',
        code: 'wrong',
        message: 'proof_code does not fit, or was used already.',
      },
    ]);
  }
}

/** The code is wrong, was used already, or is too old. */
export class CodeWrong extends InvalidInputError {
  constructor() {
    super('code_wrong', 'That code does not fit, or was used already.', [
      { field: 'code', code: 'wrong', message: 'code does not fit, or was used already.' },
    ]);
  }
}

/** The code or link of the mail is wrong, or belongs to another request than this browser's. */
export class LinkCodeWrong extends InvalidInputError {
  constructor() {
    super('link_code_wrong', 'That is not the code of the latest mail.', [
      { field: 'code', code: 'wrong', message: 'code is not the one of the latest mail.' },
    ]);
  }
}

/** This browser has asked for no sign-in mail, or the one that it asked for is used or too old. */
export class LinkOver extends NotFoundError {
  constructor() {
    super(
      'link_over',
      'Sign in where you asked for the mail: type its code there. It works once, for ten minutes; then ask for another.',
    );
  }
}

/** There is no mail server that could send a sign-in mail. */
export class MailMissing extends NotFoundError {
  constructor() {
    super(
      'mail_missing',
      'This service sends no mail, so nobody signs in by one; whoever runs it can set SMTP_URL.',
    );
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

/** A client tried to invite people. */
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

/** A person has the invited address already; they sign in to accept. */
export class PersonKnown extends ConflictError {
  constructor() {
    super('person_known', 'You sign in with that address already: sign in, then accept.');
  }
}

/** The invitation is for another address than that of the signed-in person. */
export class InvitationForOther extends ForbiddenError {
  constructor() {
    super('invitation_for_other', 'This invitation is for another address; sign in with that one.');
  }
}

/** The mail server did not take the mail. */
export class MailNotSent extends UnavailableError {
  constructor() {
    super(
      'mail_not_sent',
      'The mail could not be sent. Try again in a moment, or ask for a link to pass on ("send": false).',
      [
        {
          field: 'person.send',
          code: 'mail_not_sent',
          message:
            'person.send cannot be done: the mail server takes no mail at the moment. Leave it out, and pass the link on yourself.',
        },
      ],
    );
  }
}

/** The password is too short, too long or too easily guessed. */
export class PasswordRefused extends InvalidInputError {
  constructor(code: string, message: string) {
    super(code, message, [{ field: 'password', code, message }]);
  }
}

/** So many passwords are being tried that another would wait for seconds. */
export class PasswordsBusy extends UnavailableError {
  constructor() {
    super('passwords_busy', 'Too many people are signing in; try again in a moment.');
  }
}
