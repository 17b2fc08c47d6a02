import type { Right } from '../../accounts/access/index.js';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
  fact,
} from '../../platform/index.js';

export class PersonNotFound extends fact(NotFoundError, 'person_not_found', 'Person not found.') {}

/** Another person signs in with that address. */
export class PersonEmailTaken extends fact(
  ConflictError,
  'person_email_taken',
  'Another person already signs in with this email address.',
  [{ field: 'person.email', code: 'taken', message: 'person.email belongs to another person.' }],
) {}

/** The person has a membership of the account, or of the client, already. */
export class MembershipExists extends fact(
  ConflictError,
  'membership_exists',
  'This person is already a member. Change their access instead.',
  [{ field: 'person.email', code: 'taken', message: 'person.email belongs to someone who is already a member.' }],
) {}

/** Somebody tried to give or take a right that they lack. */
export class RoleExceeded extends fact(
  ForbiddenError,
  'role_exceeded',
  (rights: readonly Right[]) =>
    `You cannot give or take a role with more rights than your own. Missing rights: ${rights.join(', ')}.`,
) {}

/** Somebody tried to change their own role. */
export class OwnRole extends fact(ForbiddenError, 'own_role', 'You cannot change your own role. Ask another owner.') {}

/** There is nothing to be seen as this person: they are kept out, or see what every owner sees. */
export class NothingToSee extends fact(
  ConflictError,
  'nothing_to_see',
  'You cannot view as this person. Owners see the same as you, and suspended people see nothing.',
) {}

/** The pages could be seen as somebody else until this request. */
export class ViewOver extends fact(
  ConflictError,
  'view_over',
  'You are no longer viewing as this person: they were removed, suspended or made an owner, or you are no longer an owner. Nothing changed.',
) {}

/** The change would leave the account without an owner who can sign in. */
export class LastOwner extends fact(
  ConflictError,
  'last_owner',
  'This is the last owner of the account. Make someone else an owner first.',
) {}

/** The address is unknown, the password wrong or the person disabled; the answer is the same for all. */
export class SignInRefused extends fact(InvalidInputError, 'sign_in_refused', 'Wrong email address or password.', [
  { field: 'password', code: 'sign_in_refused', message: 'Wrong email address or password.' },
]) {}

export class CurrentPasswordWrong extends fact(InvalidInputError, 'current_password_wrong', 'Wrong current password.', [
  { field: 'current', code: 'wrong', message: 'current is wrong. Try again.' },
]) {}

/** The password on the page that asks for a proof is wrong. */
export class ProofRefused extends fact(InvalidInputError, 'proof_refused', 'Wrong password.', [
  { field: 'proof_password', code: 'wrong', message: 'proof_password is wrong. Try again.' },
]) {}

/** The link that a new address got is used, too old, or of another person. */
export class AddressLinkOver extends fact(
  NotFoundError,
  'address_link_over',
  'This link is used, expired, or for someone else. Ask for a new one under "Account and sign-in".',
) {}

/** The page that asks for proof got a code that does not fit. */
export class CodeRefused extends fact(InvalidInputError, 'code_refused', 'Wrong or used code. Enter a new one.', [
  { field: 'proof_code', code: 'wrong', message: 'proof_code is wrong or used. Enter a new one.' },
]) {}

/** The code is wrong, was used already, or is too old. */
export class CodeWrong extends fact(InvalidInputError, 'code_wrong', 'Wrong or used code. Enter a new one.', [
  { field: 'code', code: 'wrong', message: 'code is wrong or used. Enter a new one.' },
]) {}

/** The code or link of the mail is wrong, or belongs to another request than this browser's. */
export class LinkCodeWrong extends fact(
  InvalidInputError,
  'link_code_wrong',
  'Wrong code. Use the code from the latest email.',
  [{ field: 'code', code: 'wrong', message: 'code is wrong. Use the latest email.' }],
) {}

/** This browser has asked for no sign-in mail, or the one that it asked for is used or too old. */
export class LinkOver extends fact(
  NotFoundError,
  'link_over',
  'Go back to the browser where you asked for the email and enter its code there. The code works once, for ten minutes. After that, ask for another email.',
) {}

/** There is no mail server that could send a sign-in mail. */
export class MailMissing extends fact(
  NotFoundError,
  'mail_missing',
  'This service has no mail server, so it cannot send sign-in emails. Ask the operator to set SMTP_URL.',
) {}

