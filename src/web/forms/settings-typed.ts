import { createHash } from 'node:crypto';
import { SettingsDto, takeSettings } from '../../forms/dto/form.dto.js';
import { FORM_NAME, FORM_SETTINGS, type FormChange, type FormSettings } from '../../forms/model/form-settings.js';
import type { SettingGroup } from '../../forms/model/setting.js';
import type { Form } from '../../forms/model/form.entity.js';
import { columnsFor, forbiddenIn, SETTINGS, valueOf, type DeclaredSetting } from '../../forms/model/setting-groups.js';
import { ActionForbidden, type Principal } from '../../accounts/access/index.js';
import { asked } from '../../platform/http/index.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  checked,
  InvalidForm,
  textOf,
  textsOf,
  type Typed,
  isTicked,
  problemsOf,
  shownValue,
  typedValue,
} from '../parts/index.js';
import { OF_FIELD, TRANSLATED, type Translation } from '../../forms/model/form-language.js';
import { FormFields, ON_FAILURE } from '../../forms/model/form-fields.js';
import type { Field } from '../../forms/model/field.js';
import { levelOf, SPAM_LEVEL_NAMES, SPAM_LEVELS, SpamSettings } from '../../spam/judge/spam-settings.js';
import { CUSTOM_LEVEL } from '../spam/spam.page.js';
import { FieldsDto, FieldDto } from '../../forms/dto/fields.dto.js';
import { isAddressField } from '../../submissions/model/preview.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { fieldsSent } from '../rows/rows.js';

