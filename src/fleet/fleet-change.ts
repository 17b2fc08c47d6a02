import { snakeCase } from '../platform/kernel/text/text.js';
import { type Principal, ActionForbidden } from '../access/principal.js';
import { DomainError } from '../platform/kernel/errors.js';
import { mayChange } from '../forms/access/may-change.js';
import type { FormExtras, FormSettings } from '../forms/model/form-snippet.js';
import type { Form } from '../forms/model/form.entity.js';
import { FormNotOwn } from '../forms/model/form.errors.js';
import { IntakeGate } from '../forms/model/form-values.js';

/** Most forms that one request changes. */
export const FORMS_CHANGED_MAX = 500;

/** A change of several forms; an absent part stays as it is. */
export interface FleetChange {
  settings: Partial<Omit<FormSettings, 'name'>>;
  /** Null keeps submissions. */
  retentionDays?: number | null;
  paused?: boolean;
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
export function differencesOf(
  form: Form,
  clientIds: readonly number[],
  change: FleetChange,
): Difference[] {
  const { settings, retentionDays, paused, grantTo, withdrawFrom } = change;
  const names = Object.keys(settings) as (keyof typeof settings)[];
  const wanted: Difference[] = names.map((name) => ({
    setting: snakeCase(name),
    before: form[name],
    after: settings[name] ?? null,
  }));
  if (retentionDays !== undefined) {
    wanted.push({ setting: 'retention_days', before: form.retentionDays, after: retentionDays });
  }
  if (paused !== undefined) {
    const { opening } = IntakeGate.decode(form.intakeGate);
    wanted.push({ setting: 'paused', before: opening.paused, after: paused });
  }
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
export function refusalOf(
  principal: Principal,
  form: Form,
  { settings, retentionDays }: FleetChange,
): DomainError | null {
  if (!mayChange(principal, form)) return new FormNotOwn();
  const erases = retentionDays !== undefined && principal.clientId !== null;
  if (erases && !principal.may('erase')) return new ActionForbidden('erase');
  try {
    form.with(settings);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Returns what a change makes of what a form has besides settings. */
export function extrasOf(form: Form, { retentionDays, paused }: FleetChange): Partial<FormExtras> {
  const { opening } = IntakeGate.decode(form.intakeGate);
  return {
    ...(retentionDays !== undefined && { retentionDays }),
    ...(paused !== undefined && { intakeGate: new IntakeGate({ ...opening, paused }).encode() }),
  };
}
