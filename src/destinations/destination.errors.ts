import { ForbiddenError, InvalidInputError, NotFoundError, fact } from '../platform/index.js';

export class DestinationNotFound extends fact(NotFoundError, 'destination_not_found', 'Destination not found.') {}

/** There is no form yet to send a sample of. */
export class NoFormToTest extends fact(
  InvalidInputError,
  'no_form_to_test',
  'There is no form yet to send a sample of. Create one first.',
) {}

/** A client asked for what the account sends everywhere. */
export class DestinationsOfAccount extends fact(
  ForbiddenError,
  'destinations_of_account',
  'Only the account can see and change destinations of all forms. Use those of a form.',
) {}

/** A form, a client or the account has as many destinations as it may. */
export class TooManyDestinations extends fact(
  InvalidInputError,
  'too_many_destinations',
  (max: number) =>
    `There are ${max} destinations here already, the most that there can be. Delete one first, or use a webhook that sends them on.`,
) {}

export class WebhookNotSet extends fact(
  InvalidInputError,
  'webhook_not_set',
  'This form has no webhook_url. Set one first.',
) {}

/** One of the first destinations of a form was to be deleted. */
export class DestinationStays extends fact(
  InvalidInputError,
  'destination_stays',
  'Every form has this destination. Pause it, or remove its address.',
) {}
