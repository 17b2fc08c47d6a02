import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { CONDITIONS_MAX, type Condition } from '../../destinations/model/condition.js';
import { type Role, settingsOf } from '../../destinations/model/kind-settings.js';
import { textOf, type Typed } from '../parts/index.js';

/** Begins the choice of a condition about a field among those about facts; alone it is one that is typed. */
export const A_FIELD = 'field:';

/** A condition as its inputs show it. */
export interface ConditionTyped {
  /** A fact, or `field:` and the name of a field. */
  about: string;
  /** Name of a field that is not among the choices. */
  field: string;
  op: string;
  value: string;
}

/** A destination as its inputs show it. */
export interface DestinationTyped {
  name: string;
  isOn: boolean;
  settings: Record<string, string>;
  match: string;
  conditions: ConditionTyped[];
}

/** The kind and the role of a destination, by which its inputs are named. */
export interface Sort {
  kind: KindName;
  role: Role | null;
}

/** Returns the kind that was asked for; a webhook, which fits anything, unless there is such a one. */
export function sortIn(typed: Typed | undefined): Sort & { kind: KindName } {
  const kind = textOf(typed, 'kind');
  return { kind: KIND_NAMES.find((known) => known === kind) ?? 'webhook', role: null };
}

export const NO_CONDITION: ConditionTyped = { about: A_FIELD, field: '', op: 'is', value: '' };

/** Returns a condition as its inputs show it. */
export function conditionTyped({ field, fact, op, value }: Condition): ConditionTyped {
  return { about: fact ?? `${A_FIELD}${field ?? ''}`, field: '', op, value };
}

/** Returns the field that a condition is about; empty for one about a fact, and for none. */
export function fieldOf({ about, field }: ConditionTyped) {
  if (!about.startsWith(A_FIELD)) return '';
  return field === '' ? about.slice(A_FIELD.length) : field;
}

/** Returns the settings that the page of a destination asks for. */
export function askedOf({ kind, role }: Sort): string[] {
  const settings = settingsOf(kind, role);
  return Object.keys(settings).filter((name) => !settings[name]?.isOurs);
}

/** Reads what the page sent, one condition more than there may be. Conditions with nothing typed are left out. */
export function readTyped(typed: Typed | undefined, sort: Sort): DestinationTyped {
  const text = (name: string) => textOf(typed, `destination.${name}`);
  const conditions = Array.from({ length: CONDITIONS_MAX + 1 }, (_, at) => ({
    about: text(`conditions.${at}.about`) || A_FIELD,
    field: text(`conditions.${at}.field`).trim(),
    op: text(`conditions.${at}.op`) || NO_CONDITION.op,
    value: text(`conditions.${at}.value`),
  }));
  return {
    name: text('name'),
    isOn: text('on') === 'true',
    settings: Object.fromEntries(
      askedOf(sort).map((name) => [name, text(`settings.${name}`).replaceAll('\r\n', '\n')]),
    ),
    match: text('match') || 'all',
    conditions: conditions.filter(
      ({ about, field, value }) => field !== '' || value !== '' || !about.startsWith(A_FIELD),
    ),
  };
}

/**
 * Returns a destination as a body of the API.
 * @param isNew whether a secret that was left empty is none; otherwise the stored one stays
 */
export function bodyOf(
  { name, isOn, settings, match, conditions }: DestinationTyped,
  { kind, role }: Sort,
  isNew: boolean,
) {
  const given = Object.entries(settings).filter(
    ([field, value]) => value !== '' || (!isNew && !settingsOf(kind, role)[field]?.isSecret),
  );
  return {
    ...(role ? {} : { name }),
    ...(role && role !== 'webhook' && { paused: !isOn }),
    ...{ settings: Object.fromEntries(given), match },
    conditions: conditions.map((condition) => ({
      ...(condition.about.startsWith(A_FIELD) ? { field: fieldOf(condition) } : { fact: condition.about }),
      ...{ op: condition.op, value: condition.value },
    })),
  };
}
