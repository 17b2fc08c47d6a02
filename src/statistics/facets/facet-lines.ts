import { filterPart, momentText, valuePart } from '../../submissions/filter/filter-line.js';
import { NONE } from '../../submissions/model/page-address.js';
import { FIELD, ORIGIN, PAGE } from '../../submissions/model/facet.js';

/** The form and the time that counts are of. */
export interface Narrowing {
  /** Identifier; null for all forms. */
  form: string | null;
  from: Date;
  to: Date;
}

/** Returns the line of a filter for what a count is about; null when no line can say it. */
export function filterOf(
  facet: number,
  field: string,
  text: string,
  { form, from, to }: Narrowing,
): string | null {
  const part = partOf(facet, field, text);
  if (part === null) return null;
  return [
    ...(form === null ? [] : [filterPart('form', form)]),
    part,
    filterPart('from', momentText(from)),
    filterPart('to', momentText(to)),
  ].join(' ');
}

function partOf(facet: number, field: string, text: string): string | null {
  if (facet === FIELD) return valuePart(field, text);
  const key = facet === PAGE ? 'page' : facet === ORIGIN ? 'origin' : 'country';
  return text.includes('"') || text.startsWith('//')
    ? null
    : filterPart(key, text === '' ? NONE : text);
}
