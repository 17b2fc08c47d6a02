import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  GoneError,
  fact,
} from '../../platform/index.js';
import { ENGLISH } from '../../languages/words.js';

export class FormNotFound extends fact(NotFoundError, 'form_not_found', 'Form not found.') {}

/** The request names ids that are no forms of this account. */
export class UnknownForms extends InvalidInputError {
  constructor(field: string, ids: number[]) {
    const message = (id: number) => `${field} contains ${id}, which is not one of your forms.`;
    super(
      'unknown_forms',
      `These are not your forms: ${ids.join(', ')}.`,
      ids.map((id) => ({ field, code: 'unknown_form', message: message(id) })),
    );
  }
}

/** A client without the permission tried to create a form. */
export class FormCreationForbidden extends fact(
  ForbiddenError,
  'form_creation_forbidden',
  'This client cannot create forms. Set can_create_forms on the client to allow it.',
) {}

/** A client would change a form that it sees, but has not made. */
export class FormNotOwn extends fact(
  ForbiddenError,
  'form_not_own',
  'This client can view the form but did not create it. Only the account can change its settings.',
) {}

/** A form names too many recipients of owner mails. */
export class TooManyRecipients extends InvalidInputError {
  constructor(max: number) {
    const field = 'form.notify_owner_emails';
    const message = `${field} must contain at most ${max} addresses; use a mailing list for more.`;
    super('too_many_recipients', message, [{ field, code: 'too_many_recipients', message }]);
  }
}

/** The file that is to go along with mails to visitors is too large. */
export class AttachmentRefused extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} must not exceed 2 MB. Link to larger files instead.`;
    super('attachment_too_large', message, [{ field, code: 'attachment_too_large', message }]);
  }
}

/** The list of domains that a form may be sent from has no room for one more. */
export class DomainListFull extends fact(
  ConflictError,
  'domain_list_full',
  (max: number) => `The list of allowed domains is full (${max} characters). Remove some first.`,
) {}

/** A form takes no submissions now. The message is the owner's for its visitors, or ours. */
export abstract class FormShut extends GoneError {}

export class FormPaused extends fact(
  FormShut,
  'form_paused',
  (message: string | null) => message ?? ENGLISH.say('error.form_paused'),
) {}

export class FormClosed extends fact(
  FormShut,
  'form_closed',
  (message: string | null) => message ?? ENGLISH.say('error.form_closed'),
) {}

export class FormFull extends fact(
  FormShut,
  'form_full',
  (message: string | null) => message ?? ENGLISH.say('error.form_full'),
) {}

export class FormNotOpenYet extends fact(
  FormShut,
  'form_not_open_yet',
  (message: string | null) => message ?? ENGLISH.say('error.form_not_open_yet'),
) {}

export class FormFullForNow extends fact(
  FormShut,
  'form_full_for_now',
  (message: string | null) => message ?? ENGLISH.say('error.form_full_for_now'),
) {}
