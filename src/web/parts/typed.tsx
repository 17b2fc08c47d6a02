import { validationPipe } from '../../platform/http/problem.filter.js';
import { DomainError, InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';
import { Icon, type IconName } from './content.js';
import { ActionButton } from './controls.js';

/** Carries what was typed into a form through a page that comes between. */
export function Carried(props: {
  typed: Typed | undefined;
  /** Names of the fields that the page has itself. */
  but?: ReadonlySet<string>;
}) {
  const { typed = {}, but } = props;
  return (
    <>
      {Object.entries(typed)
        .filter(([name]) => !but?.has(name))
        .flatMap(([name, values]) =>
          [values].flat().map((value) => <input type="hidden" name={name} value={String(value)} />),
        )}
    </>
  );
}

/** The fields of a form as a browser sends them, by name. */
export type Typed = Readonly<Record<string, unknown>>;

const pipe = validationPipe();

/** Returns what was typed into a field; '' when it did not come, or came more than once. */
export function textOf(typed: Typed | undefined, name: string): string {
  const value = typed?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns all values of one name, such as those of the ticked boxes of a group. */
export function textsOf(typed: Typed | undefined, name: string): string[] {
  return [typed?.[name] ?? []].flat().filter((value) => typeof value === 'string');
}

/** Tells whether a box was ticked. */
export function isTicked(typed: Typed | undefined, name: string): boolean {
  return textOf(typed, name) === 'true';
}

/**
 * Returns what a passkey answered, which the script of the page puts into a field as JSON.
 * @returns null without it; an empty object for what is no JSON, which is then refused as no passkey's
 */
export function credentialOf(typed: Typed | undefined, name = 'credential'): unknown {
  const text = textOf(typed, name);
  if (text === '') return null;
  try {
    return (JSON.parse(text) as unknown) ?? {};
  } catch {
    return {};
  }
}

/** A field breaks a rule; the page is shown again with its problems. */
export class InvalidForm extends InvalidInputError {
  constructor(problems: FieldProblem[]) {
    super('invalid_fields', problems[0]?.message ?? 'The input is not valid.', problems);
  }
}

/**
 * Checks input by the rules of the API's bodies.
 * @param shape the DTO of the API
 * @throws InvalidInputError naming every field at fault
 */
export function checked<T extends object>(shape: new () => T, input: unknown): Promise<T> {
  return pipe.transform(input, { type: 'body', metatype: shape }) as Promise<T>;
}

/**
 * Returns the problems of the fields that an error names.
 * @throws the error itself when it is not about fields
 */
export function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof DomainError && error.fields.length > 0) return error.fields;
  throw error;
}

/** Draws a button for what cannot be undone, which asks first. It needs no script. */
export function Confirm(props: {
  action: string;
  /** Text of the button that opens the question. */
  label: string;
  question: string;
  /** Text of the button that sends the form. */
  go: string;
  icon?: IconName;
}) {
  return (
    <details class="confirm">
      <summary class="button danger">
        {props.icon && <Icon name={props.icon} />}
        <span>{props.label}</span>
      </summary>
      <div class="sheet">
        <p>{props.question}</p>
        <ActionButton action={props.action} kind="danger">
          {props.go}
        </ActionButton>
      </div>
    </details>
  );
}