/** Name of the inputs that say the order of fields. */
export const ORDER = 'order';

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
  const placeOf = ({ name }: Field) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
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
export function seen(texts: SettingTexts) {
  return JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, digest(text)])));
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
function digest(text: string) {
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
export async function lookTyped(sent: Typed | undefined, timeZone: string): Promise<Partial<FormSettings>> {
  const looks = textsIn(sent).filter(([key]) => SETTINGS.get(key)?.group === (FORM_SETTINGS as SettingGroup));
  const values = await valuesTyped(Object.fromEntries(looks), timeZone);
  return FORM_SETTINGS.read(values);
}

/** Checks what was typed. @throws InvalidInputError naming every field at fault */
async function valuesTyped(typed: SettingTexts, timeZone: string) {
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

/** Begins the names of inputs: they are the paths of the body, whose problems name them. */
export const FIELD_PREFIX = 'field.';

/** Inputs of a field that hold a number, those that are ticked, and those with a line for each of several values. */
export const NUMBERS = ['min', 'max', 'min_length', 'max_length', 'max_file_bytes'] as const;
const TICKS = ['required', 'in_inbox', 'unique'] as const;
const LISTS = ['choices', 'file_types'] as const;
const TEXTS = ['name', 'label', 'kind', 'help', 'pattern'] as const;

/** The texts of the inputs of a field, by their names in the API; `true` for what is ticked. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Returns a field as its inputs show it. */
export function fieldShown(field: Field, place: number): FieldTexts {
  const given = Object.entries(FieldDto.of(field)).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => {
    return [name, Array.isArray(value) ? value.join('\n') : String(value)];
  });
  return { ...(Object.fromEntries(texts) as FieldTexts), place: String(place) };
}

/** Reads what was typed. */
export function fieldTyped(typed: Typed | undefined): FieldTexts {
  const names = [...TEXTS, ...NUMBERS, ...LISTS, 'place'];
  return Object.fromEntries([
    ...names.map((name) => [name, textOf(typed, FIELD_PREFIX + name).replace(/\r\n?/g, '\n')]),
    ...TICKS.map((name) => [name, String(isTicked(typed, FIELD_PREFIX + name))]),
  ]) as FieldTexts;
}

/** Returns it as the API takes it; what is empty is not asked for. */
function bodyOf(texts: FieldTexts) {
  const filled = (name: string) => (texts[name] ?? '').trim() !== '';
  const given = (names: readonly string[], read: (text: string) => unknown) =>
    names.filter(filled).map((name) => [name, read(texts[name] ?? '')]);
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries([
    ...given(TEXTS, (text) => text),
    ...given(NUMBERS, Number),
    ...given(LISTS, lines),
    ...TICKS.filter((name) => texts[name] === 'true').map((name) => [name, true]),
  ]) as object;
}

/**
 * Puts a typed field into a form's fields, at its place.
 * @param former name of the field that it takes the place of; null for one more
 * @throws InvalidForm naming each input at fault
 */
export async function withField(fields: FormFields, former: string | null, texts: FieldTexts): Promise<FormFields> {
  const others = fields.list.filter(({ name }) => name !== former);
  const before = fields.list.findIndex(({ name }) => name === former);
  const place = Number(texts.place) || (before < 0 ? others.length : before) + 1;
  const at = Math.min(Math.max(place - 1, 0), others.length);
  const bodies = others.map((field) => FieldDto.of(field) as object);
  const all = { fields: bodies.toSpliced(at, 0, bodyOf(texts)), on_failure: fields.onFailure };
  try {
    return FieldsDto.fields(await checked(FieldsDto, all));
  } catch (error) {
    throw new InvalidForm(problemsOf(error).map((problem) => ofInput(problem, `fields.${at}.`)));
  }
}

/** Returns a problem under the name of its input; one of all fields stands at the name of the field. */
function ofInput({ field, message, ...problem }: FieldProblem, path: string): FieldProblem {
  const input = field.startsWith(path) ? field.slice(path.length).replace(/\.\d+$/, '') : 'name';
  return { ...problem, field: FIELD_PREFIX + input, message: message.replace(field, FIELD_PREFIX + input) };
}

/** Inputs with the names of the fields that a sheet of texts shows, in their order. */
export const SHOWN_FIELDS = 'field';

/**
 * Returns the texts of a form in another language as they were typed; the empty ones are not given. Fields that the
 * sheet did not show keep theirs.
 */
export function translationTyped(sent: Typed | undefined, before: Translation): Translation {
  const filled = (pairs: [name: string, input: string][]) => {
    const texts = pairs.map(([name, input]) => [name, textOf(sent, input).replace(/\r\n?/g, '\n').trim()] as const);
    return Object.fromEntries(texts.filter(([, text]) => text !== ''));
  };
  const fields = new Map(Object.entries(before.fields ?? {}));
  for (const [at, name] of textsOf(sent, SHOWN_FIELDS).entries()) {
    const inputs = Object.keys(OF_FIELD).map((part): [string, string] => [part, `${part}.${at}`]);
    fields.set(name, filled(inputs));
  }
  const given = [...fields].filter(([, texts]) => Object.keys(texts).length > 0);
  const own = filled(Object.keys(TRANSLATED).map((name) => [name, name]));
  return { ...own, ...(given.length > 0 && { fields: Object.fromEntries(given) }) };
}

/** Adds to a form's fields the fields of others that it does not have yet. */
export function withMore(fields: FormFields, more: readonly Field[]): FormFields {
  const added = more.filter(({ name }) => !fields.of(name));
  return new FormFields([...fields.list, ...added], fields.onFailure);
}

/** Longest answer of a field for one line, in characters. */
const LINE_MAX = 80;

/** Returns the fields of submissions, each of the kind that their answers have. */
export function fieldsOf(newest: readonly SubmissionInFull[]): Field[] {
  const texts = newest.flatMap(({ submission }) => submission.values.toText());
  const ofFiles = new Set(newest.flatMap(({ files }) => files.map(({ field }) => field)));
  return fieldsSent(newest).map((name) => {
    const isLong = texts.some(
      (each) => each.name === name && (each.text.length > LINE_MAX || each.text.includes('\n')),
    );
    const kind = isAddressField(name) ? 'email' : isLong ? 'long_text' : 'text';
    return { name, kind: ofFiles.has(name) ? 'file' : kind };
  });
}
