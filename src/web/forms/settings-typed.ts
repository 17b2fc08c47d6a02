import { createHash } from 'node:crypto';
import { SettingsDto, takeSettings } from '../../forms/dto/form.dto.js';
import {
  FORM_NAME,
  FORM_SETTINGS,
  type FormChange,
  type FormSettings,
} from '../../forms/model/form-settings.js';
import type { SettingGroup } from '../../forms/model/setting.js';
import type { Form } from '../../forms/model/form.entity.js';
import {
  columnsFor,
  forbiddenIn,
  SETTINGS,
  valueOf,
  type DeclaredSetting,
  type SettingValues,
} from '../../forms/model/setting-groups.js';
import { ActionForbidden, type Principal } from '../../accounts/access/principal.js';
import { asked } from '../../platform/http/shapes.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked, InvalidForm, textOf, textsOf, type Typed } from '../parts/typed.js';
import { shownValue, typedValue } from '../parts/setting-values.js';
import { FormFields, ON_FAILURE } from '../../forms/model/form-fields.js';
import type { Field } from '../../forms/model/field.js';
import {
  levelOf,
  SPAM_LEVEL_NAMES,
  SPAM_LEVELS,
  SpamSettings,
} from '../../spam/judge/spam-settings.js';
import { CUSTOM_LEVEL } from '../spam/spam.page.js';
import { ORDER } from './fields.page.js';

/** Begins the names of inputs: they are the paths of the body, whose problems name them. */
export const PREFIX = 'settings.';
/** Field with what the page showed of each setting, so that nobody overwrites unseen what others saved meanwhile. */
export const SEEN = 'seen';

/** Body with what was typed into the page. */
class PageSettings extends SettingsDto {
  static {
    takeSettings(this.prototype, FORM_NAME);
  }
}
class PageSettingsDto extends asked('settings', PageSettings) {}

/** Texts in the inputs of the page, by the keys of settings. */
export type SettingTexts = Readonly<Record<string, string>>;

/** The settings that the page asks for. */
export const ON_PAGE: readonly DeclaredSetting[] = [...SETTINGS.values()].filter(
  ({ declared }) => declared.page !== undefined && declared.page.section !== 'notifications',
);

/** Settings that are a part of something larger, which has pages of its own. */
interface PartOfMore {
  show: (form: Form) => string;
  /** Returns what the text makes of a form; nothing for one that means nothing. */
  change: (form: Form, text: string) => FormChange;
}

const PARTS: Readonly<Record<string, PartOfMore>> = {
  spam_level: {
    show: (form) => levelOf(SpamSettings.of(form)) ?? CUSTOM_LEVEL,
    change: (form, text) => {
      const level = SPAM_LEVEL_NAMES.find((each) => each === text);
      return level ? { spamSettings: SpamSettings.of(form).changed(SPAM_LEVELS[level]) } : {};
    },
  },
  on_failure: {
    show: ({ fields }) => fields.onFailure,
    change: (form, text) => {
      const action = ON_FAILURE.find((each) => each === text);
      return action ? form.withFields(new FormFields(form.fields.list, action)) : {};
    },
  },
  order: {
    show: ({ fields }) => fields.list.map(({ name }) => name).join('\n'),
    change: (form, text) => {
      const { list, onFailure } = form.fields;
      return form.withFields(new FormFields(inOrder(list, text), onFailure));
    },
  },
};

/** Returns fields in the order of their names in a text, one in each line; others follow. */
export function inOrder(fields: readonly Field[], text = ''): Field[] {
  const names = text.split('\n');
  const placeOf = ({ name }: Field) =>
    (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return [...fields].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Returns what the inputs show of a form. */
export function settingsShown(form: Form, timeZone: string): SettingTexts {
  return Object.fromEntries([
    ...ON_PAGE.map(({ key }) => [key, shownValue(valueOf(form, key), timeZone)]),
    ...Object.entries(PARTS).map(([key, { show }]) => [key, show(form)]),
  ]) as SettingTexts;
}

/** Returns what was typed over on the page. */
export function settingsTyped(sent: Typed | undefined): SettingTexts {
  const typed = textsIn(sent);
  const before = seenIn(sent);
  return Object.fromEntries(typed.filter(([key, text]) => digest(text) !== before[key]));
}

/** Returns what stands in the inputs that the page had. */
function textsIn(sent: Typed | undefined): [key: string, text: string][] {
  return Object.keys(seenIn(sent)).map((key) => {
    const text = key === 'order' ? textsOf(sent, ORDER).join('\n') : textOf(sent, PREFIX + key);
    const isFlag = SETTINGS.get(key)?.declared.shape.control === 'flag';
    return [key, isFlag ? String(text === 'true') : text.replace(/\r\n?/g, '\n')];
  });
}

/** Returns the text of the field with what the page shows. */
export function seen(texts: SettingTexts): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, digest(text)])),
  );
}

function seenIn(sent: Typed | undefined): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(textOf(sent, SEEN));
    const known = Object.entries(read ?? {}).filter(([key]) => SETTINGS.has(key) || key in PARTS);
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/** Returns a few characters that differ where texts do. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/**
 * Makes the change of a form that a page asks for: of each setting that was typed over. What others saved meanwhile stays,
 * unless both changed the same.
 * @throws InvalidForm naming each setting that somebody else changed meanwhile
 * @throws InvalidInputError naming every field at fault
 */
export async function changeTyped(
  sent: Typed | undefined,
  timeZone: string,
  principal: Principal,
): Promise<(form: Form) => FormChange> {
  const before = seenIn(sent);
  const texts = settingsTyped(sent);
  const typed = Object.entries(texts);
  const values = await valuesTyped(texts, timeZone);
  const action = forbiddenIn(principal, values);
  if (action !== null) throw new ActionForbidden(action);
  return (form) => {
    const now = settingsShown(form, timeZone);
    const crossed = typed.filter(([key, text]) => {
      return digest(now[key] ?? '') !== before[key] && now[key] !== text;
    });
    if (crossed.length > 0) throw new InvalidForm(crossed.map(([key]) => crossing(key, now[key])));
    let change = columnsFor(form, values);
    for (const [key, text] of typed) {
      change = { ...change, ...PARTS[key]?.change(form.with(change), text) };
    }
    return change;
  };
}

/** Returns what a page of visitors would look like with what was typed. */
export async function lookTyped(
  sent: Typed | undefined,
  timeZone: string,
): Promise<Partial<FormSettings>> {
  const looks = textsIn(sent).filter(
    ([key]) => SETTINGS.get(key)?.group === (FORM_SETTINGS as SettingGroup),
  );
  const values = await valuesTyped(Object.fromEntries(looks), timeZone);
  return FORM_SETTINGS.read(values);
}

/** Checks what was typed. @throws InvalidInputError naming every field at fault */
async function valuesTyped(typed: SettingTexts, timeZone: string): Promise<SettingValues> {
  const body = Object.entries(typed).flatMap(([key, text]) => {
    const setting = SETTINGS.get(key);
    return setting ? [[key, typedValue(setting.declared, text, timeZone)]] : [];
  });
  const asked = { settings: Object.fromEntries(body) as object };
  const { settings } = await checked(PageSettingsDto, asked);
  return SettingsDto.of(settings);
}

function crossing(key: string, now = ''): FieldProblem {
  const field = PREFIX + key;
  return {
    field,
    code: 'changed_meanwhile',
    message: `was changed by somebody else meanwhile, to “${now}”. Save again to replace it.`,
  };
}
