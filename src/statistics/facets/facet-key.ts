/** A facet of a form, or of all forms of an account (ALL_FORMS). */
export interface FacetSet {
  accountId: number;
  formId: number;
  facet: number;
}

/** One page, origin, country or value of it. */
export interface FacetKey extends FacetSet {
  /** Hexadecimal, written by `facetDigest()`. */
  digest: string;
}

/** Returns a key as the key of a map. */
export function textOfKey({ digest, ...set }: FacetKey): string {
  return `${textOfSet(set)} ${digest}`;
}

export function textOfSet({ accountId, formId, facet }: FacetSet): string {
  return `${accountId} ${formId} ${facet}`;
}

/** Columns of a key in the order of the tables. */
export const KEY_COLUMNS = ['account_id', 'form_id', 'facet', 'digest'];
export const KEY_CONDITION = `(${KEY_COLUMNS.map((column) => `${column} = ?`).join(' AND ')})`;

/** Returns the values of its columns. */
export function columnsOf({ accountId, formId, facet, digest }: FacetKey): unknown[] {
  return [accountId, formId, facet, Buffer.from(digest, 'hex')];
}
