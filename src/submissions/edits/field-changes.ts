import { cutAt } from '../../platform/kernel/text/beginning.js';
import { readableJson } from '../../platform/kernel/text/json-text.js';
import type { FieldChange } from '../acts/submission-act.entity.js';
import type { SubmittedValues } from '../model/submitted-values.js';

/** The most that is kept of one value, and of all values of an edit beyond which only beginnings are, in characters. */
const VALUE_KEPT_MAX = 10_000;
const EDIT_KEPT_MAX = 100_000;
const BEGINNING_MAX = 200;

/** Returns which of these fields have another value, with both as a person reads them; long ones are cut. */
export function changesBetween(
  before: SubmittedValues,
  after: SubmittedValues,
  names: readonly string[],
): FieldChange[] {
  let left = EDIT_KEPT_MAX;
  const kept = (json: string | null): string | null => {
    if (json === null) return null;
    const text = json.startsWith('"') ? (JSON.parse(json) as string) : readableJson(json);
    const max = Math.max(BEGINNING_MAX, Math.min(VALUE_KEPT_MAX, left));
    left -= Math.min(text.length, max);
    return cutAt(text, max);
  };
  const [all, anew] = [before.byName(), after.byName()];
  return names.flatMap((field) => {
    const [was, is] = [all.get(field) ?? null, anew.get(field) ?? null];
    return isSame(was, is) ? [] : { field, before: kept(was), after: kept(is) };
  });
}

/** Tells whether two JSON texts are of one value, however each is written. */
function isSame(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || readableJson(one) === readableJson(other);
}
