import { FieldsDto, FieldDto } from '../../forms/dto/fields.dto.js';
import { FormFields } from '../../forms/model/form-fields.js';
import type { Field } from '../../forms/model/field.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { isAddressField } from '../../submissions/model/preview.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { checked, InvalidForm, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { fieldsSent } from '../rows/rows.js';

/** Begins the names of inputs: they are the paths of the body, whose problems name them. */
export const PREFIX = 'field.';

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
    ...names.map((name) => [name, textOf(typed, PREFIX + name).replace(/\r\n?/g, '\n')]),
    ...TICKS.map((name) => [name, String(isTicked(typed, PREFIX + name))]),
  ]) as FieldTexts;
}

/** Returns it as the API takes it; what is empty is not asked for. */
function bodyOf(texts: FieldTexts): object {
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
 * Puts a field that was typed into those of a form, at its place.
 * @param former name of the field that it takes the place of; null for one more
 * @throws InvalidForm naming each input at fault
 */
export async function withField(
  fields: FormFields,
  former: string | null,
  texts: FieldTexts,
): Promise<FormFields> {
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
  return { ...problem, field: PREFIX + input, message: message.replace(field, PREFIX + input) };
}

/** Adds to the fields of a form those of others that it does not have yet. */
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
