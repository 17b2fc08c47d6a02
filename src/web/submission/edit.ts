import type { FieldProblem } from '../../platform/kernel/errors.js';
import { digestOf } from '../../submissions/model/value-digests.js';
import type { SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { NewValues } from '../../submissions/edits/edits.service.js';
import { InvalidForm, textOf, textsOf, type Typed } from '../parts/typed.js';

/** Longest value that the page edits, in characters, and the most of all that it does. */
const VALUE_MAX = 20_000;
const VALUES_MAX = 250_000;

/** How a value is typed: as text, as a list with an item in each line, or as JSON. */
type Kind = 'text' | 'list' | 'json';

/** A field of a submission as a person edits it. */
export interface FieldTyped {
  name: string;
  kind: Kind;
  /** Null for a value that is too long for the page. */
  text: string | null;
  /** The digest of what the page showed: a field that nobody touched is not changed. */
  shown: string;
}

/** Returns the fields of a submission as its page has them edited, each name once. */
export function fieldsToEdit(values: SubmittedValues): FieldTyped[] {
  let left = VALUES_MAX;
  return [...new Set(values.members.map(({ name }) => name))].map((name) => {
    const json = values.jsonAt(name) ?? 'null';
    const value = JSON.parse(json) as unknown;
    const kind = kindOf(value);
    const text = kind === 'text' ? (value as string) : kind === 'list' ? linesOf(value) : json;
    const isShort = text.length <= Math.min(VALUE_MAX, left);
    if (isShort) left -= text.length;
    return { name, kind, text: isShort ? text : null, shown: digestOf(name, plain(text)) };
  });
}

/** Reads the fields of the page. */
export function fieldsTyped(typed: Typed | undefined): FieldTyped[] {
  const [names, kinds, shown] = ['name', 'kind', 'shown'].map((column) => textsOf(typed, column));
  return (names ?? []).map((name, at) => ({
    ...{ name, shown: shown?.[at] ?? '' },
    kind: (['list', 'json'] as const).find((kind) => kind === kinds?.[at]) ?? 'text',
    // Of what is too long, the page has nothing typed.
    text: typed && `values.${at}` in typed ? textOf(typed, `values.${at}`) : null,
  }));
}

/**
 * Returns the values of the fields that somebody changed.
 * @param before tells which line ends a text had
 * @throws InvalidForm for what is no JSON where it was
 */
export function changedValues(fields: readonly FieldTyped[], before: SubmittedValues): NewValues {
  const problems: FieldProblem[] = [];
  const changed = fields.flatMap(({ name, kind, text, shown }, at) => {
    if (text === null || digestOf(name, plain(text)) === shown) return [];
    const lines = plain(text);
    if (kind === 'list') return [[name, lines.split('\n').filter((line) => line !== '')] as const];
    if (kind === 'text') {
      const isDos = before.jsonAt(name)?.includes('\\r\\n') ?? false;
      return [[name, isDos ? lines.replaceAll('\n', '\r\n') : lines] as const];
    }
    try {
      return [[name, JSON.parse(lines) as unknown] as const];
    } catch {
      const message = 'must be valid JSON, such as {"size":"L"}';
      problems.push({ field: `values.${at}`, code: 'invalid_json', message });
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidForm(problems);
  return Object.fromEntries(changed);
}

/** Returns a text with the ends of its lines as browsers do not send them, and without the first empty line, which they drop. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^\n/, '');
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return 'text';
  const isList = Array.isArray(value) && value.length > 0;
  const isOfLines = (item: unknown) =>
    typeof item === 'string' && item !== '' && !/[\r\n]/.test(item);
  return isList && value.every(isOfLines) ? 'list' : 'json';
}

function linesOf(value: unknown): string {
  return (value as string[]).join('\n');
}
