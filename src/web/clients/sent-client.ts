import type { Principal } from '../../access/principal.js';
import type { FormLists } from '../../forms/form-lists.service.js';
import { InvalidForm, isTicked, textOf, textsOf, type Typed } from '../parts/typed.js';
import { clientWords } from './words.js';

/** Forms of a client that can be taken away on its page, where the account has too many to show them all. */
export const FORMS_LISTED = 200;
export const IDENTIFIERS = 'client.form_identifiers';

/**
 * Returns what a page sent as the API takes it; a box that is not ticked is not sent and means no.
 * @throws InvalidForm for identifiers that are of no form of the account
 */
export async function sentClient(lists: FormLists, principal: Principal, sent: Typed | undefined) {
  const identifiers = textOf(sent, IDENTIFIERS)
    .split(/[\s,]+/)
    .filter(Boolean);
  const further = await lists.identified(principal, identifiers.slice(0, FORMS_LISTED));
  const unknown = identifiers.find((text) => !further.some((form) => form.identifier === text));
  if (unknown !== undefined) {
    const message = clientWords.unknownForm(unknown);
    throw new InvalidForm([{ field: IDENTIFIERS, code: 'unknown_form', message }]);
  }
  const formIds = new Set([...formIdsIn(sent), ...further.map(({ id }) => id)]);
  return {
    client: {
      name: textOf(sent, 'client.name'),
      email: textOf(sent, 'client.email'),
      can_create_forms: isTicked(sent, 'client.can_create_forms'),
      form_ids: [...formIds],
    },
  };
}

/** Returns the ids of the forms that are ticked, and of those that are chosen and not shown. */
export function formIdsIn(sent: Typed | undefined): number[] {
  const kept = textOf(sent, 'client.kept_form_ids').split(',').filter(Boolean);
  return [...textsOf(sent, 'client.form_ids'), ...kept].map(Number);
}
