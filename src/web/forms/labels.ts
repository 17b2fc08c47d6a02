import type { FieldLabel, FieldLabels } from '../../forms/model/field-labels.js';

/** A field on the page: its name, and what was typed for it. */
export interface FieldTyped {
  name: string;
  /** Empty: it is called after its name. */
  label: string;
  /** Where it is shown; empty: after those with a place. */
  place: string;
}

/** Returns the rows of the page: the labelled fields in their order, then others that were sent lately. */
export function fieldsOf({ list }: FieldLabels, sent: string[]): FieldTyped[] {
  const labelled = list.map(({ name, label }, index) => ({
    name,
    label,
    place: String(index + 1),
  }));
  const names = new Set(sent);
  for (const { name } of list) names.delete(name);
  return [...labelled, ...[...names].map((name) => ({ name, label: '', place: '' }))];
}

/** Reads the rows that a page sent, in the order of the places that were typed. */
export function fieldsTyped(names: string[], labels: string[], places: string[]): FieldTyped[] {
  const rows = names.map((name, index) => ({
    name,
    label: labels[index]?.trim() ?? '',
    place: places[index]?.trim() ?? '',
  }));
  return rows.sort((one, other) => orderOf(one) - orderOf(other));
}

/** Returns the labels to store: those of fields for which anything was typed. */
export function labelsTyped(rows: FieldTyped[], wordFor: (name: string) => string): FieldLabel[] {
  return rows
    .filter(({ label, place }) => label !== '' || place !== '')
    .map(({ name, label }) => ({ name, label: label === '' ? wordFor(name) : label }));
}

function orderOf({ label, place }: FieldTyped): number {
  const number = place === '' ? NaN : Number(place);
  if (!Number.isNaN(number)) return number;
  return label === '' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
}
