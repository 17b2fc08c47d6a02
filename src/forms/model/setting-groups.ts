import type { Action, Principal } from '../../accounts/access/index.js';
import { FORM_NAME, FORM_SETTINGS, RETENTION, STATUSES, type FormChange } from './form-settings.js';
import type { Form } from './form.entity.js';
import { LANGUAGE, TRANSLATIONS } from './form-language.js';
import { PAGE } from './form-page.js';
import { INTAKE } from './intake-gate.js';
import type { Setting, SettingGroup } from './setting.js';

/** All declared settings of a form but for its name. */
export const SETTING_GROUPS = [
  FORM_SETTINGS,
  LANGUAGE,
  TRANSLATIONS,
  PAGE,
  STATUSES,
  INTAKE,
  RETENTION,
] as SettingGroup[];

/** One of them. */
export interface DeclaredSetting {
  group: SettingGroup;
  name: string;
  /** Its name in the API and on pages. */
  key: string;
  declared: Setting<unknown>;
}

const ALL: readonly DeclaredSetting[] = [FORM_NAME as SettingGroup, ...SETTING_GROUPS].flatMap((group) =>
  group.list.map(({ name, apiName, declared }) => ({ ...{ group, name, declared, key: declared.many ?? apiName } })),
);

/** The settings by their names in a change of many forms, which no two share. */
export const SETTINGS = new Map(ALL.map((each) => [each.key, each]));

/** A value of a setting. */
export type SettingValue = string | number | boolean | Date | null;

/** Values of settings by these names. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** Returns what a form has of a setting. */
export function valueOf(form: Form, key: string): SettingValue {
  const { group, name } = found(key);
  return group.of(form)[name] as SettingValue;
}

/** Returns the columns of a form that values make different. */
export function columnsFor(form: Form, values: SettingValues): FormChange {
  const byGroup = new Map<SettingGroup, Record<string, unknown>>();
  for (const [key, value] of Object.entries(values)) {
    const { group, name } = found(key);
    byGroup.set(group, { ...byGroup.get(group), [name]: value });
  }
  const changes = [...byGroup].map(([group, change]) => group.changed(form, change));
  return Object.assign({}, ...changes) as FormChange;
}

/** Returns what people of a client must be allowed to, and this one is not, to set these; null for nothing. */
export function forbiddenIn(principal: Principal, values: SettingValues): Action | null {
  if (principal.clientId === null) return null;
  const needed = Object.keys(values).map((key) => found(key).group.routes?.allows);
  return needed.find((action) => action !== undefined && !principal.may(action)) ?? null;
}

/** Returns a value as code has it, from one that the API checked. */
export function revived(key: string, value: unknown): unknown {
  const { revive } = found(key).declared.shape;
  return revive && typeof value === 'string' ? revive(value) : value;
}

function found(key: string) {
  const setting = SETTINGS.get(key);
  if (!setting) throw new Error(`No setting is called ${key}.`);
  return setting;
}
