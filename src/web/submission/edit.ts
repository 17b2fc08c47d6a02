import type { FieldProblem } from '../../platform/kernel/errors.js';
import { isJson } from '../../platform/kernel/text/json-text.js';
import { digestOf, type SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { FieldChanges } from '../../submissions/edits/edits.service.js';
import { InvalidForm, textOf, textsOf, type Typed } from '../parts/typed.js';

/** Longest value that the page edits, in characters, and the most of all that it does. */
const VALUE_MAX = 20_000;
const VALUES_MAX = 250_000;

/** Characters that come back from a page as others. */
const CHANGED_BY_BROWSERS = /[\0\p{Cs}]|\r(?!\n)/u;
const CHANGED_IN_NAMES = /[\0\r\n\p{Cs}]/u;
const NO_JSON = 'must be valid JSON, such as {"size":"L"}';

/** How a value is typed: as text, as a list with an item in each line, or as JSON. */
type Kind = 'text' | 'list' | 'json';

/** A field of a submission as a person edits it. */
export interface FieldTyped {
  name: string;
  kind: Kind;
  /** Null for a value that the page does not edit: it is too long, or a browser would change the name of its field. */
  text: string | null;
  /** The digest of what the page showed: a field that nobody touched is not changed. */
  shown: string;
}

/** Returns the fields of a submission as its page has them edited, each name once. */
export function fieldsToEdit(values: SubmittedValues): FieldTyped[] {
  let left = VALUES_MAX;
  return [...values.byName()].map(([name, json]) => {
    const value = JSON.parse(json) as unknown;
    const kind = kindOf(value);
    const text = kind === 'text' ? (value as string) : kind === 'list' ? linesOf(value) : json;
    const isShort = text.length <= Math.min(VALUE_MAX, left) && !CHANGED_IN_NAMES.test(name);
    if (isShort) left -= text.length;
    return { name, kind, text: isShort ? text : null, shown: digestOf(name, plain(text)) };
  });
}

/** Returns what the page sends of a field beside its text. */
export function fieldSent({ kind, shown, name }: FieldTyped): string {
  return `${kind} ${shown} ${name}`;
}

/** Reads the fields of the page. */
export function fieldsTyped(typed: Typed | undefined): FieldTyped[] {
  const sent = textsOf(typed, 'field').map((field) => /^(\w+) (\w*) (.*)$/s.exec(field) ?? []);
  return sent.map(([, said, shown = '', name = ''], at) => ({
    ...{ name, shown },
    kind: (['list', 'json'] as const).find((kind) => kind === said) ?? 'text',
    // Of what is too long, the page has nothing typed.
    text: typed && `values.${at}` in typed ? textOf(typed, `values.${at}`) : null,
  }));
}

/**
 * Returns the values of the fields that somebody changed.
 * @param before tells which line ends a text had
 * @throws InvalidForm for what is no JSON where it was
 */
export function changedValues(
  fields: readonly FieldTyped[],
  before: SubmittedValues,
): FieldChanges {
  const problems: FieldProblem[] = [];
  const changes = new Map<string, string>();
  const known = before.byName();
  for (const [at, { name, kind, text, shown }] of fields.entries()) {
    if (text === null || digestOf(name, plain(text)) === shown) continue;
    const lines = plain(text);
    if (kind === 'json') {
      // As it was typed: parsed, long numbers would be rounded.
      if (isJson(lines)) changes.set(name, lines.trim());
      else problems.push({ field: `values.${at}`, code: 'invalid_json', message: NO_JSON });
    } else if (kind === 'list') {
      changes.set(name, JSON.stringify(lines.split('\n').filter((line) => line !== '')));
    } else {
      const isDos = known.get(name)?.includes('\\r\\n') ?? false;
      changes.set(name, JSON.stringify(isDos ? lines.replaceAll('\n', '\r\n') : lines));
    }
  }
  if (problems.length > 0) throw new InvalidForm(problems);
  return changes;
}

/** Returns a text with the ends of its lines as browsers do not send them, and without the first empty line, which they drop. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^\n/, '');
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return CHANGED_BY_BROWSERS.test(value) ? 'json' : 'text';
  const isList = Array.isArray(value) && value.length > 0;
  const isOfLines = (item: unknown) =>
    typeof item === 'string' && !/^$|[\r\n]/.test(item) && kindOf(item) === 'text';
  return isList && value.every(isOfLines) ? 'list' : 'json';
}

function linesOf(value: unknown): string {
  return (value as string[]).join('\n');
}