export class SetupCodeUnknown extends fact(
  NotFoundError,
  'setup_code_unknown',
  'This setup link is used, expired, or replaced by a newer one. The console prints a new link at each start until one is used. The command "people setup-link" prints one at any time.',
) {}

/** A client tried to invite people. */
export class InvitationForbidden extends fact(
  ForbiddenError,
  'invitation_forbidden',
  'A client cannot invite people.',
) {}

export class InvitationNotFound extends fact(
  NotFoundError,
  'invitation_not_found',
  'This invitation is accepted, withdrawn or expired. Ask for a new one.',
) {}

/** A person has the invited address already; they sign in to accept. */
export class PersonKnown extends fact(
  ConflictError,
  'person_known',
  'You already have an account here. Sign in, then accept.',
) {}

/** The invitation is for another address than that of the signed-in person. */
export class InvitationForOther extends fact(
  ForbiddenError,
  'invitation_for_other',
  'This invitation is for another address. Sign in with that one.',
) {}

/** The mail server did not take the mail. */
export class MailNotSent extends fact(
  UnavailableError,
  'mail_not_sent',
  'We could not send the email. Try again in a moment, or get a link to pass on ("send": false).',
  [
    {
      field: 'person.send',
      code: 'mail_not_sent',
      message:
        'person.send failed, because the mail server accepts no email right now. Set it to false and pass the link on yourself.',
    },
  ],
) {}

/** The password is too short, too long or too easily guessed. */
export class PasswordRefused extends InvalidInputError {
  constructor(code: string, message: string) {
    super(code, message, [{ field: 'password', code, message }]);
  }
}

/** So many passwords are being tried that another would wait for seconds. */
export class PasswordsBusy extends fact(
  UnavailableError,
  'passwords_busy',
  'Too many people are signing in. Try again in a moment.',
) {}

/** A mail would go to an address that nobody has shown to be theirs. */
export class AddressNotVerified extends fact(
  ConflictError,
  'address_not_verified',
  (email: string) =>
    `Verify ${email} first: send a verification email under "Account and sign-in", or sign in once with an email link.`,
) {}

/** A test would go to an address of nobody in the account. */
export class TestRecipientUnknown extends InvalidInputError {
  constructor() {
    const message = 'to must be the email address of a person of the account.';
    super('test_recipient_unknown', message, [{ field: 'to', code: 'unknown_person', message }]);
  }
}

export class PasskeyNotFound extends fact(NotFoundError, 'passkey_not_found', 'Passkey not found.') {}

/** The same answer whatever is at fault: the key, the challenge, the origin or the person. */
export class PasskeyRefused extends InvalidInputError {
  constructor() {
    const message = 'The passkey does not belong here, or the request timed out. Try again.';
    super('passkey_refused', message, [{ field: 'credential', code: 'passkey_refused', message }]);
  }
}

/** The authenticator made a passkey that somebody has here already. */
export class PasskeyKnown extends fact(ConflictError, 'passkey_known', 'You have already added this passkey.', [
  { field: 'credential', code: 'taken', message: 'You have already added this passkey.' },
]) {}

export class TooManyPasskeys extends fact(
  ConflictError,
  'too_many_passkeys',
  (max: number) => `You have ${max} passkeys already. Remove one first.`,
) {}

/** Without it the person could not sign in any more. */
export class LastWayIn extends fact(
  ConflictError,
  'last_way_in',
  'This is your last way to sign in. Add another passkey or set a password first.',
) {}

/** Browsers keep passkeys for https and localhost alone. */
export class PasskeysOff extends fact(
  ForbiddenError,
  'passkeys_off',
  'Passkeys need an https:// address with a host name. Set it in BASE_URL, or run the service on localhost.',
) {}

export class IdentityNotFound extends fact(NotFoundError, 'identity_not_found', 'Identity not found.') {}

/** Somebody else signs in by that identity. */
export class IdentityTaken extends fact(
  ConflictError,
  'identity_taken',
  'Another person already signs in with this identity.',
) {}

/** The address is of a domain that may not come in through the provider. */
export class IdentityForbidden extends fact(
  ForbiddenError,
  'identity_forbidden',
  'The domain of your address at the provider is not allowed here. Ask the operator to add it to OIDC_ALLOWED_DOMAINS.',
) {}

/** Nobody has that address, or the provider has not made sure whose it is, or the person is disabled. */
export class IdentityUnknown extends fact(
  ForbiddenError,
  'identity_unknown',
  'No one here uses this identity. Verify your address at the provider and ask an owner for an invitation. Or sign in another way and link the identity under "Account and sign-in".',
) {}
