import { type Principal, ActionForbidden } from '../../accounts/access/index.js';
import { DomainError } from '../../platform/index.js';
import { mayChange } from '../../forms/access/may-change.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormNotOwn } from '../../forms/model/form.errors.js';
import { columnsFor, forbiddenIn, valueOf, type SettingValues } from '../../forms/model/setting-groups.js';

/** Most forms that one request changes. */
export const FORMS_CHANGED_MAX = 500;

/** A change of several forms; an absent part stays as it is. */
export interface FleetChange {
  settings: SettingValues;
  /** The client that sees the forms from then on. */
  grantTo?: number;
  /** The client that sees them no longer. */
  withdrawFrom?: number;
}

type Value = string | number | boolean | null;

/** A setting before and after a change. */
export interface Difference {
  /** As the API names it. */
  setting: string;
  before: Value;
  after: Value;
}

/** The fate of a form in a change. */
export interface FormFate {
  form: Pick<Form, 'id' | 'name' | 'identifier'>;
  state: 'changed' | 'unchanged' | 'refused';
  /** Empty for a form that stays as it is. */
  differences: Difference[];
  /** Why it is refused. */
  error: DomainError | null;
}

/**
 * Returns what a change makes of a form.
 * @param clientIds the clients that see the form
 */
export function differencesOf(form: Form, clientIds: readonly number[], change: FleetChange): Difference[] {
  const { settings, grantTo, withdrawFrom } = change;
  const wanted: Difference[] = Object.entries(settings).map(([setting, value]) => ({
    ...{ setting, before: plain(valueOf(form, setting)), after: plain(value) },
  }));
  const sees = (id: number) => clientIds.includes(id);
  if (grantTo !== undefined && !sees(grantTo)) {
    wanted.push({ setting: 'grant_to', before: null, after: grantTo });
  }
  if (withdrawFrom !== undefined && sees(withdrawFrom)) {
    wanted.push({ setting: 'withdraw_from', before: withdrawFrom, after: null });
  }
  return wanted.filter(({ before, after }) => before !== after);
}

/** Returns why somebody may not make a change of a form that they see; null if they may. */
export function refusalOf(principal: Principal, form: Form, { settings }: FleetChange): DomainError | null {
  if (!mayChange(principal, form)) return new FormNotOwn();
  const action = forbiddenIn(principal, settings);
  if (action !== null) return new ActionForbidden(action);
  try {
    form.with(columnsFor(form, settings));
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Returns a value as the API has it. */
function plain(value: unknown) {
  return value instanceof Date ? value.toISOString() : (value as Value);
}
