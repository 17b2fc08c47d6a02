import { kindOf, type KindName } from '../../destinations/kinds/kinds.js';
import type { Condition } from '../../destinations/model/condition.js';
import { textOf, type Typed } from '../parts/typed.js';

/** Stands for a condition about a field among those about facts. */
export const A_FIELD = 'field';

/** A condition as its inputs show it. */
export interface ConditionTyped {
  about: string;
  field: string;
  op: string;
  value: string;
}

/** A destination as its inputs show it. */
export interface DestinationTyped {
  name: string;
  settings: Record<string, string>;
  match: string;
  conditions: ConditionTyped[];
}

export const NO_CONDITION: ConditionTyped = { about: A_FIELD, field: '', op: 'is', value: '' };

/** Returns a condition as its inputs show it. */
export function conditionTyped({ field, fact, op, value }: Condition): ConditionTyped {
  return { about: fact ?? A_FIELD, field: field ?? '', op, value };
}

/**
 * Reads what the page sent. Conditions of which nothing was typed are left out.
 * @param most conditions that are read at most
 */
export function readTyped(
  typed: Typed | undefined,
  kind: KindName,
  most: number,
): DestinationTyped {
  const text = (name: string) => textOf(typed, `destination.${name}`);
  const conditions = Array.from({ length: most }, (_, at) => ({
    about: text(`conditions.${at}.about`) || A_FIELD,
    field: text(`conditions.${at}.field`).trim(),
    op: text(`conditions.${at}.op`) || NO_CONDITION.op,
    value: text(`conditions.${at}.value`),
  }));
  return {
    name: text('name'),
    settings: Object.fromEntries(
      Object.keys(kindOf(kind).settings).map((name) => [
        name,
        text(`settings.${name}`).replaceAll('\r\n', '\n'),
      ]),
    ),
    match: text('match') || 'all',
    conditions: conditions.filter(
      ({ about, field, value }) => field !== '' || value !== '' || about !== A_FIELD,
    ),
  };
}

/**
 * Returns a destination as a body of the API.
 * @param isNew whether a secret that was left empty is none; otherwise the stored one stays
 */
export function bodyOf(
  { name, settings, match, conditions }: DestinationTyped,
  kind: KindName,
  isNew: boolean,
) {
  const given = Object.entries(settings).filter(
    ([field, value]) => value !== '' || (!isNew && !kindOf(kind).settings[field]?.isSecret),
  );
  return {
    ...{ name, settings: Object.fromEntries(given), match },
    conditions: conditions.map(({ about, field, op, value }) => ({
      ...(about === A_FIELD ? { field } : { fact: about }),
      ...{ op, value },
    })),
  };
}
