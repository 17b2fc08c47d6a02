import { validationPipe } from '../../platform/http/index.js';
import { DomainError, InvalidInputError, type FieldProblem } from '../../platform/index.js';
import { Icon, type IconName } from './content.js';
import { ActionButton } from './controls.js';
import type { ComponentChildren } from 'preact';

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
export function textOf(typed: Typed | undefined, name: string) {
  const value = typed?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns all values of one name, such as the ticked boxes of a group. */
export function textsOf(typed: Typed | undefined, name: string): string[] {
  return [typed?.[name] ?? []].flat().filter((value) => typeof value === 'string');
}

/** Tells whether a box was ticked. */
export function isTicked(typed: Typed | undefined, name: string) {
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

/** Draws the search field of a list, above every long one. */
export function ListTools(props: { action: string; label: string; q: string }) {
  const { action, label, q } = props;
  return (
    <div class="list-tools">
      <SearchForm action={action} label={label} placeholder={label} value={q} />
    </div>
  );
}

/** Draws a search field with its button. It sends by GET, so that a result has an address. */
export function SearchForm(props: {
  /** A path of this service. */
  action: string;
  label: string;
  placeholder: string;
  value: string;
  /** The id of what describes the field; of a problem where it is invalid. */
  describedBy?: string;
  isInvalid?: boolean;
  children?: ComponentChildren;
}) {
  const { action, label, describedBy, isInvalid = false, children, ...input } = props;
  return (
    <form class="search" action={action} role="search">
      <label class="unseen" for="f-q">
        {label}
      </label>
      <input
        {...input}
        id="f-q"
        name="q"
        type="search"
        maxlength={255}
        autocomplete="off"
        autofocus={isInvalid}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
      />
      <button type="submit" class="button plain">
        <Icon name="search" />
        <span>Search</span>
      </button>
      {children}
    </form>
  );
}

/** Where else a list goes on that is shown page by page; null where there is nothing. */
export interface ListPages {
  first: string | null;
  next: string | null;
}

/** Returns the id that a page begins after; 0 for the first page. */
export function idOf(sent: Typed, name: string) {
  const id = Number(textOf(sent, name));
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/**
 * Returns the addresses of other pages.
 * @param found the rows of this page, and one more where there are more
 * @param after where this page begins
 */
export function pagesOf(path: string, found: readonly { id: number }[], perPage: number, after: number): ListPages {
  const last = found.length > perPage ? found[perPage - 1] : undefined;
  return { first: after > 0 ? path : null, next: last ? `${path}?after=${last.id}` : null };
}

/** Draws the ways to the first page of a list and to the next one; with a single page nothing. */
export function Pages(props: { pages: ListPages; label?: string; words?: readonly [string, string] }) {
  const { first, next } = props.pages;
  const [toFirst, toNext] = props.words ?? ['First page', 'Next'];
  if (first === null && next === null) return null;
  return (
    <nav class="pages" aria-label={props.label ?? 'Pages'}>
      {first === null ? <span /> : <a href={first}>{toFirst}</a>}
      {next !== null && (
        <a href={next} rel="next">
          {toNext} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

/** Words of a list whose newest come first. */
export const BY_TIME = ['Newest', 'Older'] as const;

export interface PasskeyButtonProps {
  /** `use` signs with one; `further` and `first` make one, the latter of somebody who is not known yet. */
  act: 'use' | 'further' | 'first';
  /** Where the script asks for what the browser needs. */
  options: string;
  /** Where the form goes with the answer, if not where it goes anyway. */
  action?: string;
  /** Name of the field of the answer. */
  name?: string;
  /** Whether passkeys are also offered where the address is typed. */
  auto?: boolean;
  kind?: 'primary' | 'plain';
  children: string;
}

/**
 * Draws a button that sends its form with what a passkey answers, as JSON in `credential`. It is hidden
 * until the script finds that the browser keeps passkeys.
 */
export function PasskeyButton(props: PasskeyButtonProps) {
  const { act, options, action, name, auto = false, kind = 'plain', children } = props;
  return (
    <button
      type="button"
      class={`button ${kind}`}
      hidden
      data-passkey={act}
      data-options={options}
      data-action={action}
      data-name={name}
      data-auto={auto ? '' : undefined}
    >
      <Icon name="key-round" />
      <span>{children}</span>
    </button>
  );
}

/** Says that the browser gave no passkey, or that the one it gave was refused; stands in the form of its button. */
export function PasskeyFailed({ problems }: { problems?: FieldProblem[] | undefined }) {
  const problem = problems?.find(isOfPasskey);
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          <Icon name="circle-x" /> {problem.message}
        </p>
      )}
      <p class="hint" role="status" data-passkey-failed hidden>
        That did not work. This device may have no passkey for this site, or already have one. Try again, or choose
        another way.
      </p>
    </>
  );
}

/** Returns the problems of the fields that people see; `PasskeyFailed` tells the others. */
export function withoutPasskey(problems: FieldProblem[] = []): FieldProblem[] {
  return problems.filter((problem) => !isOfPasskey(problem));
}

function isOfPasskey({ field }: FieldProblem) {
  return field === 'credential';
}
