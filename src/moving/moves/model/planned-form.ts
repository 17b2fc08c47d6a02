import type { OldId, Provider } from '../../../forms/aliases/old-address.js';
import type { Field } from '../../../forms/model/field.js';
import type { Element } from '../../../platform/index.js';

/** Most forms of one text. */
export const FORMS_MAX = 200;

/** A form that is to be made here for one at another provider. */
export interface PlannedForm {
  name: string;
  /** The provider that its pages speak to; null for none that is known. */
  provider: Provider | null;
  /** The id that is to lead to it; null for none. */
  old: OldId | null;
  fields: readonly Field[];
  /** Name of the field that people do not see; null for none but those that every form has. */
  honeypot: string | null;
  /** Addresses that get its mails, with commas between; null for the address of the account. */
  emails: string | null;
  /** Its element on the page that it was found on; null for one of another text. */
  element: Element | null;
}

/** Parts of a plan of which a text says nothing. */
export const NOTHING_PLANNED: Omit<PlannedForm, 'name'> = {
  provider: null,
  old: null,
  fields: [],
  honeypot: null,
  emails: null,
  element: null,
};
