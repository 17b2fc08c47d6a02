import type { FormFields } from '../../forms/model/form-fields.js';
import { type FieldProblem, isJson } from '../../platform/index.js';
import { Shell } from '../layout/shell.js';
import {
  ActionForm,
  Actions,
  Button,
  Field,
  LinkButton,
  InvalidForm,
  textOf,
  textsOf,
  type Typed,
} from '../parts/index.js';
import { submissionWords } from './words.js';
import { digestOf, type SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { FieldChanges } from '../../submissions/edits/edits.service.js';

/** A value from this length on has lines of its own, in characters, and how many it has at most. */
const LINE = 60;

const ROWS_MAX = 12;

export interface EditPageProps {
  /** Address of the submission, without its filter. */
  here: string;
  /** Address to go back to. */
  back: string;
  /** The filter that it was opened from; null for none. */
  line: string | null;
  labels: FormFields;
  fields: FieldTyped[];
  problems: FieldProblem[];
}

/** Draws the values of a submission to be changed. */
export function EditPage({ here, back, line, labels, fields, problems }: EditPageProps) {
  const { edit } = submissionWords;
  const numbered = fields.map((field, at) => ({ ...field, at }));
  const labelOf = (path: string) => labels.labelOf(fields[Number(path.split('.')[1])]?.name ?? path);
  return (
    <Shell title={edit.title} section="inbox">
      <div class="page">
        <h1>{edit.title}</h1>
        <p class="hint">The activity keeps the old values. Nobody is notified.</p>
        <ActionForm action={`${here}/edit`} problems={problems} labelOf={labelOf}>
          {line !== null && <input type="hidden" name="q" value={line} />}
          {/* In the order of their numbers, by which the names of the inputs are read. */}
          {fields.map((field) => (
            <input type="hidden" name="field" value={fieldSent(field)} />
          ))}
          {labels.sorted(numbered).map(({ name, kind, text, at }) =>
            text === null ? (
              <div class="field">
                <p>{labels.labelOf(name)}</p>
                <p class="hint">This page cannot edit this value. Use the API.</p>
              </div>
            ) : (
              <Field
                name={`values.${at}`}
                label={labels.labelOf(name)}
                hint={kind === 'text' ? undefined : edit.kinds[kind]}
                value={text}
                rows={rowsOf(text, kind)}
                dir="auto"
              />
            ),
          )}
          <Actions>
            <Button>Save changes</Button>
            <LinkButton kind="plain" href={back}>
              Cancel
            </LinkButton>
          </Actions>
        </ActionForm>
      </div>
    </Shell>
  );
}

function rowsOf(text: string, kind: FieldTyped['kind']) {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE), 0);
  const least = kind === 'text' && lines === 1 ? 1 : 2;
  return Math.min(Math.max(lines + (lines > 1 ? 1 : 0), least), ROWS_MAX);
}

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
function fieldSent({ kind, shown, name }: FieldTyped) {
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
export function changedValues(fields: readonly FieldTyped[], before: SubmittedValues): FieldChanges {
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
function plain(text: string) {
  return text.replace(/\r\n?/g, '\n').replace(/^\n/, '');
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return CHANGED_BY_BROWSERS.test(value) ? 'json' : 'text';
  const isList = Array.isArray(value) && value.length > 0;
  const isOfLines = (item: unknown) => typeof item === 'string' && !/^$|[\r\n]/.test(item) && kindOf(item) === 'text';
  return isList && value.every(isOfLines) ? 'list' : 'json';
}

function linesOf(value: unknown) {
  return (value as string[]).join('\n');
}
