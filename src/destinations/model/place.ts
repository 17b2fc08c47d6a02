import type { Form } from '../../forms/model/form.entity.js';

/** Whose submissions go there: those of a form, of all forms of a client, or of all forms of the account. */
export interface Place {
  accountId: number;
  formId: number | null;
  clientId: number | null;
}

/** Returns the place of the destinations of a form. */
export function placeOf({ id: formId, accountId }: Pick<Form, 'id' | 'accountId'>): Place {
  return { accountId, formId, clientId: null };
}
